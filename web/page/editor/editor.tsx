/** A text editor: OpenQueue with its language server, TOML, or text to read. */

import { autocompletion } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { HighlightStyle, StreamLanguage, bracketMatching, syntaxHighlighting } from "@codemirror/language";
import { toml } from "@codemirror/legacy-modes/mode/toml";
import { lintGutter } from "@codemirror/lint";
import { Annotation, EditorState, type Extension } from "@codemirror/state";
import { EditorView, drawSelection, highlightActiveLine, keymap, lineNumbers } from "@codemirror/view";
import { tags } from "@lezer/highlight";
import { useEffect, useRef } from "preact/hooks";
import { openqueue } from "./openqueue";
import { client } from "./server";

/** Colours come from the style sheet, which knows light and dark. */
const colours = HighlightStyle.define([
  { tag: tags.comment, color: "var(--code-comment)" },
  { tag: tags.keyword, color: "var(--code-keyword)" },
  { tag: tags.typeName, color: "var(--code-type)" },
  { tag: [tags.number, tags.bool], color: "var(--code-number)" },
  { tag: tags.string, color: "var(--code-string)" },
  { tag: tags.propertyName, color: "var(--code-keyword)" },
]);

/** Marks a change that the page has made, which it need not hear of. */
const fromPage = Annotation.define<boolean>();

interface EditorProps {
  text: string;
  /** What a screen reader calls it. */
  label: string;
  language: "openqueue" | "toml" | "text";
  /** The name under which the language server knows the text. */
  file?: string;
  onChange?: (text: string) => void;
}

function languageOf({ language, file }: EditorProps): Extension {
  if (language === "openqueue") {
    return [openqueue, file === undefined ? [] : [client().plugin(`file:///${file}`, "openqueue"), lintGutter()]];
  }
  return language === "toml" ? StreamLanguage.define(toml) : [];
}

export function Editor(props: EditorProps) {
  const host = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView>(undefined);
  const changed = useRef(props.onChange);
  changed.current = props.onChange;
  // Texts that the page has been given and has not shown yet. The reader may have typed on since.
  const given = useRef<string[]>([]);
  const height = useRef(0);

  useEffect(() => {
    const isFixed = props.onChange === undefined;
    const extensions = [
      lineNumbers(),
      history(),
      drawSelection(),
      bracketMatching(),
      isFixed ? [] : [highlightActiveLine(), autocompletion()],
      syntaxHighlighting(colours),
      // Tab leaves the editor, as keyboard users need it.
      keymap.of([...defaultKeymap, ...historyKeymap]),
      EditorView.contentAttributes.of({ "aria-label": props.label, spellcheck: "false", tabindex: "0", autocapitalize: "off" }),
      EditorState.readOnly.of(isFixed),
      EditorView.updateListener.of((update) => {
        if (update.docChanged && !update.transactions.some((one) => one.annotation(fromPage))) {
          const text = update.state.doc.toString();
          given.current.push(text);
          changed.current?.(text);
        }
        // A message below has made the editor lower: the line that is being written stays in view.
        const { clientHeight } = update.view.scrollDOM;
        if (update.view.hasFocus && clientHeight < height.current) {
          requestAnimationFrame(() => {
            const { main } = update.view.state.selection;
            update.view.dispatch({ effects: EditorView.scrollIntoView(main.head, { yMargin: 2 }) });
          });
        }
        height.current = clientHeight;
      }),
      languageOf(props),
    ];
    view.current = new EditorView({ doc: props.text, extensions, parent: host.current ?? undefined });
    return () => view.current?.destroy();
    // An editor lives as long as its file; texts from outside are put into it below.
  }, [props.file, props.language, props.label]);

  useEffect(() => {
    const own = given.current.lastIndexOf(props.text);
    if (own >= 0) {
      given.current.splice(0, own + 1);
      return;
    }
    given.current = [];
    const editor = view.current;
    if (editor !== undefined && editor.state.doc.toString() !== props.text) {
      const changes = { from: 0, to: editor.state.doc.length, insert: props.text };
      editor.dispatch({ changes, annotations: fromPage.of(true) });
    }
  }, [props.text]);

  return <div class="editor" ref={host} />;
}
