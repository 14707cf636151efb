/** The table that the command prints, and what a reader of it must know. */

import type { RunAnswer } from "../engine/answers";

export function CommandTable({ answer, isOpen }: { answer: RunAnswer; isOpen?: boolean }) {
  return (
    <details class="command-table" open={isOpen}>
      <summary>Table of the command</summary>
      <pre class="scrolls" tabIndex={0} role="region" aria-label="Table of the command">
        {answer.table}
      </pre>
    </details>
  );
}
