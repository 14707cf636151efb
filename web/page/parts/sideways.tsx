/** A box that scrolls sideways if its content is wider, and says so. */

import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";

interface SidewaysProps {
  label: string;
  children: ComponentChildren;
}

/** Where the content goes on: a shade at each such edge, and words above the box. */
interface Hidden {
  left: boolean;
  right: boolean;
}

export function Sideways({ label, children }: SidewaysProps) {
  const box = useRef<HTMLDivElement>(null);
  const [{ left, right }, setHidden] = useState<Hidden>({ left: false, right: false });
  const look = (): void => {
    const { scrollLeft = 0, clientWidth = 0, scrollWidth = 0 } = box.current ?? {};
    const now = { left: scrollLeft > 1, right: scrollLeft + clientWidth < scrollWidth - 1 };
    setHidden((before) => (before.left === now.left && before.right === now.right ? before : now));
  };
  useEffect(() => {
    const observer = new ResizeObserver(look);
    if (box.current !== null) {
      observer.observe(box.current);
      Array.from(box.current.children).forEach((child) => observer.observe(child));
    }
    return () => observer.disconnect();
  }, []);
  const scrolls = left || right;
  return (
    <div class={`sideways${left ? " more-left" : ""}${right ? " more-right" : ""}`}>
      {scrolls && <p class="sideways-hint">Scroll sideways to see all of it ↔</p>}
      <div class="sideways-frame">
        <div class="scrolls" ref={box} onScroll={look} {...(scrolls ? { tabIndex: 0, role: "region", "aria-label": label } : {})}>
          {children}
        </div>
      </div>
    </div>
  );
}
