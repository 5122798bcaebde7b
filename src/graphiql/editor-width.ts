import { useGraphiQL } from '@graphiql/react';
import { useEffect } from 'react';

/** Lines wrap at the edge of an editor, and its gutter is no wider than three digits. */
const narrow = { wordWrap: 'on', lineNumbersMinChars: 3, lineDecorationsWidth: 8, folding: false } as const;

/** Fits the editors of operations and variables into narrow windows. */
export function EditorWidth() {
  const queryEditor = useGraphiQL((state) => state.queryEditor);
  const variableEditor = useGraphiQL((state) => state.variableEditor);
  useEffect(() => queryEditor?.updateOptions(narrow), [queryEditor]);
  useEffect(() => variableEditor?.updateOptions(narrow), [variableEditor]);
  return null;
}
