import { useGraphiQL } from '@graphiql/react';
import { useEffect } from 'react';

/** Lines wrap at the edge of an editor, and its gutter is no wider than three digits. */
const narrow = { wordWrap: 'on', lineNumbersMinChars: 3, lineDecorationsWidth: 8, folding: false } as const;

/** GraphiQL's own size has no room for a line of an example in a window of a notebook. */
const font = window.matchMedia('(width < 1400px)').matches ? { fontSize: 13, lineHeight: 18 } : {};

/** Fits the editors into narrow windows. */
export function EditorWidth() {
  const queryEditor = useGraphiQL((state) => state.queryEditor);
  const variableEditor = useGraphiQL((state) => state.variableEditor);
  const responseEditor = useGraphiQL((state) => state.responseEditor);
  useEffect(() => queryEditor?.updateOptions({ ...narrow, ...font }), [queryEditor]);
  useEffect(() => variableEditor?.updateOptions({ ...narrow, ...font }), [variableEditor]);
  useEffect(() => responseEditor?.updateOptions(font), [responseEditor]);
  return null;
}
