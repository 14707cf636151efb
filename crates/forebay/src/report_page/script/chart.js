// A chart of points: lines over numbers, bars over names, each with its confidence interval.

const OTHER_COLOURS = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000"];
const OTHER_DASHES = [[], [4, 1.6], [1.2, 1.4], [5, 1.4, 1.2, 1.4], [7, 2.2], [5, 1.4, 1.2, 1.4, 1.2, 1.4], [2.4, 1.2]];
const INK = "#262626";
const FONT = "13px system-ui, -apple-system, 'Segoe UI', Roboto, Arial, sans-serif";
const WIDTH = 2;

// The colour and dash of a series: those of its policy, or the next ones.
function lookOf(series, place) {
  if (series.policy !== null && series.policy >= 0) return policies[series.policy];
  const round = Math.floor(place / OTHER_COLOURS.length);
  const colour = OTHER_COLOURS[place % OTHER_COLOURS.length];
  return { colour, dash: OTHER_DASHES[(place + round) % OTHER_DASHES.length] };
}

// What is drawn of `points` as `state` says; needs no document.
function planOf(points, state) {
  const { x, places, series } = points;
  const metric = metrics[metricCalled(state.y)];
  const unit = state.show === "ratio" ? "" : metric.unit;
  const isLog = { x: x.isNumeric && state.logx, y: state.logy };
  const isLine = x.isNumeric && places.length > 1;
  const hasPlace = (key) => !isLine || !isLog.x || x.number(key) > 0;
  const shown = places.filter(hasPlace);
  let hidden = (places.length - shown.length) * series.length;
  const values = series.map((own) => shown.map((key) => {
    const row = own.rows.get(key);
    if (row === undefined) return null;
    const value = valueOf(row, state.show);
    if (isLog.y && !(value > 0)) {
      hidden += 1;
      return null;
    }
    return value;
  }));
  const intervals = series.map((own) => shown.map((key) => own.rows.has(key) ? intervalOf(own.rows.get(key), state.show) : null));
  const xs = shown.map((key, place) => isLine ? x.number(key) : place);
  return { x, series, shown, xs, values, intervals, unit, metric, isLog, isLine, hidden, looks: series.map(lookOf) };
}

// The least and the greatest value with intervals, of the series that are shown.
function rangeOf(plan, isOn) {
  let [least, greatest] = [Infinity, -Infinity];
  plan.values.forEach((values, series) => {
    if (!isOn(series)) return;
    values.forEach((value, place) => {
      if (value === null) return;
      const half = plan.intervals[series][place] || 0;
      const low = value - half;
      if (!plan.isLog.y || low > 0) least = Math.min(least, low);
      least = Math.min(least, value);
      greatest = Math.max(greatest, value + half);
    });
  });
  if (least > greatest) return plan.isLog.y ? [1, 10] : [0, 1];
  if (plan.isLog.y) {
    return least === greatest ? [least / 2, greatest * 2] : [least / 1.15, greatest * 1.15];
  }
  // Bars begin at zero; lines do where that costs little.
  if (least > 0 && (!plan.isLine || least < greatest * 0.5)) least = 0;
  if (greatest < 0 && !plan.isLine) greatest = 0;
  // What is never negative has no place below zero, even if its interval has one.
  if (least < 0 && plan.values.every((values) => values.every((value) => value === null || value >= 0))) least = 0;
  const room = (greatest - least || Math.abs(greatest) || 1) * 0.06;
  return [least === 0 ? 0 : least - room, greatest === 0 ? 0 : greatest + room];
}

// Draws intervals, and bars or points, over what uPlot has drawn.
function drawMarks(plot, plan, isOn) {
  const { ctx } = plot;
  const ratio = uPlot.pxRatio;
  const on = plan.series.map((_, series) => series).filter(isOn);
  const oneEach = plan.series.length === 1 && plan.x.name === "policy";
  const { left, top, width, height } = plot.bbox;
  ctx.save();
  ctx.beginPath();
  ctx.rect(left - 8 * ratio, top, width + 16 * ratio, height);
  ctx.clip();
  const slot = plan.isLine ? 0 : width / Math.max(1, plan.xs.length);
  const bar = Math.min(54 * ratio, slot * 0.8 / Math.max(1, on.length));
  on.forEach((series, turn) => {
    plan.xs.forEach((place, index) => {
      const value = plan.values[series][index];
      if (value === null) return;
      const shift = plan.isLine ? 0 : (turn - (on.length - 1) / 2) * bar;
      const x = plot.valToPos(place, "x", true) + shift;
      const y = plot.valToPos(value, "y", true);
      const colour = oneEach ? policies[plan.shown[index]].colour : plan.looks[series].colour;
      ctx.fillStyle = colour;
      if (!plan.isLine && !plan.isLog.y) {
        const zero = plot.valToPos(0, "y", true);
        ctx.globalAlpha = 0.85;
        ctx.fillRect(x - bar * 0.44, Math.min(y, zero), bar * 0.88, Math.abs(zero - y));
        ctx.globalAlpha = 1;
      } else {
        ctx.beginPath();
        ctx.arc(x, y, 3.4 * ratio, 0, 2 * Math.PI);
        ctx.fill();
      }
      const half = plan.intervals[series][index];
      if (!(half > 0)) return;
      const low = plan.isLog.y && value - half <= 0 ? plot.scales.y.min : value - half;
      const [upper, lower] = [plot.valToPos(value + half, "y", true), plot.valToPos(low, "y", true)];
      const cap = Math.min(5 * ratio, plan.isLine ? Infinity : bar * 0.3);
      ctx.strokeStyle = plan.isLine || plan.isLog.y ? colour : INK;
      ctx.lineWidth = 1.3 * ratio;
      ctx.setLineDash([]);
      ctx.beginPath();
      ctx.moveTo(x, upper);
      ctx.lineTo(x, lower);
      for (const end of [upper, lower]) {
        ctx.moveTo(x - cap, end);
        ctx.lineTo(x + cap, end);
      }
      ctx.stroke();
    });
  });
  ctx.restore();
}

// Ticks of a logarithmic axis: powers of ten, and 2 and 5 times these where there are few.
function logTicks(min, max) {
  const within = (steps) => {
    const ticks = [];
    for (let power = Math.floor(Math.log10(min)); power <= Math.ceil(Math.log10(max)); power += 1) {
      for (const step of steps) {
        const tick = Number(`${step}e${power}`);
        if (tick >= min && tick <= max) ticks.push(tick);
      }
    }
    return ticks;
  };
  return [[1], [1, 2, 5], [1, 2, 3, 4, 5, 6, 7, 8, 9]].map(within).find((ticks) => ticks.length > 2) || [min, max];
}

// Title, ticks and labels of an axis of numbers, in the unit that suits its greatest one.
function axisOf(title, unit, greatest, isLog) {
  // The numbers of a logarithmic axis are far apart, so each has its own unit.
  if (isLog) {
    return { title, splits: (_plot, _axis, min, max) => logTicks(min, max), labels: (_, splits) => splits.map((value) => one(unit, value)) };
  }
  const { divisor, unit: shownUnit, suffix } = scaled(unit, greatest);
  const inUnit = shownUnit === "" ? "" : ` [${shownUnit}]`;
  const label = (value) => value === null ? "" : short(value / divisor) + suffix;
  return { title: title + inUnit, labels: (_, splits) => splits.map(label) };
}

// Makes the chart. `isOn` says which series are shown, `onHover` is given the place that the reader points at.
function makeChart(target, plan, isOn, size, onHover) {
  const [, greatest] = rangeOf(plan, () => true);
  const titleOfX = plan.isLine
    ? axisOf(plan.x.title, plan.x.unit, Math.max(...plan.xs.map(Math.abs)), plan.isLog.x)
    : { title: plan.x.title };
  const titleOfY = axisOf(plan.title, plan.unit, greatest, plan.isLog.y);
  const common = { stroke: INK, font: FONT, labelFont: FONT, grid: { stroke: "#e2e2e2", width: 1 }, ticks: { stroke: "#bdbdbd", width: 1, size: 5 } };
  const perName = Math.max(1, Math.floor((size.width - 80) / plan.xs.length / 7.2));
  const cut = (text) => text.length > perName ? `${text.slice(0, Math.max(1, perName - 1))}…` : text;
  const ends = plan.xs.length === 0 ? [0, 1] : [Math.min(...plan.xs), Math.max(...plan.xs)];
  const rangeOfX = () => {
    if (!plan.isLine) return [-0.5, plan.xs.length - 0.5];
    if (plan.isLog.x) return [ends[0] / 1.08, ends[1] * 1.08];
    const room = (ends[1] - ends[0]) * 0.02;
    return [ends[0] - room, ends[1] + room];
  };
  const zoomed = (scale, min, max, whole) => {
    const [first, last] = whole();
    // Before the first drawing uPlot knows the ends of the data alone.
    return scale.isZoomed ? [min, max] : [first, last];
  };
  const zoom = { x: { isZoomed: false } };
  const options = {
    ...size,
    legend: { show: false },
    cursor: { y: false, points: { show: plan.isLine }, drag: { x: plan.isLine, y: false, setScale: false } },
    scales: {
      x: { time: false, distr: plan.isLog.x ? 3 : 1, range: (_, min, max) => zoomed(zoom.x, min, max, rangeOfX) },
      y: { distr: plan.isLog.y ? 3 : 1, range: () => rangeOf(plan, isOn) },
    },
    axes: [
      {
        ...common, label: titleOfX.title, labelSize: 22, size: 34,
        ...(plan.isLine ? { values: titleOfX.labels, space: 62, ...(titleOfX.splits && { splits: titleOfX.splits }) } : {
          splits: () => plan.xs,
          values: () => plan.shown.map((key) => cut(plan.x.text(key))),
          grid: { show: false },
        }),
      },
      {
        ...common, label: titleOfY.title, labelSize: 24, values: titleOfY.labels, ...(titleOfY.splits && { splits: titleOfY.splits }),
        size: (plot, labels) => labels === null ? 50 : 14 + 7.4 * Math.max(2, ...labels.map((label) => (label || "").length)),
      },
    ],
    series: [{}, ...plan.series.map((_, series) => ({
      show: isOn(series),
      stroke: plan.looks[series].colour,
      width: plan.isLine ? WIDTH : 0,
      dash: plan.looks[series].dash.map((part) => part * WIDTH * 1.6),
      spanGaps: true,
      points: { show: false },
      ...(plan.isLine ? {} : { paths: () => null }),
    }))],
    hooks: {
      draw: [(plot) => drawMarks(plot, plan, isOn)],
      setCursor: [(plot) => onHover(plot)],
      setSelect: [(plot) => {
        if (!(plot.select.width > 4)) return;
        const [min, max] = [plot.posToVal(plot.select.left, "x"), plot.posToVal(plot.select.left + plot.select.width, "x")];
        zoom.x.isZoomed = true;
        plot.setScale("x", { min, max });
        plot.setSelect({ left: 0, width: 0, top: 0, height: 0 }, false);
      }],
    },
  };
  const chart = new uPlot(options, [plan.xs, ...plan.values], target);
  chart.over.addEventListener("dblclick", () => {
    zoom.x.isZoomed = false;
    const [min, max] = rangeOfX();
    chart.setScale("x", { min, max });
  });
  return chart;
}
