/** The recordings and logs that the reader has opened, which a room offers beside its own traffic. */

import { useEffect, useState } from "preact/hooks";
import { servedFiles } from "../engine/engines";

/** Returns the names, and what adds one. The room shows the last one at once: `show` gets its name. */
export function useOpenedFiles(show: (name: string) => void): [string[], (name: string) => void] {
  const [names, setNames] = useState<string[]>(servedFiles);
  useEffect(() => {
    const last = names.at(-1);
    if (last !== undefined) {
      show(last);
    }
  }, [names]);
  return [names, (name) => setNames([...names.filter((other) => other !== name), name])];
}
