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

/** Three significant digits, without an exponent. */
export function digits(value: number): string {
  if (value === 0 || !Number.isFinite(value)) {
    return String(value);
  }
  const places = Math.max(0, 2 - Math.floor(Math.log10(Math.abs(value))));
  return value.toFixed(Math.min(places, 9));
}

function prefixed(value: number, unit: string): string {
  const [factor, prefix] = PREFIXES.find(([factor]) => Math.abs(value) >= factor * 0.9995) ?? [1, ""];
  return `${digits(value / factor)} ${prefix}${unit}`;
}

/** A value with its unit, as tables of results have it; shares are percent. */
export function withUnit(value: number, unit: string): string {
  if (unit === "s" || unit === "bit/s") {
    return value === 0 ? `0 ${unit}` : prefixed(value, unit);
  }
  if (unit === "1") {
    return digits(value);
  }
  return unit === "packets" || unit === "requests" || unit === "bytes"
    ? value.toLocaleString("en", { maximumFractionDigits: 1 })
    : `${digits(value)} ${unit}`;
}

export const percent = (share: number): string => `${digits(share * 100)} %`;
export const time = (seconds: number): string => withUnit(seconds, "s");
