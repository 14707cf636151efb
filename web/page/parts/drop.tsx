/** Takes a file: from a drop anywhere on the room, or from a button. */

import { useEffect, useState } from "preact/hooks";
import { runs } from "../engine/engines";

interface DropProps {
  label: string;
  /** Endings that the dialogue offers. */
  accept: string;
  onFile(name: string): void;
}

/** More than this is for `forebay play`, whose library is native. */
const MOST_BYTES = 256 * 1024 * 1024;

export function Drop({ label, accept, onFile }: DropProps) {
  const [problem, setProblem] = useState<string>();
  const take = async (file: File | undefined): Promise<void> => {
    if (file === undefined) {
      return;
    }
    if (file.size > MOST_BYTES) {
      setProblem(`${file.name} has more than 256 MB. Run “forebay play ${file.name}” for files of this size.`);
      return;
    }
    setProblem(undefined);
    runs.put(file.name, new Uint8Array(await file.arrayBuffer()));
    onFile(file.name);
  };
  useEffect(() => {
    const over = (event: DragEvent): void => event.preventDefault();
    const drop = (event: DragEvent): void => {
      event.preventDefault();
      void take(event.dataTransfer?.files[0]);
    };
    window.addEventListener("dragover", over);
    window.addEventListener("drop", drop);
    return () => {
      window.removeEventListener("dragover", over);
      window.removeEventListener("drop", drop);
    };
  });
  return (
    <span class="drop">
      <label class="button">
        {label}
        <input type="file" accept={accept} onChange={(event) => void take(event.currentTarget.files?.[0])} />
      </label>
      {problem !== undefined && (
        <span role="alert" class="problem">
          {problem}
        </span>
      )}
    </span>
  );
}
