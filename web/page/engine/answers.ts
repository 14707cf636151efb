/** The answers of the library, as `crates/play` writes them. */

export interface RunAnswer {
  complete: boolean;
  warnings: string[];
  /** The table that the command prints. */
  table: string;
  /** The long table: a row for each number. */
  csv: string;
  /** The bytes of the command's result.json. */
  json: string;
  /** Tables with a row for each packet or request, by the names of their files. */
  details: Record<string, string>;
  pictures?: Picture[];
  /** A page of its own. */
  report?: string;
}

export interface Picture {
  name: string;
  title: string;
  svg: string;
}

export interface ProgramFile {
  name: string;
  text: string;
}

export interface Target {
  name: string;
  title: string;
}

export interface RunQuestion {
  ask: "run";
  scenario: string;
  name?: string;
  set?: string[];
  seed?: number;
  pictures?: boolean;
  report?: string;
}

export interface CompileQuestion {
  ask: "compile";
  policy: string;
  target: string;
  fields?: string[];
}

export type Question = RunQuestion | CompileQuestion | { ask: "targets" } | { ask: "language"; message: unknown };

/** An error of the library, with its message for people. */
export class LibraryError extends Error {}
