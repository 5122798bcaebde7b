import type { DialectName } from '@gateway/contract';
import { type Document, isSeq, parseDocument } from 'yaml';
import type { Difference } from './read-drift.ts';

/** From the key to the next key of the document, or to its end. */
const section = /^x-dialects:\n(?:(?: .*)?\n)*/m;

/** The text of the contract with further differences of a dialect. All other lines stay as they are. */
export function withDifferences(contract: string, dialect: DialectName, added: readonly Difference[]): string {
  if (added.length === 0) return contract;
  const [text = ''] = section.exec(contract) ?? [];
  const document = parseDocument(text);
  for (const { place, field, word } of added) {
    const path = ['x-dialects', dialect, place, field];
    const all = [...new Set([...wordsAt(document, path), word])].toSorted();
    // Null is no difference. It is a word only for a field of which nothing else is known.
    const words = all.length > 1 ? all.filter((each) => each !== 'null') : all;
    document.setIn(path, words.length > 1 ? document.createNode(words, { flow: true }) : words[0]);
  }
  const written = document.toString({ lineWidth: 0, flowCollectionPadding: false });
  return text ? contract.replace(text, () => written) : `${contract}\n${written}`;
}

function wordsAt(document: Document, path: readonly string[]): string[] {
  const known = document.getIn(path) ?? [];
  return [isSeq(known) ? known.toJSON() : known].flat() as string[];
}
