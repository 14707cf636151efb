/** The numbers that matter most, a column for each policy. The better one of each row is set in bold. */

import { percent, withUnit } from "./numbers";
import { mean, policies, type LongRow } from "./long_table";

export interface SummaryRow {
  title: string;
  metric: string;
  subject?: string;
  item?: string;
  /** Whether a lower value is better; undefined: neither is. */
  isLowerBetter?: boolean;
  isShare?: boolean;
}

export function Summary({ table, rows, caption }: { table: LongRow[]; rows: SummaryRow[]; caption: string }) {
  const names = policies(table);
  const lines = rows
    .map((row) => {
      const at = { metric: row.metric, subject: row.subject ?? "all", item: row.item ?? "" };
      const values = names.map((policy) => mean(table, { ...at, policy }));
      const unit = table.find((line) => line.metric === row.metric)?.unit ?? "";
      return { row, values, unit };
    })
    .filter(({ values }) => values.some((value) => value !== undefined && Number.isFinite(value)));
  const best = ({ row, values }: (typeof lines)[number]): number | undefined => {
    const known = values.filter((value): value is number => value !== undefined && Number.isFinite(value));
    if (row.isLowerBetter === undefined || new Set(known).size < 2) {
      return undefined;
    }
    return row.isLowerBetter ? Math.min(...known) : Math.max(...known);
  };
  return (
    <div class="scrolls" tabIndex={0} role="region" aria-label={caption}>
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
          </tr>
        </thead>
        <tbody>
          {lines.map((line) => (
            <tr key={`${line.row.title}${line.row.item}`}>
              <th scope="row">{line.row.title}</th>
              {line.values.map((value, place) => (
                <td key={names[place]} class={value !== undefined && value === best(line) ? "best" : ""}>
                  {value === undefined || !Number.isFinite(value) ? "–" : line.row.isShare ? percent(value) : withUnit(value, line.unit)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
