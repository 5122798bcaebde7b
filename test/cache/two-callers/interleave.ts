import { randomUUID } from 'node:crypto';
import { type Caller, lengthOf, markOf } from './marking-service.ts';

/** Two keys, each in two languages: what is forwarded beside the key makes another caller of it. */
export const callers: readonly Caller[] = ['coop', 'buyer'].flatMap((key) =>
  ['en', 'fr'].map((language) => ({ key, language })),
);

export interface Interleaved {
  /** Answers that came whole. */
  answers: number;
  /** Requests whose client left before. */
  left: number;
  /** Answers with errors of a service that is busy now and then. */
  failed: number;
  /** Reads and writes that cost no call, by what saved them. */
  saved: Record<string, number>;
  /** Answers with another caller's mark, without the own mark, of another length, or with a taken key. */
  wrong: string[];
}

const documents = [
  '{ productTransactions(limit: 20) { count results { number product { name } source { name } destination { name } creator { email } } } }',
  '{ products(limit: 20) { count results { name } } currencies(limit: 20) { count results { code } } }',
  '{ cards(limit: 20) { count results { display_id } } }',
  '{ farmers(limit: 5, offset: 10) { count results { first_name number } } }',
  '{ farmers { count } }',
  '{ farmer(id: "F3") { first_name } entity(id: "C1") { name } user(id: "U2") { email } }',
  '{ entity(id: "F7") { name city } productTransaction(id: "T4") { number product { name } } }',
];
const create = 'mutation { createFarmer(input: { first_name: "Same" }) { first_name number } }';
const update = 'mutation { updateUser(id: "U1", input: { first_name: "Same" }) { first_name email } }';
const upload =
  'mutation ($file: Upload!) { uploadInvoice(payment_transaction: "Y1", invoice: $file) { invoice number } }';

/**
 * Sends requests of all callers at once. They share documents, ids, idempotency keys, request ids and connections, and some
 * clients leave before their answer. `random` gives numbers from 0 to 1.
 */
export async function interleave(
  url: string,
  { count, concurrency, random }: { count: number; concurrency: number; random: () => number },
): Promise<Interleaved> {
  const all: Interleaved = { answers: 0, left: 0, failed: 0, saved: {}, wrong: [] };
  const run = randomUUID();
  let next = 0;
  const work = async () => {
    while (next < count) {
      const number = next++;
      const caller = callers[Math.floor(callers.length * random())] as Caller;
      const [write, body] = bodyOf(random);
      // One that both languages of a key use is refused to one of them.
      const language = random() < 0.5 ? caller.language : 'either';
      const key = `${run} ${write} ${Math.floor(number / 40)} ${language}`;
      await send(url, caller, body, { random, all, key });
    }
  };
  await Promise.all(Array.from({ length: concurrency }, work));
  return all;
}

/** With a name for what it writes, if it does. */
function bodyOf(random: () => number): [write: string, body: string | FormData] {
  const choice = random();
  if (choice < 0.08) return ['create', JSON.stringify({ query: create })];
  if (choice < 0.12) return ['update', JSON.stringify({ query: update })];
  if (choice > 0.17) return ['', JSON.stringify({ query: documents[Math.floor(documents.length * random())] })];
  const form = new FormData();
  form.set('operations', JSON.stringify({ query: upload, variables: { file: null } }));
  form.set('map', '{"0":["variables.file"]}');
  form.set('0', new File(['%PDF the same'], 'same.pdf'));
  return ['upload', form];
}

async function send(
  url: string,
  caller: Caller,
  body: string | FormData,
  { random, all, key }: { random: () => number; all: Interleaved; key: string },
): Promise<void> {
  const headers = {
    authorization: caller.key,
    'accept-language': caller.language,
    'x-request-id': 'the-same',
    'apollo-require-preflight': 'true',
    ...(typeof body === 'string' && { 'content-type': 'application/json' }),
    ...(random() < 0.9 && { 'idempotency-key': key }),
    ...(random() < 0.5 && { 'x-trace-upstream': 'true' }),
    ...(random() < 0.1 && { 'cache-control': 'no-cache' }),
  };
  const signal = random() < 0.05 ? AbortSignal.timeout(Math.ceil(8 * random())) : null;
  const text = await fetch(url, { method: 'POST', headers, body, signal }).then(
    (response) => response.text(),
    (error: unknown) => {
      if (!signal?.aborted) throw error;
    },
  );
  if (text === undefined) {
    all.left += 1;
    return;
  }
  all.answers += 1;
  const { data, errors, extensions } = JSON.parse(text);
  // The service marks the texts that it gets.
  if (errors?.some((error: { extensions: { code: string } }) => error.extensions.code !== 'INPUT_NOT_STORED'))
    all.failed += 1;
  for (const { by } of extensions?.upstream?.saved ?? []) all.saved[by] = (all.saved[by] ?? 0) + 1;
  const isOthers = callers.some((other) => other !== caller && text.includes(markOf(other)));
  const isTaken = text.includes('IDEMPOTENCY_CONFLICT') && key.endsWith(caller.language);
  if (!isOwn(data, caller) || isOthers || isTaken) {
    all.wrong.push(`${markOf(caller)} got ${text.slice(0, 500)}`);
  }
}

/** All texts hold the caller's mark, and lists are as long as the caller's. */
function isOwn(value: unknown, caller: Caller): boolean {
  if (typeof value === 'string') return value.startsWith(markOf(caller));
  if (typeof value !== 'object' || value === null) return true;
  return Object.entries(value).every(([name, part]) =>
    name === 'count' ? part === lengthOf(caller) : isOwn(part, caller),
  );
}
