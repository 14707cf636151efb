/** What the reader of a result must know. */

/** Words between backticks are names of fields or files. */
const withNames = (warning: string) =>
  warning.split("`").map((part, place) => (place % 2 === 1 ? <code key={place}>{part}</code> : part));

export function Warnings({ warnings }: { warnings: string[] }) {
  if (warnings.length === 0) {
    return null;
  }
  return (
    <div class="warnings">
      <h2>Warnings of this run</h2>
      <ul>
        {warnings.map((warning) => (
          <li key={warning}>{withNames(warning)}</li>
        ))}
      </ul>
    </div>
  );
}
