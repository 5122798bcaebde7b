import { expect, test } from 'vitest';
import { ChangingList, groups, listReply } from '../support/changing-list.ts';
import { type FakeRequest, startFakeUpstream } from '../support/fake-upstream.ts';
import { startGateway } from '../support/harness.ts';
import { paths, type Row } from '../support/rest-reads.ts';

const repeat = (size: number, times: number) => Array.from({ length: times }, () => size);

/** Asks for payments that refer to these cards, which only their list gives. */
async function askForCards(list: ChangingList, cards: string[], maxCalls = 200) {
  const payments = cards.map((card, index) => ({ id: `P${index}`, card, created_on: String(1_790_000_000 - index) }));
  const respond = (request: FakeRequest) =>
    list.respond(request) ??
    (request.path.includes('payment') ? listReply(payments.length, payments) : { status: 404 });
  await using upstream = await startFakeUpstream({ respond });
  const settings = { 'limits.operations.upstreamCalls': String(maxCalls) };
  await using gateway = await startGateway({ settings, upstreamUrl: upstream.url, sandbox: { dialect: 'connect' } });
  const { data, errors } = await gateway.query(
    '{ paymentTransactions(limit: 100) { results { card { id card_id } } } }',
  );
  return { found: data.paymentTransactions.results.filter(({ card }: Row) => card).length, errors };
}

const cardsOf = (sizes: number[]) => groups(sizes).map((row) => ({ ...row, card_id: row.id }));

test('references find each card of a list whose rows all have one time', async () => {
  const list = new ChangingList(paths.cards, cardsOf([300]));
  const ids = list.rows.map(({ id }) => id);

  for (let from = 0; from < 300; from += 100) {
    expect(await askForCards(list, ids.slice(from, from + 100))).toEqual({ found: 100, errors: [] });
  }
});

test('references find a card of a list that grew after its first page', async () => {
  const list = new ChangingList(paths.cards, cardsOf(repeat(1, 200)));
  const last = list.rows.at(-1)!.id;
  list.beforePage = (page) => {
    if (page === 1) list.rows = [...groups([1], { name: 'N', newest: 1_800_000_000 }), ...list.rows];
  };

  expect(await askForCards(list, [last])).toEqual({ found: 1, errors: [] });
  expect(list.pages).toEqual(['0+100', '100+100', '0+1', '200+1']);
});

test('references find a card that a removed row shifted to a page that was read before', async () => {
  const list = new ChangingList(paths.cards, cardsOf(repeat(1, 200)));
  const hidden = list.rows[100]!.id;
  list.beforePage = (page) => {
    if (page === 1) list.rows = list.rows.toSpliced(3, 1);
  };

  expect(await askForCards(list, [hidden])).toEqual({ found: 1, errors: [] });
  expect(list.pages).toEqual(['0+100', '100+100', '0+100']);
});

test('a card that no page shows costs no further call, and is unresolved', async () => {
  const list = new ChangingList(paths.cards, cardsOf(repeat(1, 200)));

  const { errors } = await askForCards(list, ['ELSEWHERE2']);

  expect(errors).toMatchObject([
    { message: 'The service shows no Card of this id to this key.', extensions: { code: 'REFERENCE_UNRESOLVED' } },
  ]);
  expect(list.pages).toEqual(['0+100', '100+100']);
});

test('a card that a changing list may hold is unresolved, and the error says so', async () => {
  const list = new ChangingList(paths.cards, cardsOf(repeat(1, 200)));
  list.beforePage = () => {
    list.rows = list.rows.toSpliced(3, 1);
  };

  const { errors } = await askForCards(list, ['ELSEWHERE2']);

  expect(errors).toMatchObject([
    {
      message: 'The list that may hold this Card changed while the gateway read it. Ask again.',
      extensions: { code: 'REFERENCE_UNRESOLVED', reference: { type: 'Card', id: 'ELSEWHERE2' } },
    },
  ]);
});
