/** How a run is going, and what is wrong with it. */

import type { RunState } from "./run";

interface StatusProps {
  run: RunState;
  /** What stands where the progress of a run stands otherwise. */
  note?: string | undefined;
}

export function Status({ run, note }: StatusProps) {
  const { isRunning, share, error, answer } = run;
  return (
    <div class="status">
      <div role="status" class="running">
        {isRunning && (
          <>
            <progress {...(share === undefined ? {} : { value: share })} max={1} aria-label="Progress of the run" />
            <span>Running{share === undefined ? "" : ` (${Math.round(share * 100)} %)`} …</span>
            <button type="button" onClick={run.stop}>
              Stop
            </button>
          </>
        )}
        {!isRunning && note}
      </div>
      {error !== undefined && (
        <pre class="error" role="alert">
          {error}
          {answer === undefined ? "" : "\n\nThe numbers below are those of the last run that worked."}
        </pre>
      )}
    </div>
  );
}
