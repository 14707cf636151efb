// The rows of the summary that a picture shows, and the fields by which they differ.

const numbers = JSON.parse(document.getElementById("numbers").textContent);
const { policies, axes, subjects, metrics, cells, rows } = numbers;
const count = rows.mean.length;
// Subjects whose items are numbers that have an order.
const ORDERED = ["rank", "capacity"];
// Whether the numbers of a picture are differences to the baseline.
const SHOWN = numbers.baseline === null ? [["value", "the value"]]
  : [["value", "the value"], ["difference", `minus that of ${numbers.baseline}`], ["ratio", `over that of ${numbers.baseline}`]];

const rowsOfMetric = metrics.map(() => []);
for (let row = 0; row < count; row += 1) rowsOfMetric[rows.metric[row]].push(row);

const metricCalled = (name) => metrics.findIndex((metric) => metric.name === name);
const words = (name) => name.replace(/_/g, " ");

// The kinds of subjects that a metric is of.
function kindsOf(metric) {
  return [...new Set(rowsOfMetric[metric].map((row) => subjects[rows.subject[row]][0]))];
}

// The fields of rows: each has a name, a title, a unit, and of a row its key, text and number.
function fieldsOf(metric, kind) {
  const own = rowsOfMetric[metric].filter((row) => subjects[rows.subject[row]][0] === kind);
  const fields = [{
    name: "policy", title: "policy", unit: "", isNumeric: false,
    key: (row) => cells[rows.cell[row]][0],
    text: (key) => policies[key].name,
    number: (key) => key,
  }];
  axes.forEach((axis, place) => fields.push({
    name: axis.name, title: axis.title, unit: axis.unit, isNumeric: axis.numbers !== null,
    key: (row) => cells[rows.cell[row]][place + 1],
    text: (key) => key < 0 ? "–" : axis.texts[key],
    number: (key) => axis.numbers === null ? key : axis.numbers[key],
  }));
  if (kind !== "all") {
    const isNumeric = ORDERED.includes(kind);
    fields.push({
      name: kind, title: words(kind), unit: "", isNumeric,
      key: (row) => rows.subject[row],
      text: (key) => subjects[key][1],
      number: (key) => isNumeric ? Number(subjects[key][1]) : key,
    });
  }
  for (const field of fields) {
    const keys = [...new Set(own.map(field.key))].filter((key) => key >= 0);
    if (field.isNumeric) keys.sort((a, b) => field.number(a) - field.number(b));
    field.keys = keys;
  }
  return fields.filter((field) => field.keys.length > 1 || field.name === "policy");
}

// What a picture shows of a row.
function valueOf(row, shown) {
  if (shown === "difference") return rows.difference[row];
  return shown === "ratio" ? rows.ratio[row] : rows.mean[row];
}
function intervalOf(row, shown) {
  if (shown === "difference") return rows.difference_ci95[row];
  return shown === "ratio" ? null : rows.ci95[row];
}

// The points of a picture: series by the key of `by`, each with a row for each place on the horizontal axis.
function pointsOf(state, fields) {
  const find = (name) => fields.find((field) => field.name === name);
  const x = find(state.x);
  const by = find(state.by);
  const fixed = fields.filter((field) => field !== x && field !== by && field.keys.length > 1);
  const isChosen = (row) => subjects[rows.subject[row]][0] === state.of
    && fixed.every((field) => field.key(row) < 0 || field.key(row) === state.where[field.name])
    && valueOf(row, state.show) !== null;
  const series = new Map();
  for (const row of rowsOfMetric[metricCalled(state.y)].filter(isChosen)) {
    const key = by === undefined ? 0 : by.key(row);
    if (!series.has(key)) series.set(key, new Map());
    const own = series.get(key);
    // Without a value of this axis it is the same everywhere.
    for (const place of x.key(row) < 0 ? x.keys : [x.key(row)]) own.set(place, row);
  }
  const order = by === undefined ? [0] : [...by.keys, -1];
  const all = order.filter((key) => series.has(key)).map((key) => ({
    key,
    name: by === undefined ? "" : by.text(key),
    policy: by !== undefined && by.name === "policy" ? key : null,
    rows: series.get(key),
  }));
  const places = x.keys.filter((key) => all.some((own) => own.rows.has(key)));
  return { x, by, fixed, places, series: all };
}
