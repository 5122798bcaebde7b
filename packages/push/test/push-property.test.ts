import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { flatCosts } from '../../../test/support/cost-profiles.ts';
import type { FakeRequest, Reply } from '../../../test/support/fake-upstream.ts';
import { type FakedGateway, startFakedGateway } from '../../../test/support/harness.ts';
import { paths, type Row, readRest, readRows, unknownId } from '../../../test/support/rest-reads.ts';
import { ids, type PushedWrite, pushDocument } from './push.ts';

// PROPERTY_RUNS sets the number of graphs, PROPERTY_SEED chooses them.
const seed = Number(process.env.PROPERTY_SEED ?? 20260701);
const document = pushDocument(`
  ... on Farmer { id } ... on Company { id } ... on CompanyMember { id user { id } } ... on User { id }
  ... on EntityCard { id card { id } } ... on Premium { id } ... on Form { id }
  ... on ProductTransaction { id } ... on PaymentTransaction { id }`);

interface Result {
  status: string;
  code?: string;
  /** The abstract id of the object. */
  made?: string;
}

/** A write before its ids are known. A ref is a number, such as `$3`, and an id the tag of its object, such as `@T1_3_`. */
interface AbstractWrite {
  number: number;
  key: string;
  /** The text that the service stores, which no other input has. */
  tag: string;
  kind: keyof typeof kinds;
  id?: string;
  input: Record<string, unknown>;
  bad: 'no' | 'bounds' | 'service';
}

interface Kind {
  makes: string;
  /** An update, of an object that exists. */
  of?: string;
  input(tag: string): Record<string, unknown>;
  /** Places of ids, and the kinds that they take. A name in brackets is a list. */
  takes: Record<string, string>;
}

const { cooperative, farmer, coffee, dollar } = ids;
const kinds = {
  createFarmer: {
    makes: 'Farmer',
    input: (tag) => ({ first_name: tag, province: 'Ashanti', country: 'Ghana' }),
    takes: { buyer: 'Company', creator: 'User' },
  },
  createCompany: {
    makes: 'Company',
    input: (tag) => ({ name: tag }),
    takes: { buyer: 'Company', creator: 'User' },
  },
  updateCompany: {
    makes: 'update',
    of: 'Company',
    input: (tag) => ({ description: tag }),
    takes: { buyer: 'Company' },
  },
  createCompanyMember: {
    makes: 'User',
    input: (tag) => ({ user: { first_name: tag } }),
    takes: { company: 'Company', creator: 'User' },
  },
  updateUser: { makes: 'update', of: 'User', input: (tag) => ({ address: tag }), takes: {} },
  createEntityCard: {
    makes: 'Card',
    input: (tag) => ({ card: { card_id: tag }, entity: farmer }),
    takes: { entity: 'Farmer Company' },
  },
  createPremium: { makes: 'Premium', input: (tag) => ({ name: tag }), takes: { owner: 'Company' } },
  createForm: {
    makes: 'Form',
    input: (tag) => ({ fields: [{ label: tag }], owner: cooperative }),
    takes: { owner: 'Company', creator: 'User' },
  },
  createProductTransaction: {
    makes: 'ProductTransaction',
    input: (tag) => ({
      ...{ source: farmer, destination: cooperative, product: coffee, currency: dollar },
      ...{ amount: '1', quantity: '1', invoice_number: tag },
    }),
    takes: { source: 'Farmer', card: 'Card', parents: '[ProductTransaction]' },
  },
  createPaymentTransaction: {
    makes: 'PaymentTransaction',
    input: (tag) => ({
      ...{ source: cooperative, destination: farmer, premium: 'J7VY4SD9HV', currency: dollar },
      ...{ amount: 1, invoice_number: tag },
    }),
    takes: { destination: 'Farmer', transaction: 'ProductTransaction', card: 'Card' },
  },
} satisfies Record<string, Kind>;
const names = Object.keys(kinds) as (keyof typeof kinds)[];
const kindOf = ({ kind }: Pick<AbstractWrite, 'kind'>): Kind => kinds[kind];

/** Numbers from which a write is made. */
const drawnWrite = fc.record({
  kind: fc.oneof({ weight: 3, arbitrary: fc.nat(names.length - 1) }, fc.constant(names.indexOf('updateCompany'))),
  refs: fc.array(fc.nat(30), { minLength: 4, maxLength: 4 }),
  bad: fc.nat(9),
});
const drawnGraph = fc.array(drawnWrite, { minLength: 1, maxLength: 14 });
type DrawnWrite = typeof drawnWrite extends fc.Arbitrary<infer Drawn> ? Drawn : never;

/** Two updates of one object, of which the earlier cannot be made. The later is made at most by a push of its own. */
const blockedUpdate: DrawnWrite[] = [
  { kind: names.indexOf('createCompany'), refs: [0, 0, 0, 0], bad: 1 },
  { kind: names.indexOf('updateCompany'), refs: [1, 0, 0, 0], bad: 9 },
  { kind: names.indexOf('updateCompany'), refs: [0, 0, 0, 0], bad: 9 },
];
const wholePush: DrawnPush = { without: 0, byIds: false, changed: 40, twice: 40 };
const examples: [DrawnWrite[], DrawnPush[]][] = [
  [blockedUpdate, [wholePush]],
  [blockedUpdate, [{ ...wholePush, without: 0b011 }, wholePush]],
];

let runs = 0;

/** The writes of one run. Their refs name earlier writes, now and then the wrong way. */
function graphOf(drawn: readonly DrawnWrite[], existing: Record<string, string>): AbstractWrite[] {
  const run = ++runs;
  const writes: AbstractWrite[] = [];
  for (const [number, { kind: name, refs, bad }] of drawn.entries()) {
    const kind = names[name]!;
    const { of, input, takes }: Kind = kinds[kind];
    const tag = `T${run}_${number}_`;
    const write: AbstractWrite = { number, key: `K${run}_${number}`, tag, kind, input: input(tag), bad: 'no' };
    const refTo = (types: string, choice: number) => {
      const found = writes.filter((other) => types.split(/\W/).includes(kindOf(other).makes));
      return choice % 3 === 0 ? undefined : found[choice % (found.length || 1)];
    };
    if (of !== undefined) {
      const other = refTo(of, refs[3]!);
      write.id = other ? `$${other.number}` : existing[of]!;
    }
    for (const [index, [place, types]] of Object.entries(takes).entries()) {
      const other = refTo(types, refs[index]!);
      if (other) write.input[place] = types.startsWith('[') ? [`$${other.number}`] : `$${other.number}`;
    }
    if (bad === 0) spoil(write, 'bounds');
    if (bad === 1) spoil(write, 'service');
    writes.push(write);
  }
  return writes;
}

function spoil(write: AbstractWrite, bad: 'bounds' | 'service'): void {
  const hasText = !['createEntityCard', 'createForm', 'createCompanyMember'].includes(write.kind);
  if (bad === 'bounds' && hasText) {
    const [field] = Object.entries(write.input).find(([, value]) => value === write.tag)!;
    write.input[field] = write.tag.repeat(600);
    write.bad = bad;
  }
  if (bad === 'service') {
    if (write.id === undefined) write.input.creator = unknownId;
    else write.id = unknownId;
    write.bad = bad;
  }
}

/** A copy in which `map` has replaced every text. */
function mapTexts<Value>(value: Value, map: (text: string) => string): Value {
  return JSON.parse(JSON.stringify(value), (_key, part) => (typeof part === 'string' ? map(part) : part));
}

const textsIn = (value: unknown): string[] => JSON.stringify(value).match(/(?<=")[$@][\dT_x]+(?=")/g) ?? [];

/** The writes in the order of the list, one after the other. Knows nothing of chains and HTTP. */
class Reference {
  readonly #records = new Map<string, { content: string; result: Result }>();
  /** Requests that change something, by tag. */
  readonly sent = new Map<string, number>();
  /** The last update of each object by its abstract id. */
  readonly states = new Map<string, string>();

  madeBy(key: string): string | undefined {
    return this.#records.get(key)?.result.made;
  }

  /** Undefined where the whole push is refused. */
  push(writes: readonly AbstractWrite[]): Result[] | undefined {
    const refs = new Set<string>();
    for (const { number, id, input } of writes) {
      if (textsIn([id, input]).some((text) => text.startsWith('$') && !refs.has(text))) return undefined;
      if (refs.has(`$${number}`)) return undefined;
      refs.add(`$${number}`);
    }
    const results: Result[] = [];
    const byRef = new Map<string, Result>();
    for (const [index, write] of writes.entries()) {
      const earlier = writes.slice(0, index).flatMap((other, at) => (isOfOneObject(other, write) ? results[at]! : []));
      const result = this.#make(write, byRef, earlier);
      byRef.set(`$${write.number}`, result);
      results.push(result);
    }
    return results;
  }

  #make({ key, kind, id, input, tag, bad }: AbstractWrite, byRef: Map<string, Result>, earlier: Result[]): Result {
    if (bad === 'bounds') return { status: 'REFUSED', code: 'BAD_USER_INPUT' };
    const failed = textsIn([id, input]).flatMap((text) => {
      const need = byRef.get(text);
      return need && need.made === undefined ? need : [];
    });
    if (failed[0]) return { ...failed[0], status: 'NOT_TRIED' };
    const resolved = mapTexts({ id, input }, (text) => byRef.get(text)?.made ?? text);
    const content = JSON.stringify([kind, resolved]);
    const record = this.#records.get(key);
    if (record && record.content !== content) return { status: 'REFUSED', code: 'IDEMPOTENCY_CONFLICT' };
    if (record) return record.result.made ? { ...record.result, status: 'REPLAYED' } : record.result;
    const waiting = earlier.find(({ status }) => status === 'NOT_TRIED');
    if (waiting) return waiting;
    this.sent.set(tag, (this.sent.get(tag) ?? 0) + 1);
    const result: Result =
      bad === 'service'
        ? { status: 'REFUSED', code: id === undefined ? 'BAD_USER_INPUT' : 'NOT_FOUND' }
        : { status: 'DONE', made: resolved.id ?? `@${tag}` };
    this.#records.set(key, { content, result });
    if (result.made && resolved.id !== undefined) this.states.set(resolved.id, tag);
    return result;
  }
}

/** Updates of one object, or cards of one holder. */
function isOfOneObject(one: AbstractWrite, other: AbstractWrite): boolean {
  if (one.kind !== other.kind) return false;
  return one.id === undefined
    ? one.kind === 'createEntityCard' && one.input.entity === other.input.entity
    : one.id === other.id;
}

const tagIn = (body: string) => /T\d+_\d+_x?/.exec(body)?.[0] ?? 'none';

/** Everything that the service got and stored, by tag. Knows nothing of the gateway's answers. */
class Ledger {
  readonly #gateway: FakedGateway;
  readonly posts = new Map<string, number>();
  readonly stored = new Map<string, number>();
  readonly bodies = new Map<string, Row>();
  /** Ids of objects, and of the card or the user inside them, by abstract id. */
  readonly ids = new Map<string, string>();
  readonly inner = new Map<string, string>();

  constructor(gateway: FakedGateway) {
    this.#gateway = gateway;
  }

  /** Sends a write to the sandbox, and notes what it has stored. */
  async pass({ method, path, body, headers }: FakeRequest): Promise<Reply> {
    const tag = this.drop({ body });
    const { authorization = '' } = headers;
    const sent = { method, body, headers: { authorization, 'content-type': 'application/json' } };
    const response = await fetch(this.#gateway.sandbox.url + path, sent);
    const text = await response.text();
    if (response.ok) {
      const answer = dataOf(JSON.parse(text));
      add(this.stored, tag);
      this.ids.set(`@${tag}`, answer.id);
      const { card, user } = answer;
      if (path === paths.entityCards) this.inner.set(`@${tag}`, card.id);
      else if (user?.id) this.inner.set(`@${tag}`, user.id);
    }
    return { status: response.status, body: text };
  }

  /** Notes a write that does not reach the service's store. */
  drop({ body }: Pick<FakeRequest, 'body'>): string {
    const tag = tagIn(body);
    add(this.posts, tag);
    this.bodies.set(tag, JSON.parse(body));
    return tag;
  }

  /** The id that stands for an object where a later input names it. */
  actual = (text: string): string => this.inner.get(text) ?? this.ids.get(text) ?? text;
}

function add(counts: Map<string, number>, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1);
}

function toSent({ number, key, kind, id, input }: AbstractWrite, ledger: Ledger): PushedWrite {
  const named = (text: string) => (text.startsWith('$') ? `$w${text.slice(1)}` : ledger.actual(text));
  const value = mapTexts(id === undefined ? input : { id, input }, named);
  return { key, ref: `w${number}`, write: { [kind]: value } };
}

/** A push of some writes of a graph. */
const drawnPush = fc.record({
  /** Bits of the writes that are left out. */
  without: fc.oneof(fc.constant(0), fc.nat(0xffff)),
  /** Ids stand in place of the refs of writes that have been made. */
  byIds: fc.boolean(),
  /** The write that has another input under its key, if there is one of that number. */
  changed: fc.nat(40),
  /** The write that comes twice. */
  twice: fc.nat(150),
});
type DrawnPush = typeof drawnPush extends fc.Arbitrary<infer Drawn> ? Drawn : never;

function pushOf(graph: readonly AbstractWrite[], drawn: DrawnPush, madeBy: (key: string) => string | undefined) {
  const { without, byIds, changed, twice } = drawn;
  const some = graph.filter(({ number }) => (without & (1 << number)) === 0);
  const included = new Set(some.map(({ number }) => `$${number}`));
  const named = (text: string) => {
    if (!/^\$\d+$/.test(text) || (included.has(text) && !byIds)) return text;
    const made = madeBy(graph[Number(text.slice(1))]!.key);
    return made ?? text;
  };
  const writes = some.map((write): AbstractWrite => {
    const copy = { ...write, ...mapTexts({ input: write.input, ...(write.id && { id: write.id }) }, named) };
    if (changed !== write.number || write.bad === 'bounds') return copy;
    const tag = `${write.tag}x`;
    return { ...copy, tag, input: mapTexts(copy.input, (text) => (text === write.tag ? tag : text)) };
  });
  return [...writes, ...writes.filter(({ number }) => number === twice)];
}

type Dialect = 'spec' | 'connect';
/** A caller of both dialects. */
const key = 'Bearer demo-coop';
/** The data of an answer, which a connect service puts into an envelope. */
const dataOf = (answer: Row): Row => (answer.success === undefined ? answer : answer.data);
const passed: Respond = (request, ledger) => ledger.pass(request);

type Respond = (request: FakeRequest, ledger: Ledger) => Promise<Reply | undefined>;

interface Trial extends AsyncDisposable {
  ledger: Ledger;
  /** Ids of objects that updates may name. */
  existing: Record<string, string>;
  send(writes: readonly AbstractWrite[]): Promise<{ results: Row[] | undefined; errors: Row[] }>;
  gateway: FakedGateway;
}

/** Starts a gateway, whose writes `respond` answers. */
async function startTrial(respond: Respond, dialect: Dialect = 'spec'): Promise<Trial> {
  // Calls that hang end soon. Elsewhere a busy machine must not end a call.
  const writeMs = respond === passed ? '20000' : '150';
  const gateway = await startFakedGateway(
    { 'upstream.timeouts.writeMs': writeMs },
    { costs: { ...flatCosts, parallelism: 4 }, sandbox: { dialect } },
  );
  const ledger = new Ledger(gateway);
  const { creator } = dataOf(await readRest(gateway, `${paths.farmers}${farmer}/`, key));
  gateway.upstream.respond = (request) => (request.method === 'GET' ? undefined : respond(request, ledger));
  return {
    ledger,
    gateway,
    existing: { Company: cooperative, User: creator },
    async send(writes) {
      const { data, errors } = await gateway.query(
        document,
        { writes: writes.map((write) => toSent(write, ledger)) },
        { key },
      );
      return { results: data?.push, errors };
    },
    [Symbol.asyncDispose]: () => gateway.close(),
  };
}

describe('a push of a random graph of writes', () => {
  const numRuns = Number(process.env.PROPERTY_RUNS ?? 20);
  const timeout = 120_000 + 200 * numRuns;

  test('has the results of the same writes one after the other', { timeout }, async () => {
    await using trial = await startTrial(passed);
    const { ledger, existing, send, gateway } = trial;
    const reference = new Reference();
    const property = fc.asyncProperty(
      drawnGraph,
      fc.array(drawnPush, { minLength: 1, maxLength: 4 }),
      async (...drawn) => {
        const graph = graphOf(drawn[0], existing);
        for (const each of drawn[1]) {
          const writes = pushOf(graph, each, (key) => reference.madeBy(key));
          const expected = reference.push(writes);
          const { results, errors } = await send(writes);
          expect(errors.map(({ extensions }) => extensions.code)).toEqual(expected ? [] : ['BAD_USER_INPUT']);
          const shown = results?.map(({ status, object, error }) => ({ status, id: object?.id, code: error?.code }));
          expect(shown).toEqual(expected?.map((result, index) => withId(result, writes[index]!, ledger)));
          for (const { tag } of writes) expect(ledger.posts.get(tag)).toBe(reference.sent.get(tag));
        }
      },
    );
    await fc.assert(property, { ...options(numRuns), examples });
    await expectStored(gateway, ledger);
    for (const [id, tag] of reference.states) {
      const list = ledger.bodies.get(tag)?.address === undefined ? paths.companies : paths.users;
      const { address, description } = await readRest(gateway, `${list}${ledger.actual(id)}/`);
      expect([address, description]).toContain(tag);
    }
  });

  test.each<Dialect>(['spec', 'connect'])(
    'makes each write once at most while a %s service fails, and says nothing untrue',
    { timeout },
    async (dialect) => {
      let faultOf: (tag: string, attempt: number) => Fault = () => 'none';
      const respond: Respond = async (request, ledger) => {
        const tag = tagIn(request.body);
        const fault = faultOf(tag, ledger.posts.get(tag) ?? 0);
        const isStored = fault === 'none' || fault.endsWith('after');
        if (!isStored) ledger.drop(request);
        const answer = isStored ? await ledger.pass(request) : undefined;
        return fault === 'none' ? answer : replies[fault];
      };
      await using trial = await startTrial(respond, dialect);
      const { ledger, existing, send, gateway } = trial;
      const seen = new Set<string>();
      const drawnFaults = fc.array(fc.constantFrom(...faults), { minLength: 10, maxLength: 30 });
      const property = fc.asyncProperty(drawnGraph, drawnFaults, async (drawn, chosen) => {
        const writes = graphOf(drawn, existing);
        faultOf = (tag, attempt) => {
          const number = writes.findIndex((write) => write.tag === tag);
          return attempt > 2 ? 'none' : (chosen[(number + 7 * attempt) % chosen.length] ?? 'none');
        };
        let last = '';
        for (let pushes = 0; pushes < 20; pushes++) {
          const { results } = await send(writes);
          for (const [index, result] of results!.entries()) {
            expectTrue(result, writes[index]!, ledger);
            seen.add(result.status);
          }
          // A replay of what has just been made is no change.
          const now = JSON.stringify(results).replaceAll('"DONE"', '"REPLAYED"');
          const isOver = results!.every(
            ({ status, error }) => !['NOT_TRIED', 'UNKNOWN'].includes(status) || codesForGood.has(error.code),
          );
          if (isOver && now === last) return;
          last = now;
        }
        expect.unreachable('The results still change.');
      });
      await fc.assert(property, options(numRuns));
      expect([...seen].sort()).toEqual(['DONE', 'NOT_TRIED', 'REFUSED', 'REPLAYED', 'UNKNOWN']);
      await expectStored(gateway, ledger);
    },
  );
});

const options = (numRuns: number) => ({
  ...{ seed, numRuns, markInterruptAsFailure: true },
  // fast-check shrinks a failure for a minute, then reports it.
  interruptAfterTimeLimit: 60_000 + 200 * numRuns,
});

/** The result with the object's id, as an answer shows it. */
function withId({ status, code, made }: Result, { id }: AbstractWrite, { ids, actual }: Ledger) {
  return { status, code, id: made && (id === undefined ? ids.get(made) : actual(made)) };
}

/** Codes of writes that no further push makes. */
const codesForGood = new Set(['OUTCOME_UNKNOWN', 'UPSTREAM_INVALID_RESPONSE', 'BAD_USER_INPUT', 'NOT_FOUND']);

/** Faults by whether the service has stored the write before. */
const replies = {
  'an error before': { status: 500 },
  'an error after': { status: 500 },
  'a bad gateway after': { status: 502 },
  'unavailable before': { status: 503, headers: { 'retry-after': '0' } },
  'too many before': { status: 429, headers: { 'retry-after': '0' } },
  'signed out before': { status: 401 },
  'a reset before': { breaks: true },
  'a reset after': { breaks: true },
  'no answer before': { stalls: true },
  'no answer after': { stalls: true },
  'no JSON after': { status: 201, body: '<h1>' },
} satisfies Record<string, Reply>;
type Fault = keyof typeof replies | 'none';
const often = Array.from({ length: 12 }, (): Fault => 'none');
const faults: Fault[] = [...often, ...(Object.keys(replies) as Fault[])];

/** The result of a write agrees with what the service has stored until now. */
function expectTrue({ status, object, error }: Row, { tag, id }: AbstractWrite, ledger: Ledger): void {
  const claim = `${tag} ${status} ${error?.code}`;
  const stored = ledger.stored.get(tag) ?? 0;
  if (status === 'DONE' || status === 'REPLAYED') {
    expect([claim, stored]).toEqual([claim, 1]);
    if (id === undefined) expect(object.id).toBe(ledger.ids.get(`@${tag}`));
  } else if (status === 'UNKNOWN') expect(stored, claim).toBeLessThanOrEqual(1);
  else expect([claim, stored]).toEqual([claim, 0]);
}

/** The lists of the service show what the ledger has noted, and nothing twice. */
async function expectStored(gateway: FakedGateway, ledger: Ledger): Promise<void> {
  const { farmers, entityCards, productTransactions, paymentTransactions } = paths;
  const found = new Map<string, number>();
  for (const list of [farmers, entityCards, productTransactions, paymentTransactions]) {
    for (const { first_name, invoice_number, card, premium } of await rowsOf(gateway, list)) {
      // The service makes a payment for each product transaction, with its invoice number.
      if (premium === null) continue;
      for (const text of [first_name, invoice_number, card?.card_id]) if (/^T\d+_\d+_x?$/.test(text)) add(found, text);
    }
  }
  expect(found.size).toBeGreaterThan(5);
  for (const [tag, count] of found) expect([tag, count, ledger.stored.get(tag)]).toEqual([tag, 1, 1]);
}

/** Every row of a list. A connect service gives all rows at once. */
async function rowsOf(gateway: FakedGateway, list: string): Promise<readonly Row[]> {
  const { success, data } = await readRest(gateway, `${list}?limit=100000&offset=0`, key);
  return success ? data.results : readRows(gateway, list);
}
