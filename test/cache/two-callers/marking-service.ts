import { setTimeout as pause } from 'node:timers/promises';
import { type FakeRequest, type FakeUpstream, startFakeUpstream } from '../../support/fake-upstream.ts';

/** A caller as the service sees it. */
export interface Caller {
  key: string;
  /** Value of a forwarded header. */
  language: string;
}

/** Text that stands in all texts of all answers to a caller, and in no other answer. */
export const markOf = ({ key, language }: Caller): string => `mark:${key}:${language}:`;

/** Length of all lists of a caller; it differs between callers. */
export const lengthOf = (caller: Caller): number =>
  20 + ([...markOf(caller)].reduce((sum, letter) => sum * 7 + letter.charCodeAt(0), 0) % 61);

/**
 * Starts a service whose ids are the same for all callers, and nothing else. It answers late, in no order, and fails now
 * and then. `random` gives numbers from 0 to 1.
 */
export function startMarkingService(random: () => number): Promise<FakeUpstream> {
  return startFakeUpstream({
    async respond(request) {
      await pause(6 * random());
      if (request.method === 'GET' && random() < 0.03) return { status: 503, body: '{"detail":"Not now."}' };
      const answer = answerTo(request);
      return answer ? { body: JSON.stringify(answer) } : { status: 404, body: '{"detail":"Not here."}' };
    },
  });
}

/** Ids begin with the letter of their kind. */
const kinds: Record<string, string> = {
  farmers: 'F',
  companies: 'C',
  users: 'U',
  products: 'P',
  currencies: 'M',
  'connect-cards': 'K',
  'product-transactions': 'T',
  'payment-transactions': 'Y',
};

function answerTo({ method, path, headers }: FakeRequest): object | undefined {
  const caller = { key: headers.authorization ?? '', language: headers['accept-language'] ?? '' };
  const { pathname, searchParams } = new URL(path, 'http://service');
  const [, , kind = '', id = ''] = pathname.split('/');
  const letter = kinds[kind] ?? '?';
  if (id !== '') return id.startsWith(letter) ? rowOf(id, caller) : undefined;
  if (method === 'POST') return rowOf(`${letter}new`, caller);
  const [limit, offset] = [Number(searchParams.get('limit')), Number(searchParams.get('offset'))];
  const count = lengthOf(caller);
  const rows = Math.max(0, Math.min(limit, count - offset));
  const results = Array.from({ length: rows }, (_, index) => rowOf(`${letter}${offset + index}`, caller));
  return { count, next: null, previous: null, results };
}

function rowOf(id: string, caller: Caller): object {
  const text = markOf(caller) + id;
  const texts = ['first_name', 'last_name', 'name', 'number', 'email', 'code', 'display_id', 'invoice', 'city'];
  const n = Number(id.slice(1)) || 0;
  return {
    id,
    ...Object.fromEntries(texts.map((name) => [name, text])),
    creator: `U${n % 5}`,
    product: `P${n % 7}`,
    source: `F${n % 11}`,
    destination: `C${n % 3}`,
    buyer: null,
  };
}
