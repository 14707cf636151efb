/** The policies that come with forebay; the build collects them from the folder policies/. */

import texts from "virtual:policies";

export interface LibraryPolicy {
  name: string;
  /** The first sentence of its comment. */
  title: string;
  text: string;
}

export const LIBRARY: LibraryPolicy[] = texts;

export const named = (name: string): LibraryPolicy | undefined => LIBRARY.find((policy) => policy.name === name);
