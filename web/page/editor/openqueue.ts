/** Colours of OpenQueue. The language server finds mistakes; this knows the shapes of words only. */

import { StreamLanguage } from "@codemirror/language";

const KEYWORDS = new Set(["param", "state", "for", "in", "let", "include", "extern", "action", "true", "false", "if", "else"]);
const TYPES = new Set(["Queue", "Port", "Buffer"]);

export const openqueue = StreamLanguage.define<null>({
  name: "openqueue",
  startState: () => null,
  token(stream) {
    if (stream.eatSpace()) {
      return null;
    }
    if (stream.match("//")) {
      stream.skipToEnd();
      return "comment";
    }
    if (stream.match(/^"[^"]*"?/)) {
      return "string";
    }
    if (stream.match(/^\d[\d_]*(\.\d+)?(e[+-]?\d+)?/i)) {
      return "number";
    }
    const word = stream.match(/^[A-Za-z_]\w*/);
    if (Array.isArray(word)) {
      const text = word[0] ?? "";
      if (KEYWORDS.has(text)) {
        return "keyword";
      }
      return TYPES.has(text) ? "typeName" : "variableName";
    }
    stream.next();
    return "operator";
  },
  languageData: { commentTokens: { line: "//" } },
});
