/** Numbers for people: values in SI units, with prefixes and three digits. */

const PREFIXES: [number, string][] = [
  [1e9, "G"],
  [1e6, "M"],
  [1e3, "k"],
  [1, ""],
  [1e-3, "m"],
  [1e-6, "µ"],
  [1e-9, "n"],
];

/** Three significant digits, without an exponent, and with commas between thousands. */
export function digits(value: number): string {
  if (value === 0 || !Number.isFinite(value)) {
    return String(value);
  }
  const places = Math.min(9, Math.max(0, 2 - Math.floor(Math.log10(Math.abs(value)))));
  return value.toLocaleString("en", { minimumFractionDigits: places, maximumFractionDigits: places });
}

function prefixed(value: number, unit: string): string {
  const [factor, prefix] = PREFIXES.find(([factor]) => Math.abs(value) >= factor * 0.9995) ?? [1, ""];
  return `${digits(value / factor)} ${prefix}${unit}`;
}

const PREFIXED = new Set(["s", "bit/s"]);
const COUNTED = new Set(["packets", "requests", "flows"]);

/** Whether a number needs no unit beside it: a ratio, or a count of what its title names. */
const isBare = (unit: string): boolean => unit === "1" || COUNTED.has(unit);

/** The unit to write once for a row of numbers; none if each number has its own. */
export const unitOfRow = (unit: string): string | undefined => (PREFIXED.has(unit) || isBare(unit) ? undefined : unit);

/** A value as tables of results have it: with its unit, unless the row says the unit. */
export function withUnit(value: number, unit: string): string {
  if (PREFIXED.has(unit)) {
    return value === 0 ? `0 ${unit}` : prefixed(value, unit);
  }
  return COUNTED.has(unit) ? value.toLocaleString("en", { maximumFractionDigits: 1 }) : digits(value);
}

export const percent = (share: number): string => `${digits(share * 100)} %`;
export const time = (seconds: number): string => withUnit(seconds, "s");
