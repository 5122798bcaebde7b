import type { Identifier, Passage } from './passages.ts';

export interface Finding {
  line: number;
  message: string;
}

/** Words that the glossary has replaced. */
export interface RetiredWords {
  /** Refused in prose and as a part of an identifier. */
  words: string[];
  /** Refused as a whole identifier. */
  identifiers: string[];
}

const mostWords = 20;
const firstWords = /^(?:what(?:ever)?|who(?:m|se|ever)?|which(?:ever)?|of|so|nor|thereby)$/i;
const firstWordsOfPassage = /^(?:it|its|they|their|them)$/i;

/** Reads the third column of the glossary's table. */
export function retiredWords(glossary: string): RetiredWords {
  const rows = [...glossary.matchAll(/^\| \*\*.*\|([^|\n]*)\|$/gm)];
  const retired = rows.flatMap(([, cell = '']) => cell.split(',').map((word) => word.trim()));
  return {
    words: retired.filter((word) => word && !word.startsWith('`')),
    identifiers: retired.filter((word) => word.startsWith('`')).map((word) => word.replaceAll('`', '')),
  };
}

export function findingsInPassage({ line, text }: Passage, retired: RetiredWords): Finding[] {
  const found: Finding[] = [];
  // `npm run codegen` gives SDL to paste, with this in place of each meaning.
  if (text.startsWith('…')) found.push({ line, message: `"…" waits for words: ${start(text)}` });
  for (const [index, sentence] of sentencesOf(text).entries()) {
    const words = sentence.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word));
    const first = words[0]?.replaceAll(/[^\p{L}]/gu, '') ?? '';
    if (words.length > mostWords) {
      found.push({ line, message: `${words.length} words in one sentence, at most ${mostWords}: ${start(sentence)}` });
    }
    const isForbidden = firstWords.test(first) || (index === 0 && firstWordsOfPassage.test(first));
    if (isForbidden && !sentence.endsWith('?')) {
      found.push({ line, message: `a sentence does not begin with "${first}": ${start(sentence)}` });
    }
  }
  const prose = text.replaceAll(/\bin[ -]flight\b/gi, '');
  for (const word of retired.words) {
    if (inflections(word).test(prose)) found.push({ line, message: `"${word}" is retired: ${start(text)}` });
  }
  return found;
}

export function findingsInIdentifier({ line, name }: Identifier, retired: RetiredWords): Finding[] {
  const parts = ` ${name
    .replaceAll(/([a-z\d])([A-Z])/g, '$1 $2')
    .replaceAll('_', ' ')
    .toLowerCase()} `.replace(' in flight ', ' ');
  const word = retired.words.find((retiredWord) => inflections(retiredWord).test(parts));
  if (word) return [{ line, message: `"${word}" is retired: ${name}` }];
  return retired.identifiers.includes(name) ? [{ line, message: `"${name}" is retired` }] : [];
}

const known = new Map<string, RegExp>();
function inflections(word: string): RegExp {
  const pattern = known.get(word) ?? new RegExp(`(?<![\\w-])${word}(?:s|ed|ing)?(?![\\w-])`, 'i');
  known.set(word, pattern);
  return pattern;
}

/** A full stop inside a number, an abbreviation or a name ends no sentence. */
function sentencesOf(text: string): string[] {
  return text
    .replaceAll(/\b(?:e\.g|i\.e|etc|vs|cf)\./g, (short) => short.replaceAll('.', ''))
    .split(/(?<=[.!?…]["')*_]*)\s+(?=["'(*_[]*[\p{Lu}\d])/u)
    .map((sentence) => sentence.trim())
    .filter(Boolean);
}

const start = (text: string) => (text.length > 70 ? `${text.slice(0, 69)}…` : text);
