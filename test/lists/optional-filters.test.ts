import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { decodeCursor } from '../../packages/rest-graph/load/lists/cursor.ts';
import { listReply } from '../support/changing-list.ts';
import { codeOf } from '../support/client.ts';
import { type Gateway, startFakedGateway, startGateway } from '../support/harness.ts';
import { distinct, paths, type Row } from '../support/rest-reads.ts';

const key = 'Bearer demo-coop';
const start = (olderFilters = false, settings = {}) =>
  startGateway({ sandbox: { dialect: 'connect', olderFilters }, settings });

const ask = async (gateway: Gateway, document: string, variables = {}) => gateway.query(document, variables, { key });

/** Rows of the service, past the gateway. */
async function rowsOf(gateway: Gateway, path: string, query = ''): Promise<Row[]> {
  const url = `${gateway.sandbox.url}${path}?filter_by=all&limit=1000${query}`;
  const answer = (await (await fetch(url, { headers: { authorization: key } })).json()) as Row;
  return answer.data.results;
}

const ids = (rows: Row[]) => rows.map(({ id }) => id).toSorted();
const iso = (seconds: number) => new Date(seconds * 1000).toISOString();

/** An argument of a list, and the rows that match it. */
interface Case {
  list: 'farmers' | 'entityCards' | 'currencies' | 'productTransactions' | 'paymentTransactions';
  argument: string;
  type: string;
  /** The query of the call that checks the service; of ids, its beginning. */
  check: string;
  value(rows: Row[]): string;
  matches(row: Row, value: string): boolean;
  /** The older service has the filter under the same name. */
  isOld?: true;
}

const middle = (rows: Row[]) => rows[Math.floor(rows.length / 2)] as Row;
const timeOf = (field: string) => (rows: Row[]) => iso(Number(middle(rows)[field]) - 1);
const isAfter = (field: string) => (row: Row, value: string) => Number(row[field]) >= Date.parse(value) / 1000;

const cases: Case[] = [
  {
    list: 'farmers',
    argument: 'reference_number',
    type: 'String',
    check: 'reference_number=a+text+of+no+row',
    value: (rows) => rows.find(({ reference_number }) => reference_number)?.reference_number,
    matches: ({ reference_number }, value) => reference_number === value,
  },
  {
    list: 'farmers',
    argument: 'entity',
    type: 'ID',
    check: 'entity=',
    value: (rows) => rows[0]?.buyer,
    matches: ({ buyer }, value) => buyer === value,
  },
  {
    list: 'entityCards',
    argument: 'card_id',
    type: 'String',
    check: 'card_id=a+text+of+no+row',
    value: (rows) => rows[0]?.card.card_id.slice(2).toLowerCase(),
    matches: ({ card }, value) => card.card_id.toLowerCase().includes(value),
    isOld: true,
  },
  ...(['updated', 'created'] as const).map(
    (what): Case => ({
      list: 'entityCards',
      argument: `${what}_after`,
      type: 'DateTime',
      check: 'updated_after=4102444800',
      value: timeOf(`${what}_on`),
      matches: isAfter(`${what}_on`),
    }),
  ),
  {
    list: 'currencies',
    argument: 'code',
    type: 'String',
    check: 'code=a+text+of+no+row',
    value: () => 'EUR',
    matches: ({ code }, value) => code === value,
    isOld: true,
  },
  {
    list: 'productTransactions',
    argument: 'entity',
    type: 'ID',
    check: 'entity=',
    value: (rows) => rows.find(({ type }) => type === 'INCOMING')?.source,
    matches: ({ source, destination }, value) => source === value || destination === value,
  },
  {
    list: 'paymentTransactions',
    argument: 'payment_type',
    type: 'PaymentType',
    check: 'payment_type=TRANSACTION',
    value: () => 'PREMIUM',
    matches: ({ payment_type }, value) => payment_type === value,
    isOld: true,
  },
  ...(['updated', 'created'] as const).map(
    (what): Case => ({
      list: 'paymentTransactions',
      argument: `${what}_after`,
      type: 'DateTime',
      check: 'created_after=4102444800',
      value: timeOf(`${what}_on`),
      matches: isAfter(`${what}_on`),
    }),
  ),
];
const named = (of: Case) => [`${of.list}(${of.argument})`, of] as const;
const document = ({ list, argument, type }: Case, selection: string) =>
  `query ($value: ${type}) { ${list}(limit: 1000, ${argument}: $value) { ${selection} } }`;

describe('a service with the filters', () => {
  let gateway: Gateway;
  let rest: Record<string, Row[]>;
  beforeAll(async () => {
    gateway = await start();
    const card = (card_id: string) =>
      `mutation { createEntityCard(input: { card: { card_id: "${card_id}" }, entity: "${company}" }) { id } }`;
    const [transaction] = await rowsOf(gateway, paths.productTransactions);
    const company = transaction?.destination;
    for (const name of ['FIRST-1', 'SECOND-2', 'THIRD-3']) {
      expect((await ask(gateway, card(name))).errors).toEqual([]);
    }
    const created = '{ first_name: "A", country: "Ghana", province: "Ashanti", reference_number: "R 17/2" }';
    expect((await ask(gateway, `mutation { createFarmer(input: ${created}) { id } }`)).errors).toEqual([]);
    const lists = distinct(cases.map(({ list }) => list));
    rest = Object.fromEntries(
      await Promise.all(lists.map(async (list) => [list, await rowsOf(gateway, paths[list])] as const)),
    );
  });
  afterAll(() => gateway.close());

  test.each(cases.map(named))('%s gives the rows that match, and checks the service once', async (_name, of) => {
    const rows = rest[of.list] as Row[];
    const value = of.value(rows);
    const expected = rows.filter((row) => of.matches(row, value));
    expect(expected.length).toBeGreaterThan(0);

    const { data, errors, calls } = await ask(gateway, document(of, 'count results { id }'), { value });

    expect(errors).toEqual([]);
    expect(ids(data[of.list].results)).toEqual(ids(expected));
    expect(data[of.list].count).toBe(expected.length);
    const again = await ask(gateway, document(of, 'count'), { value });
    expect(again.data[of.list].count).toBe(expected.length);
    expect(again.calls).toHaveLength(1);
    const checks = calls.filter((call) => call.includes(of.check) && call.endsWith('limit=1&offset=0'));
    // Both time filters of a list are checked by the same one.
    expect(checks.length).toBeLessThanOrEqual(1);
  });

  test.each([
    ['paymentTransactions(payment_type: UNKNOWN_VALUE)', 'payment_type'],
    ['productTransactions(entity: "a/b")', 'entity'],
  ])('%s is refused without a call', async (list, argument) => {
    const answer = await ask(gateway, `{ ${list} { count } }`);

    expect(codeOf(answer)).toBe('BAD_USER_INPUT');
    expect(answer.errors[0]?.extensions.fields).toMatchObject([{ path: [argument] }]);
    expect(answer.calls).toEqual([]);
  });

  test('an id on which the service fails is named', async () => {
    const answer = await ask(gateway, '{ productTransactions(entity: "AAAAAAA") { count } }');

    expect(codeOf(answer)).toBe('UPSTREAM_ERROR');
    expect(answer.errors[0]?.extensions).toMatchObject({ upstream_status: 500, fields: [{ path: ['entity'] }] });
    expect(answer.errors[0]?.message).toMatch('`entity`: The service fails, as it does on an id that it never gave.');
  });

  test('a filter by time gives cursors with the time of the last change, by which each row comes once', async () => {
    const changed = new Map((rest.entityCards as Row[]).map((row) => [row.id, Number(row.updated_on)]));
    const document = `query ($after: String) {
      entityCards(updated_after: "2020-01-01T00:00:00Z", first: 1, after: $after) { results { id } next } }`;
    const found: string[] = [];
    for (let after: string | null | undefined; after !== null; ) {
      const { data, errors } = await ask(gateway, document, { after });
      expect(errors).toEqual([]);
      found.push(...data.entityCards.results.map(({ id }: Row) => id));
      after = data.entityCards.next;
      if (after) expect(decodeCursor(after)?.row?.time).toBe(changed.get(found.at(-1)));
    }

    expect(found.toSorted()).toEqual([...changed.keys()].toSorted());
    const times = found.map((id) => changed.get(id));
    expect(times).toEqual(times.toSorted());
  });
});

describe('an older service', () => {
  let gateway: Gateway;
  beforeAll(async () => {
    gateway = await start(true);
    const [transaction] = await rowsOf(gateway, paths.productTransactions);
    const card = `{ card: { card_id: "FIRST-1" }, entity: "${transaction?.destination}" }`;
    expect((await ask(gateway, `mutation { createEntityCard(input: ${card}) { id } }`)).errors).toEqual([]);
  });
  afterAll(() => gateway.close());

  test.each(
    cases
      .filter(({ isOld }) => !isOld)
      .flatMap((of) => (['count', 'results { id }'] as const).map((shown) => [named(of)[0], shown, of] as const)),
  )('%s { %s } names the filter that the service ignores', async (_name, selection, of) => {
    const { list, argument } = of;
    const value = argument.endsWith('_after')
      ? '2020-01-01T00:00:00Z'
      : (await rowsOf(gateway, paths.farmers))[0]?.buyer;

    const answer = await ask(gateway, document(of, selection), { value });

    expect(answer.data[list]).toBeNull();
    expect(codeOf(answer)).toBe('BAD_USER_INPUT');
    expect(answer.errors[0]?.message).toContain(`\`${argument}\``);
    expect(answer.errors[0]?.message).toContain('does not apply this filter');
    expect(answer.errors[0]?.extensions.fields).toMatchObject([{ path: [argument] }]);
    expect((await ask(gateway, document(of, selection), { value })).calls).toEqual([]);
  });

  test.each(['paymentTransactions(updated_after:', 'entityCards(created_after:'])(
    '%s is refused where the other time that the service compares leaves no row',
    async (list) => {
      await using other = await start(true);
      const document = `query ($since: DateTime) { ${list} $since) { count } }`;

      expect(codeOf(await ask(other, document, { since: '2100-01-01T00:00:00Z' }))).toBe('BAD_USER_INPUT');
    },
  );

  test('shows nothing of its filters by a list without rows', async () => {
    await using faked = await startFakedGateway({}, { sandbox: { dialect: 'connect', olderFilters: true } });
    const empty = {
      success: true,
      detail: 'Success',
      code: 200,
      data: { count: 0, next: null, previous: null, results: [] },
    };
    faked.upstream.respond = ({ path }) =>
      path.startsWith(`${paths.paymentTransactions}?`) ? { body: JSON.stringify(empty) } : undefined;
    const document = '{ paymentTransactions(updated_after: "2020-01-01T00:00:00Z") { count } }';
    expect((await ask(faked, document)).data).toEqual({ paymentTransactions: { count: 0 } });
    faked.upstream.respond = undefined;

    expect(codeOf(await ask(faked, document))).toBe('BAD_USER_INPUT');
  });

  test.each(cases.filter(({ isOld }) => isOld).map(named))(
    '%s works, because that service has it',
    async (_name, of) => {
      const rows = await rowsOf(gateway, paths[of.list]);
      const value = of.value(rows);

      const { data, errors } = await ask(gateway, document(of, 'results { id }'), { value });

      expect(errors).toEqual([]);
      expect(ids(data[of.list].results)).toEqual(ids(rows.filter((row) => of.matches(row, value))));
    },
  );
});

describe('a service of the dialect spec', () => {
  test.each(['spec', 'auto'])('lacks each filter, with UPSTREAM_DIALECT=%s', async (UPSTREAM_DIALECT) => {
    await using gateway = await startGateway({ settings: { UPSTREAM_DIALECT } });
    await gateway.query('{ currencies(limit: 1) { count } }');
    for (const of of cases) {
      const value = of.type === 'DateTime' ? '2020-01-01T00:00:00Z' : 'PREMIUM';

      const answer = await gateway.query(document(of, 'count'), { value });

      expect(codeOf(answer), of.argument).toBe('BAD_USER_INPUT');
      expect(answer.errors[0]?.message).toMatch(new RegExp(`${of.argument}.*spec.*UPSTREAM_DIALECT`));
      expect(answer.errors[0]?.extensions.fields).toMatchObject([{ path: [of.argument] }]);
      expect(answer.calls).toEqual([]);
    }
  });

  test('shows itself by one call before the first use of a filter', async () => {
    await using gateway = await startGateway({ settings: { UPSTREAM_DIALECT: 'auto' } });
    const filtered = '{ paymentTransactions(payment_type: PREMIUM) { count } }';
    expect((await gateway.query(filtered)).calls).toEqual(['GET /catalogs/currencies/?limit=1&offset=0']);
    expect((await gateway.query(filtered)).calls).toEqual([]);
  });
});

describe('a service that stops to apply a filter', () => {
  test('is seen by the rows that do not match', async () => {
    await using gateway = await startFakedGateway({}, { sandbox: { dialect: 'connect' } });
    const filtered = '{ paymentTransactions(payment_type: PREMIUM) { results { id } } }';
    expect((await ask(gateway, filtered)).errors).toEqual([]);
    gateway.upstream.fail(paths.paymentTransactions, {
      edit: ({ data }) => {
        for (const row of data.results.slice(3)) row.payment_type = 'TRANSACTION';
      },
    });

    expect(codeOf(await ask(gateway, filtered))).toBe('BAD_USER_INPUT');
  });

  test('is an error of its own where the check fails', async () => {
    await using gateway = await startFakedGateway({}, { sandbox: { dialect: 'connect' } });
    gateway.upstream.respond = ({ path }) =>
      path.includes('payment_type=TRANSACTION&') ? { status: 503, body: '{}' } : undefined;
    const filtered = '{ paymentTransactions(payment_type: PREMIUM) { count } }';
    expect(codeOf(await ask(gateway, filtered))).toBe('UPSTREAM_UNAVAILABLE');
    gateway.upstream.respond = undefined;
    expect((await ask(gateway, filtered)).errors).toEqual([]);
  });
});

test.each([
  ['works where the service applies it', false],
  ['is refused where it does not', true],
])('a filter by id %s, although the service fails on its newest row', async (_what, olderFilters) => {
  const sandbox = { dialect: 'connect', olderFilters, shufflesTies: false } as const;
  await using gateway = await startFakedGateway({}, { sandbox });
  const [newest, row] = (await rowsOf(gateway, paths.productTransactions)) as [Row, Row];
  const breaks = ({ entity }: Record<string, string>) =>
    olderFilters || entity === undefined || [newest.source, newest.destination].includes(entity);
  gateway.upstream.respond = ({ path }) => {
    const { pathname, searchParams } = new URL(path, 'http://service');
    const { offset, limit, ...filters } = Object.fromEntries(searchParams);
    const isHit = offset === '0' && limit !== '0' && breaks(filters);
    return pathname === paths.productTransactions && isHit ? { status: 500, body: '<h1>Server Error</h1>' } : undefined;
  };
  const others = (await rowsOf(gateway, paths.farmers)).map(({ id }) => id);
  const farmer = [row.source, ...others].find((id) => id !== newest.source && id !== newest.destination);

  const answer = await ask(gateway, `{ productTransactions(entity: "${farmer}") { count } }`);

  expect(codeOf(answer)).toBe(olderFilters ? 'BAD_USER_INPUT' : undefined);
});

test('a filter by id takes the internal number too, whose rows show the id', async () => {
  await using gateway = await startFakedGateway({}, { sandbox: { dialect: 'connect' } });
  const [row] = (await rowsOf(gateway, paths.productTransactions)) as [Row];
  gateway.upstream.respond = ({ path }) => (path.includes('entity=17&') ? listReply(1, [row]) : undefined);

  const { data, errors } = await ask(gateway, '{ productTransactions(entity: "17") { results { id } } }');

  expect(errors).toEqual([]);
  expect(data.productTransactions.results).toEqual([{ id: row.id }]);
});

test('a renamed filter is checked by its name', async () => {
  await using gateway = await start(false, { 'upstream.filters.listProductTransactions.entity': 'party' });
  const [row] = await rowsOf(gateway, paths.productTransactions);

  const answer = await ask(gateway, `{ productTransactions(entity: "${row?.source}") { count } }`);

  expect(answer.calls[0]).toContain('party=');
  expect(codeOf(answer)).toBe('BAD_USER_INPUT');
  expect(answer.errors[0]?.message).toContain('upstream.filters.listProductTransactions.entity');
});

describe('a text filter', () => {
  test.each(['  ref ç-1 ', 'REF Ç-1', 'ref ç-1'])(
    'takes the rows of a service that compares %j without case and outer spaces',
    async (value) => {
      await using gateway = await startFakedGateway({}, { sandbox: { dialect: 'connect' } });
      gateway.upstream.respond = ({ path }) => {
        if (!path.includes('reference_number=')) return undefined;
        const rows = path.includes('of+no+row') ? [] : [{ id: 'A', reference_number: 'Ref ç-1' }];
        const data = { count: rows.length, next: null, previous: null, results: rows };
        return { body: JSON.stringify({ success: true, detail: 'Success', code: 200, data }) };
      };

      const document = 'query ($value: String) { farmers(reference_number: $value) { results { id } } }';
      const { data, errors } = await ask(gateway, document, { value });

      expect(errors).toEqual([]);
      expect(data.farmers.results).toEqual([{ id: 'A' }]);
    },
  );
});

test('a list whose filter may be refused counts no call among the fewest', async () => {
  await using gateway = await start();
  const [row] = await rowsOf(gateway, paths.productTransactions);
  const document = `{ productTransactions(limit: 1, offset: 1, entity: "${row?.source}") { results { id } } }`;
  const { extensions, calls } = await gateway.query(document, {}, { key, headers: { 'x-trace-upstream': 'true' } });

  expect(calls).toHaveLength(3);
  expect(extensions?.upstream).toMatchObject({ estimate: { least: 0 } });
});

test('one check of a filter serves all callers', async () => {
  await using gateway = await start();
  const filtered = '{ paymentTransactions(payment_type: PREMIUM) { count } }';
  const checks = (calls: string[]) => calls.filter((call) => call.includes('payment_type=TRANSACTION&'));
  expect(checks((await ask(gateway, filtered)).calls)).toHaveLength(1);

  const other = await gateway.query(filtered, {}, { key: 'Bearer demo-buyer' });

  expect(other.errors).toEqual([]);
  expect(other.calls).toHaveLength(1);
  expect(checks(other.calls)).toEqual([]);
});
