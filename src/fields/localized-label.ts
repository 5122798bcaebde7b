import { madeOnce } from '@gateway/base';
import { LRUCache } from 'lru-cache';
import Negotiator from 'negotiator';

/** Languages that fields of forms have labels in. */
const labels = [
  ['en-US', 'label_en_us'],
  ['en-GB', 'label_en_uk'],
  ['fr', 'label_fr'],
  ['nl', 'label_nl'],
  ['id', 'label_ind'],
] as const;

type Label = (typeof labels)[number][1];

const tags = labels.map(([tag]) => tag);
const labelIn = new Map<string, Label>(labels);

/** Tags of the service for languages that have another tag. */
const otherTags: [RegExp, string][] = [
  [/\ben-uk\b/gi, 'en-GB'],
  [/\b(in|ind)\b/gi, 'id'],
];

export type Labelled = { readonly [label in Label | 'label']?: string | null };

/** An app asks for few languages, in each row of its lists. */
const preferred = new LRUCache<string, Label[]>({ max: 100 });

/**
 * The first label of the field: in the languages of `accepted`, in English, or in any language. `accepted` has the form of
 * an Accept-Language header.
 */
export function localizedLabel(field: Labelled, accepted = ''): string | null {
  const keys = [...labelsBy(accepted), 'label_en_us', 'label_en_uk', 'label', ...labelIn.values()] as const;
  return keys.map((key) => field[key]).find(Boolean) ?? null;
}

function labelsBy(accepted: string): Label[] {
  return accepted === '' ? [] : madeOnce(preferred, accepted, negotiated);
}

function negotiated(accepted: string): Label[] {
  const header = otherTags.reduce((text, [tag, known]) => text.replace(tag, known), accepted);
  const best = new Negotiator({ headers: { 'accept-language': header } }).languages(tags);
  return best.flatMap((tag) => labelIn.get(tag) ?? []);
}
