// Numbers as people read them: SI base units in data, prefixes on the page.

const LARGE = [[1e12, "T"], [1e9, "G"], [1e6, "M"], [1e3, "k"], [1, ""]];
const SMALL = [[1, ""], [1e-3, "m"], [1e-6, "µ"], [1e-9, "n"], [1e-12, "p"]];

// What numbers up to `greatest` are divided by, the unit that they are in then, and a letter behind each number.
function scaled(unit, greatest) {
  const size = Math.abs(greatest);
  const pick = (prefixes) => size === 0 ? [1, ""] : prefixes.find(([least]) => size >= least * 0.9999999) || prefixes[prefixes.length - 1];
  switch (unit) {
    case "share": return { divisor: 0.01, unit: "%", suffix: "" };
    case "s": { const [divisor, prefix] = pick(SMALL); return { divisor, unit: prefix + "s", suffix: "" }; }
    case "B":
    case "bit/s": { const [divisor, prefix] = pick(LARGE); return { divisor, unit: prefix + unit, suffix: "" }; }
    default: {
      const [divisor, suffix] = size < 1e4 ? [1, ""] : pick(LARGE);
      return { divisor, unit, suffix };
    }
  }
}

// At most four significant digits, without zeros at the end.
function short(value) {
  if (value === 0) return "0";
  const size = Math.abs(value);
  const text = size >= 1e7 || size < 1e-4 ? value.toExponential(2) : String(Number(value.toPrecision(4)));
  return text.replace(/-/g, "\u2212");
}

// A number by itself, with its unit.
function one(unit, value) {
  if (value === null || value === undefined) return "–";
  const { divisor, unit: words, suffix } = scaled(unit, value);
  const space = words === "" ? "" : "\u00a0";
  return short(value / divisor) + suffix + space + words;
}

// A mean and half its interval in the unit of the mean.
function withInterval(unit, mean, ci95) {
  if (mean === null || mean === undefined) return "–";
  if (!(ci95 > Math.abs(mean) * 1e-9)) return one(unit, mean);
  const { divisor, unit: words, suffix } = scaled(unit, mean || ci95);
  const half = ci95 / divisor;
  const decimals = Math.min(6, Math.max(0, 1 - Math.floor(Math.log10(half))));
  const text = `${(mean / divisor).toFixed(decimals)} ± ${half.toFixed(decimals)}`.replace(/-/g, "\u2212");
  return suffix === "" && words === "" ? text : `${text}\u00a0${suffix}${words}`;
}

// As the table of the numbers has it: unrounded.
const exact = (value) => value === null || value === undefined ? "" : String(value);
