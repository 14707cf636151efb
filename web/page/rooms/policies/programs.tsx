/** The two policies as programs: C, P4, SystemVerilog and others. */

import { useEffect, useState } from "preact/hooks";
import type { ProgramFile, Target } from "../../engine/answers";
import { language } from "../../engine/engines";

interface ProgramsProps {
  policies: { name: string; file: string; text: string }[];
}

/** Where a program reads fields that no header implies, unless the reader says otherwise. */
const USUAL_FIELDS = "queue=dscp value=udp[8:4] processing=udp[12:4] slack=udp[16:4] rank=udp[20:4] remaining=udp[24:4]";

/** The files of a program in which the policy itself stands. */
const MAIN_FILES = ["policy.bpf.c", "version.c", "policy.p4", "policy_rules.sv"];

export function Programs({ policies }: ProgramsProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details class="programs" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>The policies as C, P4 and SystemVerilog</summary>
      {isOpen && <Chosen policies={policies} />}
    </details>
  );
}

function Chosen({ policies }: ProgramsProps) {
  const [targets, setTargets] = useState<Target[]>([]);
  const [target, setTarget] = useState("c");
  const [side, setSide] = useState(0);
  const [fields, setFields] = useState(USUAL_FIELDS);
  const [files, setFiles] = useState<ProgramFile[]>([]);
  const [shown, setShown] = useState<number>();
  const [error, setError] = useState<string>();
  const policy = policies[side] ?? policies[0];

  useEffect(() => {
    void language().ask<Target[]>({ ask: "targets" }).then(setTargets);
  }, []);

  useEffect(() => {
    if (policy === undefined) {
      return;
    }
    const engine = language();
    engine.put(policy.file, new TextEncoder().encode(policy.text));
    const given = fields.split(/\s+/).filter((field) => field !== "");
    const ask = (fields: string[]) => engine.ask<ProgramFile[]>({ ask: "compile", policy: policy.file, target, fields });
    ask(given).then(
      (files) => {
        setFiles(files);
        setError(undefined);
      },
      (error: Error) => {
        setFiles([]);
        setError(error.message);
      },
    );
  }, [policy?.file, policy?.text, target, fields]);

  const usual = files.findIndex(({ name }) => MAIN_FILES.includes(name));
  const place = shown ?? Math.max(usual, 0);
  const file = files[Math.min(place, files.length - 1)];
  return (
    <>
      <div class="controls">
        <label>
          Policy{" "}
          <select value={String(side)} onChange={(event) => setSide(Number(event.currentTarget.value))}>
            {policies.map((policy, place) => (
              <option key={policy.file} value={String(place)}>
                {policy.name}
              </option>
            ))}
          </select>
        </label>
        <label>
          Target{" "}
          <select
            value={target}
            onChange={(event) => {
              setTarget(event.currentTarget.value);
              setShown(undefined);
            }}
          >
            {targets.map((target) => (
              <option key={target.name} value={target.name}>
                {`${target.name}: ${target.title}`}
              </option>
            ))}
          </select>
        </label>
        {files.length > 1 && (
          <label>
            File{" "}
            <select value={String(place)} onChange={(event) => setShown(Number(event.currentTarget.value))}>
              {files.map((file, number) => (
                <option key={file.name} value={String(number)}>
                  {file.name}
                </option>
              ))}
            </select>
          </label>
        )}
        <label class="wide">
          Headers of the fields{" "}
          <input type="text" value={fields} onChange={(event) => setFields(event.currentTarget.value)} />
        </label>
      </div>
      {error !== undefined && (
        <pre class="error" role="alert">
          {error}
        </pre>
      )}
      {file !== undefined && (
        <pre class="program" tabIndex={0} aria-label={`The file ${file.name}`}>
          {file.text}
        </pre>
      )}
    </>
  );
}
