/** A moment of a run, exact enough to tell two packets apart. */
export const clock = (seconds: number): string => `${(seconds * 1000).toFixed(3)} ms`;
