/** Reads tables as the library writes them: fields are quoted if they need it. */

/** The fields of one line and the next lines, if a quoted field spans them. */
export function rows(text: string): string[][] {
  const all: string[][] = [];
  let row: string[] = [];
  let at = 0;
  while (at < text.length) {
    if (text[at] === '"') {
      let field = "";
      let from = at + 1;
      for (;;) {
        const end = text.indexOf('"', from);
        field += text.slice(from, end < 0 ? text.length : end);
        if (end < 0 || text[end + 1] !== '"') {
          at = end < 0 ? text.length : end + 1;
          break;
        }
        field += '"';
        from = end + 2;
      }
      row.push(field);
    } else {
      let end = at;
      while (end < text.length && text[end] !== "," && text[end] !== "\n") {
        end += 1;
      }
      row.push(text.slice(at, end));
      at = end;
    }
    if (at >= text.length || text[at] === "\n") {
      all.push(row);
      row = [];
    } else if (at === text.length - 1) {
      row.push("");
    }
    at += 1;
  }
  return all;
}

/** Rows as objects by the names in the first line. */
export function records(text: string): Record<string, string>[] {
  const [header = [], ...rest] = rows(text);
  return rest.map((row) => Object.fromEntries(header.map((name, place) => [name, row[place] ?? ""])));
}
