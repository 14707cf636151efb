/** The numbers that matter most, a column for each policy. The better one of each row is set in bold. */

import { difference } from "./difference";
import { mean, policies, type LongRow } from "./long_table";
import { percent, unitOfRow, withUnit } from "./numbers";
import { Sideways } from "./sideways";

export interface SummaryRow {
  title: string;
  metric: string;
  subject?: string;
  item?: string;
  /** Whether a lower value is better; undefined: neither is. */
  isLowerBetter?: boolean;
  isShare?: boolean;
  /** What the metric means, in a sentence. */
  help?: string;
}

interface Line {
  row: SummaryRow;
  values: (number | undefined)[];
  unit: string;
}

/** The letter of a policy in the room for queues, or else its name. */
const shortName = (name: string): string => name.match(/^([AB]): /)?.[1] ?? name;

const isKnown = (value: number | undefined): value is number => value !== undefined && Number.isFinite(value);

function best({ row, values }: Line): number | undefined {
  const known = values.filter(isKnown);
  if (row.isLowerBetter === undefined || new Set(known).size < 2) {
    return undefined;
  }
  return row.isLowerBetter ? Math.min(...known) : Math.max(...known);
}

function shown({ row, unit }: Line, value: number | undefined): string {
  if (!isKnown(value)) {
    return "–";
  }
  return row.isShare === true ? percent(value) : withUnit(value, unit);
}

function differs({ row, unit, values: [first, second] }: Line): string {
  return isKnown(first) && isKnown(second) ? difference(first, second, unit, row.isShare === true) : "–";
}

export function Summary({ table, rows, caption }: { table: LongRow[]; rows: SummaryRow[]; caption: string }) {
  const names = policies(table);
  const lines = rows
    .map((row): Line => {
      const at = { metric: row.metric, subject: row.subject ?? "all", item: row.item ?? "" };
      const values = names.map((policy) => mean(table, { ...at, policy }));
      const unit = table.find((line) => line.metric === row.metric)?.unit ?? "";
      return { row, values, unit };
    })
    .filter(({ values }) => values.some(isKnown));
  const explained = lines.filter(({ row }) => row.help !== undefined);
  const isPair = names.length === 2;
  return (
    <div class="summary-box">
      <Sideways label={caption}>
        <table class="summary">
          <caption>{caption}</caption>
          <thead>
            <tr>
              <th scope="col">Metric</th>
              {names.map((name) => (
                <th scope="col" key={name}>
                  {name}
                </th>
              ))}
              {isPair && (
                <th scope="col">
                  {shortName(names[1] ?? "")} against {shortName(names[0] ?? "")}
                </th>
              )}
            </tr>
          </thead>
          <tbody>
            {lines.map((line) => (
              <tr key={`${line.row.title}${line.row.item}`}>
                <th scope="row" title={line.row.help}>
                  {line.row.title}
                  {unitOfRow(line.unit) !== undefined && <span class="unit">, {unitOfRow(line.unit)}</span>}
                </th>
                {line.values.map((value, place) => (
                  <td key={names[place]} class={value !== undefined && value === best(line) ? "best" : ""}>
                    {shown(line, value)}
                  </td>
                ))}
                {isPair && <td class="difference-cell">{differs(line)}</td>}
              </tr>
            ))}
          </tbody>
        </table>
      </Sideways>
      {explained.length > 0 && (
        <details class="metric-help">
          <summary>What these metrics mean</summary>
          <dl>
            {explained.map(({ row }) => (
              <div key={`${row.title}${row.item}`}>
                <dt>{row.title}</dt>
                <dd>{row.help}</dd>
              </div>
            ))}
          </dl>
        </details>
      )}
    </div>
  );
}
