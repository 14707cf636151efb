/** Runs a scenario whenever it changes, one run at a time; the last one counts. */

import { useEffect, useRef, useState } from "preact/hooks";
import { Cancelled } from "../engine/engine";
import { runs } from "../engine/engines";
import { firstAnswer, markShown } from "../engine/first_answer";
import type { RunAnswer, RunQuestion } from "../engine/answers";

export interface RunState {
  answer: RunAnswer | undefined;
  /** What is wrong with the last question; the answer is that of an earlier one then. */
  error: string | undefined;
  isRunning: boolean;
  /** How much of the run is done, where that is known. */
  share: number | undefined;
  stop(): void;
  again(): void;
}

/** Waits for the end of typing, in milliseconds. */
const QUIET = 400;

export function useRun(question: RunQuestion, files: Record<string, string>): RunState {
  const [answer, setAnswer] = useState<RunAnswer>();
  const [error, setError] = useState<string>();
  const [isRunning, setRunning] = useState(false);
  const [share, setShare] = useState<number>();
  const [times, setTimes] = useState(0);
  const isFirst = useRef(true);
  const key = JSON.stringify([question, files, times]);

  useEffect(() => {
    let isCurrent = true;
    const begin = async (): Promise<void> => {
      runs.cancel();
      const first = isFirst.current ? await firstAnswer(question, files) : undefined;
      isFirst.current = false;
      if (first !== undefined && isCurrent) {
        setAnswer(first);
        return;
      }
      const encoder = new TextEncoder();
      Object.entries(files).forEach(([name, text]) => runs.put(name, encoder.encode(text)));
      setRunning(true);
      setShare(undefined);
      try {
        const answer = await runs.ask<RunAnswer>(question, (share) => isCurrent && setShare(share));
        if (isCurrent) {
          setAnswer(answer);
          setError(undefined);
        }
      } catch (error) {
        if (isCurrent && !(error instanceof Cancelled)) {
          setError(error instanceof Error ? error.message : String(error));
        }
      }
      if (isCurrent) {
        setRunning(false);
      }
    };
    const timer = setTimeout(() => void begin(), isFirst.current ? 0 : QUIET);
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [key]);

  useEffect(() => {
    if (answer !== undefined || error !== undefined) {
      markShown();
    }
  }, [answer, error]);

  return {
    answer,
    error,
    isRunning,
    share,
    stop: () => {
      runs.cancel();
      setRunning(false);
    },
    again: () => setTimes(times + 1),
  };
}
