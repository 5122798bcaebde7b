import { randomUUID } from 'node:crypto';
import { bearerOf, unsigned } from '../../support/tokens.ts';
import { callers, type TokenCaller, type TokenService } from './token-service.ts';

export interface InterleavedTokens {
  answers: number;
  /** Answers with errors of a service that is busy now and then, or has ended the session. */
  failed: number;
  /** Answers to strangers. */
  refused: number;
  refreshes: number;
  /** Reads and writes that cost no call, by what saved them. */
  saved: Record<string, number>;
  /** Descriptions of answers and of POSTs that must not be. */
  wrong: string[];
}

const reads = [
  '{ cards(limit: 5) { count results { display_id } } }',
  '{ cards { count } products(limit: 20) { results { name } } currencies(limit: 20) { results { code } } }',
  '{ farmers(limit: 5) { results { first_name } } }',
  '{ farmer(id: "F3") { first_name } company(id: "C1") { name } }',
  '{ me { email } activeCompany { name } }',
];
const write =
  'mutation ($card: String!) { createEntityCard(input: { card: { card_id: $card }, entity: "F1" }) { id card { card_id } } }';

/** A write that some requests send, each under the same key. */
interface Action {
  key: string;
  /** The ids that answers have shown. */
  ids: Set<string>;
}

interface Session {
  caller: TokenCaller;
  token: string;
  /** Earlier tokens that are good still. */
  earlier: string[];
  actions: Action[];
  /** Writes that were answered. */
  cards: number;
}

/**
 * Sends requests of eight callers at once, whose tokens change and sometimes end. Requests of strangers are among them, with tokens
 * of the same claims that nobody has signed. `random` gives numbers from 0 to 1.
 */
export async function interleaveTokens(
  url: string,
  service: TokenService,
  { count, concurrency, random }: { count: number; concurrency: number; random: () => number },
): Promise<InterleavedTokens> {
  const all: InterleavedTokens = { answers: 0, failed: 0, refused: 0, refreshes: 0, saved: {}, wrong: [] };
  const pick = <T>(items: readonly T[]) => items[Math.floor(items.length * random())] as T;
  const sessions = callers.map(
    (caller): Session => ({ caller, token: service.tokenOf(caller), earlier: [], actions: [], cards: 0 }),
  );
  let left = count;
  const work = async () => {
    while (left-- > 0) {
      const session = pick(sessions);
      if (random() < 0.1) refresh(session);
      const choice = random();
      if (choice < 0.1) await stranger(session);
      else if (choice < 0.35) await writeAs(session);
      else await readAs(session);
    }
  };
  await Promise.all(Array.from({ length: concurrency }, work));
  for (const { caller, actions } of sessions) {
    for (const { key, ids } of actions) {
      const posts = service.posts.filter((post) => post === caller.mark + key).length;
      if (posts > 1 || ids.size > 1 || ids.size > posts)
        all.wrong.push(`${posts} POSTs, answers ${[...ids]} for ${key}`);
    }
  }
  return all;

  function refresh(session: Session): void {
    all.refreshes += 1;
    session.earlier.push(session.token);
    session.token = service.tokenOf(session.caller);
    if (random() < 0.1) for (const token of session.earlier.splice(0)) service.revoke(token);
  }

  async function readAs(session: Session): Promise<void> {
    const { caller, cards } = session;
    // An earlier token may end while the request is under way.
    const token = random() < 0.9 ? session.token : pick([...session.earlier, session.token]);
    const isLatest = token === session.token;
    const { data, codes, text } = await send(token, { query: pick(reads) });
    if (codes.includes('UNAUTHENTICATED') && isLatest && token === session.token)
      all.wrong.push(`${caller.mark} was refused`);
    if (!isOwn(data, caller.mark)) all.wrong.push(`${caller.mark} got ${text.slice(0, 300)}`);
    if (data?.cards && data.cards.count < cards)
      all.wrong.push(`${caller.mark} read ${data.cards.count} cards after ${cards}`);
  }

  async function writeAs(session: Session): Promise<void> {
    const { caller, token } = session;
    let action = random() < 0.6 ? pick(session.actions) : undefined;
    if (!action) {
      // Callers share their keys.
      const key = random() < 0.5 ? `key ${Math.floor(40 * random())}` : randomUUID();
      action = session.actions.find((other) => other.key === key) ?? { key, ids: new Set() };
      if (!session.actions.includes(action)) session.actions.push(action);
    }
    const { data, text, codes } = await send(token, { query: write, variables: { card: action.key } }, action.key);
    if (codes.includes('UNAUTHENTICATED') && token === session.token) all.wrong.push(`${caller.mark} was refused`);
    const made = data?.createEntityCard;
    if (!made) return;
    action.ids.add(made.id);
    if (made.card.card_id !== caller.mark + action.key) all.wrong.push(`${caller.mark} wrote ${text.slice(0, 300)}`);
    session.cards = session.actions.filter(({ ids }) => ids.size > 0).length;
  }

  async function stranger({ caller, actions }: Session): Promise<void> {
    const { user, company, memberType } = caller;
    const options = { memberType };
    const token = pick([
      () => bearerOf({ user, company }, { ...options, secret: 'made up' }),
      () => bearerOf({ user, company }, { ...options, claims: { exp: 1_000_000_000 } }),
      () => unsigned(service.tokenOf(caller)),
      () => `Bearer ${randomUUID()}`,
    ])();
    const key = pick(actions)?.key ?? 'key 1';
    const body = random() < 0.5 ? { query: pick(reads) } : { query: write, variables: { card: key } };
    const { text, codes } = await send(token, body, key);
    all.refused += 1;
    if (codes.length > 0) all.failed -= 1;
    else all.wrong.push(`A stranger got ${text.slice(0, 300)}`);
    if (callers.some(({ mark }) => text.includes(mark))) all.wrong.push(`A stranger got ${text.slice(0, 300)}`);
  }

  async function send(authorization: string, body: object, key?: string) {
    const headers = {
      authorization,
      'content-type': 'application/json',
      'x-trace-upstream': 'true',
      ...(key && { 'idempotency-key': key }),
    };
    const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
    const text = await response.text();
    const { data, errors = [], extensions } = JSON.parse(text);
    const codes: string[] = errors.map(({ extensions }: { extensions: { code: string } }) => extensions.code);
    all.answers += 1;
    if (codes.some((code) => code !== 'INPUT_NOT_STORED')) all.failed += 1;
    for (const { by } of extensions?.upstream?.saved ?? []) all.saved[by] = (all.saved[by] ?? 0) + 1;
    return { data, codes, text };
  }
}

function isOwn(value: unknown, mark: string): boolean {
  if (typeof value === 'string') return value.startsWith(mark);
  return typeof value !== 'object' || value === null || Object.values(value).every((part) => isOwn(part, mark));
}
