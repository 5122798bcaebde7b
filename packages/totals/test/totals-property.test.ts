import fc from 'fast-check';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ChangingList, groups, type ListRow } from '../../../test/support/changing-list.ts';
import { type FakeUpstream, startFakeUpstream } from '../../../test/support/fake-upstream.ts';
import { type Gateway, startGateway } from '../../../test/support/harness.ts';
import { paths, type Row } from '../../../test/support/rest-reads.ts';
import { monthOf, naiveGroups, naiveSum, partsIn } from './naive-totals.ts';

let upstream: FakeUpstream;
let gateway: Gateway;
// A gateway learns how long the pages of a service are.
beforeEach(async () => {
  upstream = await startFakeUpstream();
  gateway = await startGateway({ sandbox: { dialect: 'connect' }, upstreamUrl: upstream.url });
});
afterEach(async () => {
  await gateway.close();
  await upstream.close();
});

const crash = { status: 500, body: '<h1>Server Error (500)</h1>' };

const digits = (max: number) => fc.stringMatching(new RegExp(`^[0-9]{1,${max}}$`));

/** Amounts as services write them: long texts, and numbers of JSON. */
const amount = fc.oneof(
  fc.tuple(fc.constantFrom('', '-'), digits(18), digits(9)).map(([sign, whole, part]) => `${sign}${whole}.${part}`),
  digits(20),
  fc.constant(null),
);
const paid = fc.oneof(
  fc.integer({ min: -99_999_999, max: 99_999_999 }).map((thousandths) => thousandths / 1000),
  amount,
);

const currencies = [null, 'EURO222222', 'CEDI222222'];
const parties = ['FARM222222', 'FARM333333', 'FIRM222222', null];

const rowValues = fc.record({
  quantity: amount,
  amount,
  source: fc.constantFrom(...parties),
  destination: fc.constantFrom(...parties),
  product: fc.constantFrom('PROD222222', 'PROD333333', null),
  currency: fc.constantFrom(...currencies),
  // Unix seconds of some months, with their ends.
  date: fc.option(fc.integer({ min: 1_700_000_000, max: 1_715_000_000 }).map(String)),
  payments: fc.array(
    fc.record({
      amount: paid,
      premium: fc.constantFrom(null, 'PREM222222', 'PREM333333'),
      currency: fc.option(fc.constantFrom(...currencies), { nil: undefined }),
    }),
    { maxLength: 3 },
  ),
});

type Values = typeof rowValues extends fc.Arbitrary<infer T> ? T : never;

function rowOf(row: ListRow, { payments, ...values }: Values): ListRow {
  const shown = payments.map(({ currency, ...payment }, index) => ({
    id: `${row.id}P${index}`,
    ...payment,
    ...(currency !== undefined && { currency }),
  }));
  return { ...row, ...values, transaction_payments: shown } as ListRow;
}

/** Payments of a premium, each with the currency of its row where it has none. */
function premiumsOf({ transaction_payments, currency }: Row): Row[] {
  return transaction_payments
    .filter(({ premium }: Row) => premium !== null)
    .map((payment: Row) => ({ currency, ...payment }));
}

const monthIn = ({ date }: Row) =>
  monthOf({ date: date === null ? null : new Date(Number(date) * 1000).toISOString() });

/** The values by which a client may group, as an independent reader finds them. */
const keys: Readonly<Record<string, [field: string, of: (row: Row) => string | null]>> = {
  PRODUCT: ['product_id', ({ product }) => product],
  SOURCE: ['source_id', ({ source }) => source],
  DESTINATION: ['destination_id', ({ destination }) => destination],
  MONTH: ['month', monthIn],
};

const document = `query ($by: [ProductTransactionGroup!]) { productTransactionTotals(groupBy: $by) {
  groups { product_id source_id destination_id month currency_id count quantity amount premiums { premium_id currency_id count amount } }
  rows complete reason
} }`;

function expectTotals({ groups: found, rows: count }: Row, rows: readonly Row[], by: readonly string[]): void {
  const asked = Object.fromEntries([
    ...by.map((name) => keys[name]!),
    ['currency_id', ({ currency }: Row) => currency],
  ]);
  const expected = naiveGroups(rows, asked);
  const nulls = { product_id: null, source_id: null, destination_id: null, month: null };
  expect(count).toBe(rows.length);
  expect(
    found.map(({ quantity, amount, premiums, ...group }: Row) => ({
      ...group,
      sums: [partsIn(quantity), partsIn(amount)],
      premiums: premiums.map(({ amount: sum, ...premium }: Row) => ({ ...premium, sum: partsIn(sum) })),
    })),
  ).toEqual(
    expected.map(({ keys, rows }) => ({
      ...{ ...nulls, ...keys, count: rows.length },
      sums: [naiveSum(rows.map(({ quantity }) => quantity)), naiveSum(rows.map(({ amount }) => amount))],
      premiums: naiveGroups(rows.flatMap(premiumsOf), {
        premium_id: ({ premium }) => premium,
        currency_id: ({ currency }) => currency,
      }).map(({ keys, rows }) => ({ ...keys, count: rows.length, sum: naiveSum(rows.map(({ amount }) => amount)) })),
    })),
  );
}

const groupBy = fc.shuffledSubarray(Object.keys(keys));

test('sums of 5,000 rows have every digit', async () => {
  const [values] = fc.sample(fc.array(rowValues, { minLength: 5_000, maxLength: 5_000, size: 'max' }), {
    numRuns: 1,
    seed: 33,
  });
  const list = new ChangingList(
    paths.productTransactions,
    groups(values!.map(() => 1)).map((row, at) => rowOf(row, values![at]!)),
  );
  list.maxPageSize = 100;
  upstream.respond = list.respond;
  for (const by of [[], ['MONTH'], ['SOURCE', 'PRODUCT']]) {
    const { data, errors } = await gateway.query(document, { by }, { key: 'Bearer many' });

    expect(errors).toEqual([]);
    expect(data.productTransactionTotals).toMatchObject({ complete: true, reason: null });
    expectTotals(data.productTransactionTotals, list.rows, by);
  }
});

test('totals are those of each row counted, or not complete: ties, failing rows and growth', async () => {
  const worlds = fc.record({
    values: fc.array(rowValues, { minLength: 1, maxLength: 60 }),
    /** Rows of one time. */
    tie: fc.integer({ min: 1, max: 6 }),
    pageSize: fc.integer({ min: 5, max: 100 }),
    failing: fc.option(fc.nat(59)),
    newRows: fc.array(fc.nat(3), { maxLength: 4 }),
    by: groupBy,
  });
  let incomplete = 0;
  await fc.assert(
    fc.asyncProperty(worlds, async ({ values, tie, pageSize, failing, newRows, by }) => {
      const times = groups(Array.from({ length: Math.ceil(values.length / tie) }, () => tie));
      const list = new ChangingList(
        paths.productTransactions,
        values.map((value, at) => rowOf(times[at]!, value)),
      );
      list.maxPageSize = pageSize;
      list.beforePage = (page) => {
        if (!newRows.includes(page) || page === 0) return;
        const [row] = groups([1], { name: `N${page}-`, newest: 1_800_000_000 + page });
        list.rows.unshift(rowOf(row!, values[0]!));
      };
      const failingId = failing === null ? undefined : list.rows[failing]?.id;
      upstream.respond = (request) => {
        const reply = list.respond(request);
        return failingId !== undefined && reply?.body?.includes(`"${failingId}"`) ? crash : reply;
      };
      const before = [...list.rows];
      const { data, errors } = await gateway.query(document, { by }, { key: `Bearer ${Math.random()}` });

      expect(errors).toEqual([]);
      const totals = data.productTransactionTotals;
      expect(totals.complete).toBe(totals.reason === null);
      if (!totals.complete) {
        incomplete += 1;
        return;
      }
      expect(failingId).toBeUndefined();
      // Rows that come meanwhile may count.
      const isCounted = (rows: Row[]) => rows.length === totals.rows;
      const states = list.rows.slice(0, list.rows.length - before.length).map((_, at) => list.rows.slice(at + 1));
      const state = [list.rows, ...states, before].find(isCounted);
      expect(state).toBeDefined();
      expectTotals(totals, state!, by);
    }),
    { numRuns: 60 },
  );
  expect(incomplete).toBeGreaterThan(0);
});
