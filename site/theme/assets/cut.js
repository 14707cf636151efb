// Pictures, tables and blocks of code scroll in boxes of their own. A box gets classes for the sides at which something is cut off.
const boxes = ".picture, .md-typeset__scrollwrap, .md-typeset pre > code";

function look(box) {
  const isCut = box.scrollWidth > box.clientWidth + 1;
  // Keys scroll what has the focus; a box with a link in it can be reached by that.
  if (isCut && !box.querySelector("a")) box.tabIndex = 0;
  box.classList.toggle("cut-left", box.scrollLeft > 1);
  box.classList.toggle("cut-right", box.scrollLeft + box.clientWidth < box.scrollWidth - 1);
}

const sizes = new ResizeObserver((changes) => changes.forEach((change) => look(change.target)));

// The theme puts tables into boxes after the page has been read.
document$.subscribe(() => {
  for (const box of document.querySelectorAll(boxes)) {
    sizes.observe(box);
    box.addEventListener("scroll", () => look(box), { passive: true });
  }
});
