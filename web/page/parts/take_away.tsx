/** What a reader takes along: the scenario, the command, and the files of the result. */

import type { RunAnswer } from "../engine/answers";
import { CommandTable } from "./command_table";
import { Warnings } from "./warnings";

interface TakeAwayProps {
  answer: RunAnswer | undefined;
  scenario: string;
  command: string;
  /** Files beside the scenario, by their names. */
  files?: Record<string, string>;
  /** Whether the room shows the table of the command and the warnings itself. */
  hasOwnTable?: boolean;
}

function save(name: string, type: string, content: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([content], { type }));
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}

export function TakeAway({ answer, scenario, command, files, hasOwnTable }: TakeAwayProps) {
  return (
    <details class="take-away">
      <summary>The same on your machine: scenario, command, files</summary>
      <p>Put this into <code>scenario.toml</code>{files !== undefined && <>, save the policies beside it</>} and run:</p>
      <pre class="command">{command}</pre>
      <p class="buttons">
        <button type="button" onClick={() => save("scenario.toml", "text/plain", scenario)}>Save scenario.toml</button>
        {Object.entries(files ?? {}).map(([name, text]) => (
          <button type="button" key={name} onClick={() => save(name, "text/plain", text)}>
            Save {name}
          </button>
        ))}
        {answer !== undefined && (
          <>
            <button type="button" onClick={() => save("result.json", "application/json", answer.json)}>Save result.json</button>
            <button type="button" onClick={() => save("result.csv", "text/csv", answer.csv)}>Save result.csv</button>
            {answer.report !== undefined && (
              <button type="button" onClick={() => save("report.html", "text/html", answer.report ?? "")}>Save report.html</button>
            )}
          </>
        )}
      </p>
      <pre class="scenario" tabIndex={0} role="region" aria-label="The scenario">{scenario}</pre>
      {answer !== undefined && hasOwnTable !== true && (
        <>
          <CommandTable answer={answer} />
          <Warnings warnings={answer.warnings} />
        </>
      )}
    </details>
  );
}
