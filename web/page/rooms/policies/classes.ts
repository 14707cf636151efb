/** How packets of a class look and what they are called. Colours differ for people who see colours differently, too. */

const NAMES: Record<number, string> = { 46: "EF (voice)", 34: "AF41 (video)", 18: "AF21 (data)", 8: "CS1 (bulk)", 0: "BE (the rest)" };

export const className = (dscp: number): string => NAMES[dscp] ?? `class ${dscp}`;
export const shortName = (dscp: number): string => (NAMES[dscp] ?? `class ${dscp}`).replace(/ \(.*/, "");

/** The place of a class among those of a run gives its colour in the style sheet. */
export function colours(classes: number[]): Map<number, string> {
  return new Map(classes.map((dscp, place) => [dscp, `var(--class-${place % 8})`]));
}
