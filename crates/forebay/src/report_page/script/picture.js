// A picture with what chooses its rows, its legend and the table of its numbers.

const HEIGHT = 340;
// Series and rows of its table at most; more cannot be told apart, or make a page slow.
const MOST_SERIES = 28;
const MOST_TABLE_ROWS = 400;

function element(name, properties = {}, ...children) {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...children);
  return made;
}

// A list to choose from.
function choice(label, options, chosen, onChange, id) {
  const select = element("select", { id });
  for (const [value, text] of options) select.append(element("option", { value, textContent: text, selected: value === chosen }));
  select.addEventListener("change", () => onChange(select.value));
  return element("label", {}, label, select);
}

// What a new picture shows.
function firstState(wish) {
  const y = metricCalled(wish.y) >= 0 ? wish.y : metrics[0].name;
  const state = { y, of: wish.of, x: wish.x, by: wish.by, show: wish.show || "value", logx: wish.logx, logy: wish.logy, where: { ...wish.where } };
  const { fields } = repaired(state);
  const x = fields.find((field) => field.name === state.x);
  // Numbers over many decades are told apart on a logarithmic scale alone.
  if (state.logx === undefined) state.logx = x.isNumeric && isWide(x.keys.map(x.number), 50);
  if (state.logy === undefined) {
    const { series, places } = pointsOf(state, fields);
    const values = series.flatMap((own) => places.filter((key) => own.rows.has(key)).map((key) => valueOf(own.rows.get(key), state.show)));
    state.logy = x.isNumeric && isWide(values, 100);
  }
  return state;
}

// Whether numbers are all positive and the greatest is so many times the least.
function isWide(all, times) {
  const [least, greatest] = [Math.min(...all), Math.max(...all)];
  return all.length > 0 && least > 0 && greatest >= times * least;
}

// Makes all choices ones that there are.
function repaired(state) {
  const metric = metricCalled(state.y);
  const kinds = kindsOf(metric);
  if (!kinds.includes(state.of)) state.of = kinds.includes("all") ? "all" : kinds[0];
  const fields = fieldsOf(metric, state.of);
  const has = (name) => fields.some((field) => field.name === name);
  const several = fields.filter((field) => field.keys.length > 1);
  if (!has(state.x)) state.x = (several.find((field) => field.isNumeric) || several.find((field) => field.name !== "policy") || fields[0]).name;
  const others = several.filter((field) => field.name !== state.x);
  if (!others.some((field) => field.name === state.by)) {
    state.by = others.length === 0 ? "" : (others.find((field) => field.name === "policy") || others[0]).name;
  }
  for (const field of others.filter((own) => own.name !== state.by)) {
    if (!field.keys.includes(state.where[field.name])) state.where[field.name] = field.keys[0];
  }
  return { fields, several, kinds };
}

// The address keeps what the pictures show.
const pictures = [];
function keepInAddress() {
  const kept = pictures.map(({ state }) => state);
  history.replaceState(null, "", `#${encodeURIComponent(JSON.stringify(kept))}`);
}
function fromAddress() {
  try {
    const kept = JSON.parse(decodeURIComponent(location.hash.slice(1)));
    return Array.isArray(kept) && kept.length > 0 ? kept.filter((own) => own !== null && typeof own === "object") : null;
  } catch {
    return null;
  }
}

function addPicture(wish) {
  const number = pictures.length + 1;
  const own = { state: firstState(wish), hidden: new Set(), chart: null };
  const title = element("h3", { id: `title-${number}` });
  const about = element("p", { className: "about" });
  const controls = element("div", { className: "controls" });
  const canvas = element("div", { className: "canvas", role: "img" });
  const legend = element("div", { className: "legend" });
  const note = element("p", { className: "note" });
  const table = element("details", {}, element("summary", { textContent: "Numbers of this picture" }), element("div", { className: "wide" }));
  const root = element("section", { className: "picture", id: `picture-${number}` }, title, about, controls, canvas, legend, note, table);
  root.setAttribute("aria-labelledby", title.id);
  document.getElementById("all-pictures").append(root);
  pictures.push(own);
  let plan = null;

  function change(what) {
    const fieldBefore = own.state.by;
    Object.assign(own.state, what);
    if (own.state.by !== fieldBefore) own.hidden.clear();
    show();
    keepInAddress();
  }

  function showControls({ fields, several, kinds }) {
    const { state } = own;
    const focused = document.activeElement && controls.contains(document.activeElement) ? document.activeElement.id : null;
    const id = (name) => `${name}-${number}`;
    const names = (list) => list.map((field) => [field.name, field.title]);
    const all = [choice("metric", metrics.map((metric) => [metric.name, metric.title]), state.y, (y) => change({ y }), id("y"))];
    if (kinds.length > 1) all.push(choice("of", kinds.map((kind) => [kind, kind === "all" ? "everything" : `each ${words(kind)}`]), state.of, (of) => change({ of }), id("of")));
    if (several.length > 1) {
      all.push(choice("horizontal axis", names(several), state.x, (x) => change({ x }), id("x")));
      all.push(choice("compared", names(several.filter((field) => field.name !== state.x)), state.by, (by) => change({ by }), id("by")));
    }
    for (const field of several.filter((one) => one.name !== state.x && one.name !== state.by)) {
      const options = field.keys.map((key) => [String(key), field.text(key)]);
      all.push(choice(field.title, options, String(state.where[field.name]), (key) => change({ where: { ...state.where, [field.name]: Number(key) } }), id(`where-${field.name}`)));
    }
    if (SHOWN.length > 1) all.push(choice("shown", SHOWN, state.show, (shown) => change({ show: shown }), id("show")));
    const scales = [["linear", "linear"], ["log", "logarithmic"]];
    if (fields.find((field) => field.name === state.x).isNumeric) {
      all.push(choice("horizontal scale", scales, state.logx ? "log" : "linear", (scale) => change({ logx: scale === "log" }), id("logx")));
    }
    all.push(choice("vertical scale", scales, state.logy ? "log" : "linear", (scale) => change({ logy: scale === "log" }), id("logy")));
    controls.replaceChildren(...all);
    if (focused !== null) document.getElementById(focused)?.focus();
  }

  function showLegend() {
    legend.replaceChildren();
    if (plan.series.length < 2) return;
    plan.series.forEach((series, place) => {
      const { colour, dash } = plan.looks[place];
      const drawn = document.createElementNS("http://www.w3.org/2000/svg", "svg");
      const line = document.createElementNS("http://www.w3.org/2000/svg", "line");
      const attributes = { x1: 0, x2: 26, y1: 6, y2: 6, stroke: colour, "stroke-width": plan.isLine ? 2.5 : 10 };
      if (plan.isLine) attributes["stroke-dasharray"] = dash.map((part) => part * 2.5).join(" ");
      for (const [name, value] of Object.entries(attributes)) line.setAttribute(name, value);
      drawn.setAttribute("width", 26);
      drawn.setAttribute("height", 12);
      drawn.setAttribute("aria-hidden", "true");
      drawn.append(line);
      const button = element("button", { type: "button" }, drawn, series.name);
      button.setAttribute("aria-pressed", String(!own.hidden.has(series.key)));
      button.addEventListener("click", () => {
        if (!own.hidden.delete(series.key)) own.hidden.add(series.key);
        show();
      });
      legend.append(button);
    });
  }

  function showTable() {
    const { state } = own;
    const place = table.querySelector("div");
    if (!table.open) return place.replaceChildren();
    const heads = [plan.x.title, ...(state.by === "" ? [] : [plan.byTitle]), `${plan.title}${plan.unit === "" ? "" : ` [${plan.unit === "share" ? "1" : plan.unit}]`}`, "± (95 %)", "repetitions"];
    const head = element("tr", {}, ...heads.map((text) => element("th", { scope: "col", textContent: text })));
    const body = element("tbody");
    let left = 0;
    plan.shown.forEach((key, index) => plan.series.forEach((series, turn) => {
      const row = series.rows.get(key);
      if (row === undefined) return;
      if (body.childElementCount === MOST_TABLE_ROWS) {
        left += 1;
        return;
      }
      const texts = [...(state.by === "" ? [] : [series.name]), exact(valueOf(row, state.show)), exact(plan.intervals[turn][index]), exact(rows.n[row])];
      body.append(element("tr", {}, element("th", { scope: "row", textContent: plan.x.text(key) }), ...texts.map((text) => element("td", { textContent: text }))));
    }));
    const rest = left === 0 ? [] : [element("p", { className: "note", textContent: `${left} more rows are not shown.` })];
    place.replaceChildren(element("table", {}, element("thead", {}, head), body), ...rest);
  }
  table.addEventListener("toggle", showTable);

  const tip = element("div", { className: "tip", hidden: true });
  function showTip(chart) {
    const index = chart.cursor.idx;
    if (index === null || index === undefined || chart.cursor.left < 0) {
      tip.hidden = true;
      return;
    }
    const key = plan.shown[index];
    const lines = plan.series.flatMap((series, place) => {
      if (own.hidden.has(series.key) || plan.values[place][index] === null) return [];
      const dot = element("i");
      dot.style.background = plan.series.length === 1 && plan.x.name === "policy" ? policies[key].colour : plan.looks[place].colour;
      const name = series.name === "" ? "" : `${series.name}: `;
      const repetitions = rows.n[series.rows.get(key)];
      const times = repetitions > 1 ? `  (n = ${repetitions})` : "";
      return [element("div", {}, dot, name + withInterval(plan.unit, plan.values[place][index], plan.intervals[place][index]) + times)];
    });
    tip.replaceChildren(element("b", { textContent: plan.x.name === "policy" ? plan.x.text(key) : `${plan.x.title} ${plan.x.text(key)}` }), ...lines);
    tip.hidden = lines.length === 0;
    chart.over.append(tip);
    const { width } = chart.over.getBoundingClientRect();
    const right = chart.cursor.left + 14;
    tip.style.left = `${right + tip.offsetWidth > width ? Math.max(0, chart.cursor.left - 14 - tip.offsetWidth) : right}px`;
    tip.style.top = "8px";
  }

  function draw(width) {
    if (own.chart !== null) own.chart.destroy();
    const isOn = (series) => !own.hidden.has(plan.series[series].key);
    own.chart = makeChart(canvas, plan, isOn, { width, height: HEIGHT }, showTip);
  }
  own.draw = () => draw(Math.max(240, Math.floor(canvas.clientWidth)));
  own.drawForPaper = () => draw(680);

  function show() {
    const { state } = own;
    const chosen = repaired(state);
    const points = pointsOf(state, chosen.fields);
    const many = points.series.length;
    points.series = points.series.slice(0, MOST_SERIES);
    plan = planOf(points, state);
    const shown = SHOWN.find(([name]) => name === state.show);
    plan.title = plan.metric.title + (state.show === "value" ? "" : `, ${shown[1]}`);
    plan.byTitle = points.by === undefined ? "" : points.by.title;
    const fixed = points.fixed.map((field) => `${field.title} ${field.text(state.where[field.name])}`);
    title.textContent = `${plan.title} over ${plan.x.title}${fixed.length === 0 ? "" : ` (${fixed.join(", ")})`}`;
    about.textContent = plan.metric.about;
    const notes = [];
    if (many > MOST_SERIES) notes.push(`The first ${MOST_SERIES} of ${many} series are shown.`);
    if (plan.hidden > 0) notes.push(`${plan.hidden} values that are not above zero have no place on a logarithmic scale.`);
    if (plan.series.length === 0) notes.push("There is no number for this choice.");
    note.textContent = notes.join(" ");
    canvas.setAttribute("aria-label", `${title.textContent}. The numbers stand below the picture.`);
    showControls(chosen);
    showLegend();
    own.draw();
    showTable();
  }
  show();
}

function addAll(wishes) {
  for (const wish of wishes) addPicture(wish);
}

if (count === 0) {
  document.getElementById("pictures").parentElement.remove();
} else {
  addAll(fromAddress() || numbers.pictures);
  document.getElementById("more").addEventListener("click", () => {
    addPicture({ ...pictures[pictures.length - 1].state, where: {} });
    keepInAddress();
  });
  window.addEventListener("beforeprint", () => pictures.forEach((own) => own.drawForPaper()));
  window.addEventListener("afterprint", () => pictures.forEach((own) => own.draw()));
  let width = window.innerWidth;
  window.addEventListener("resize", () => {
    if (window.innerWidth === width) return;
    width = window.innerWidth;
    pictures.forEach((own) => own.draw());
  });
}
