/** How the second of two values differs from the first, in words. */

import { withUnit } from "./numbers";

/** From this factor on, a ratio says more than percent. */
const LEAST_RATIO = 2;

/** Shares differ by points. Other values differ by a ratio or by percent, or by their unit if one of them is 0. */
export function difference(first: number, second: number, unit: string, isShare: boolean): string {
  const by = second - first;
  const sign = by > 0 ? "+" : "−";
  if (isShare) {
    const points = Math.abs(by * 100);
    return points < 0.005 ? "same" : `${sign}${Number(points.toFixed(points < 10 ? 2 : 1))} points`;
  }
  if (first === second) {
    return "same";
  }
  if (first <= 0 || second <= 0) {
    return `${sign}${withUnit(Math.abs(by), unit)}`;
  }
  const word = by > 0 ? "higher" : "lower";
  const ratio = Math.max(first, second) / Math.min(first, second);
  if (ratio >= LEAST_RATIO) {
    return `${short(ratio)}x ${word}`;
  }
  const percent = (Math.abs(by) / first) * 100;
  return percent < 0.05 ? "same" : `${short(percent)} % ${word}`;
}

/** Two digits are enough for a comparison. */
const short = (value: number): string => (value < 10 ? String(Number(value.toFixed(1))) : Math.round(value).toLocaleString("en"));
