/** The engines of this page: one for runs, and one for the language server, which must answer while a run goes on. */

import type { Engine } from "./engine";
import { WorkerEngine } from "./in_worker";
import { ServerEngine } from "./on_server";

/** Whether `forebay play` serves this page; it fills in the content of the tag. */
const meta = document.querySelector<HTMLMetaElement>('meta[name="forebay-play"]');
export const isServed = meta?.content === "local";

/** Files that the command line of `forebay play` named. */
export const servedFiles: string[] = (meta?.dataset.files ?? "").split("\n").filter((name) => name !== "");

const make = (): Engine => (isServed ? new ServerEngine() : new WorkerEngine());

export const runs: Engine = make();

let languageEngine: Engine | undefined;

/** The engine of the language server, which starts with the first editor. */
export function language(): Engine {
  languageEngine ??= make();
  return languageEngine;
}
