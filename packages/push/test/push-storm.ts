import { setTimeout as pause } from 'node:timers/promises';
import type { Storm } from '../../../test/mutations/write-storm.ts';
import { paths, type Row } from '../../../test/support/rest-reads.ts';
import { ids, onlyIds, type PushedWrite, pushDocument } from './push.ts';

const document = pushDocument(onlyIds);
const { cooperative, coffee, dollar } = ids;
const premium = 'J7VY4SD9HV';

/** Lists of the service by the writes that add to them. */
export const storedIn = {
  createFarmer: paths.farmers,
  createEntityCard: paths.entityCards,
  createProductTransaction: paths.productTransactions,
  createPaymentTransaction: paths.paymentTransactions,
};
export type StoredRows = Record<keyof typeof storedIn, readonly Row[]>;

/** A write of a push, and all that its client knows of it. */
export interface Pushed {
  name: string;
  endpoint: keyof typeof storedIn;
  /** Ids that answers gave, all of them equal. */
  ids: Set<string>;
  /** Status in the last answer. */
  status: string;
}

interface Result extends Pick<Pushed, 'status'> {
  key: string;
  object: { id: string } | null;
  error: { code: string; retryable: boolean } | null;
}

/** A new farmer with a card, who sells once and is paid a premium. */
function chainOf(name: string, number: number): PushedWrite[] {
  const [farmer, card, purchase] = [`farmer${number}`, `card${number}`, `purchase${number}`];
  const movement = { currency: dollar, invoice_number: name, card: `$${card}` };
  const sale = { ...movement, source: `$${farmer}`, destination: cooperative, product: coffee };
  const paid = { ...movement, source: cooperative, destination: `$${farmer}`, transaction: `$${purchase}`, premium };
  return [
    { key: `${name} 1`, ref: farmer, write: { createFarmer: { first_name: name } } },
    { key: `${name} 2`, ref: card, write: { createEntityCard: { card: { card_id: name }, entity: `$${farmer}` } } },
    { key: `${name} 3`, ref: purchase, write: { createProductTransaction: { ...sale, quantity: '1', amount: '2' } } },
    { key: `${name} 4`, write: { createPaymentTransaction: { ...paid, amount: 1 } } },
  ];
}

/**
 * Sends pushes of up to eight chains over connections that fail, each until its answer is final. Some are sent twice at
 * once, and some clients leave before the answer.
 */
export async function sendPushes({ url, count, concurrency, random, prefix = 'Push' }: Storm): Promise<Pushed[]> {
  const all: Pushed[] = [];
  let next = 0;
  const client = async () => {
    while (next < count) {
      const number = next++;
      const chains = Array.from({ length: Math.ceil(random() * 8) }, (_, chain) =>
        chainOf(`${prefix} ${number}.${chain}`, chain),
      );
      all.push(...(await deliver(chains.flat())));
    }
  };
  await Promise.all(Array.from({ length: concurrency }, client));
  return all;

  async function deliver(writes: readonly PushedWrite[]): Promise<Pushed[]> {
    const known = new Map(writes.map(({ key, write }) => [key, unsent(key, write)]));
    for (;;) {
      const twins = random() < 0.1 ? [ask(writes), ask(writes)] : [ask(writes)];
      for (const results of await Promise.all(twins)) {
        for (const { key, status, object } of results) {
          const pushed = known.get(key)!;
          pushed.status = status;
          if (object) pushed.ids.add(object.id);
        }
        if (results.length > 0 && results.every(isFinal)) return [...known.values()];
      }
      await pause(5 + random() * 50);
    }
  }

  /** No results if the client has left, the gateway has stopped, or the push was refused as a whole. */
  async function ask(writes: readonly PushedWrite[]): Promise<Result[]> {
    const headers = { 'content-type': 'application/json', authorization: 'demo-coop' };
    const body = JSON.stringify({ query: document, variables: { writes } });
    const leaving = random() < 0.2 ? AbortSignal.timeout(Math.ceil(random() * 60)) : undefined;
    try {
      const response = await fetch(url, { method: 'POST', headers, body, ...(leaving && { signal: leaving }) });
      const { data } = (await response.json()) as { data?: { push: Result[] } | null };
      return data?.push ?? [];
    } catch {
      return [];
    }
  }
}

function unsent(key: string, write: PushedWrite['write']): Pushed {
  const [endpoint] = Object.keys(write) as Pushed['endpoint'][];
  return { name: key.slice(0, -2), endpoint: endpoint!, ids: new Set(), status: 'unsent' };
}

const isFinal = ({ status, error }: Result) =>
  status === 'DONE' || status === 'REPLAYED' || status === 'REFUSED' || error?.retryable === false;

/** Sentences about writes that were made twice and about wrong answers; empty if all is right. */
export function wrongPushesIn(pushed: readonly Pushed[], stored: StoredRows): string[] {
  const idsOf = Object.fromEntries(
    Object.entries(stored).map(([endpoint, rows]) => [endpoint, Map.groupBy(rows.filter(isPushed), nameOf)]),
  );
  return pushed.flatMap(({ name, endpoint, ids: shown, status }) => {
    const what = `${endpoint} of ${name}`;
    const found = (idsOf[endpoint]?.get(name) ?? []).map(({ id }) => id);
    if (found.length > 1) return `${what} was made ${found.length} times`;
    const wrong = [...shown].filter((id) => id !== found[0]);
    if (wrong.length > 0) return `${what} was answered with ${wrong}, and is ${found[0] ?? 'not there'}`;
    const isMade = status === 'DONE' || status === 'REPLAYED';
    const isUntrue = status !== 'UNKNOWN' && isMade !== found.length > 0;
    return isUntrue ? `${what} is ${status}, and there are ${found.length}` : [];
  });
}

const nameOf = ({ first_name, card, invoice_number }: Row) => first_name ?? invoice_number ?? card?.card_id;
/** The service makes a payment for each product transaction, with its invoice number. */
const isPushed = ({ premium }: Row) => premium !== null;
