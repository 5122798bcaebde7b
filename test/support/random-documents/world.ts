import { RestReader } from '../reference-executor/rest-reader.ts';
import { paths, type Row, unknownId } from '../rest-reads.ts';

/** What one caller of the sandbox can ask for. */
export interface World {
  /** By the root field that takes the id: some that this caller sees, some that it does not, one that nobody has. */
  ids: Record<string, string[]>;
  /** Rows of each list, by its root field. */
  counts: Record<string, number>;
  /** Points in time at and between the changes of the rows. */
  times: (string | number)[];
}

const lists = [
  'farmers',
  'entityCards',
  'products',
  'cards',
  'currencies',
  'productTransactions',
  'paymentTransactions',
] as const;

/**
 * Gives the world references that lead `writer` nowhere: to farmers and a product that only `owner` sees. The seed has
 * none.
 */
export async function writeDeadEnds(url: string, writer: string, owner: string): Promise<void> {
  const [mine, theirs] = [new RestReader(url, writer), new RestReader(url, owner)];
  const read = async (service: RestReader, list: (typeof lists)[number]) =>
    (await service.rows(paths[list], {}, 0, 100)).results;
  const [farmer] = await read(mine, 'farmers');
  const [stranger, otherStranger] = await read(theirs, 'farmers');
  const products = (await read(mine, 'products')).map(({ id }) => id);
  const product = (await read(theirs, 'products')).find(({ id }) => !products.includes(id));
  const [transaction] = await read(mine, 'productTransactions');
  const paid = (await read(mine, 'paymentTransactions')).find(({ premium }) => premium);
  const send = async (method: string, path: string, body: object) => {
    const headers = { authorization: writer, 'content-type': 'application/json' };
    const response = await fetch(url + path, { method, headers, body: JSON.stringify(body) });
    if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${await response.text()}`);
  };
  const parties = { source: stranger?.id, destination: farmer?.buyer };
  const goods = {
    product: product?.id,
    currency: transaction?.currency_details?.id,
    quantity: '1',
    amount: '1',
  };
  await send('POST', paths.productTransactions, { ...parties, ...goods });
  const receiver = { source: farmer?.buyer, destination: otherStranger?.id };
  await send('POST', paths.paymentTransactions, { ...receiver, premium: paid?.premium, amount: 1 });
}

export async function readWorld(url: string, key: string): Promise<World> {
  const service = new RestReader(url, key);
  const rows: Record<string, Row[]> = {};
  const counts: Record<string, number> = {};
  for (const list of lists) {
    const { results, count } = await service.rows(paths[list], {}, 0, 100);
    rows[list] = results;
    counts[list] = count;
  }
  const idsOf = (list: (typeof lists)[number]) => rows[list]!.map(({ id }) => id as string);
  const transactions = rows.productTransactions!;
  const chained = transactions.filter(({ parents }) => parents.length > 0);
  const farmers = idsOf('farmers').slice(0, 3);
  const companies = [...new Set(transactions.map(({ destination }) => destination as string))].slice(0, 2);
  const creators = [...rows.farmers!, ...transactions].map(({ creator }) => creator as string);
  return {
    ids: {
      farmer: [...farmers, companies[0]!, unknownId],
      company: [...companies, farmers[0]!, unknownId],
      user: [...new Set(creators), unknownId],
      entity: [farmers[1]!, ...companies, unknownId],
      productTransaction: [...chained.slice(0, 3), ...transactions.slice(0, 3), ...chained.slice(-1)]
        .map(({ id }) => id)
        .concat(chained[0]!.parents[0], unknownId),
      paymentTransaction: [
        ...idsOf('paymentTransactions').slice(0, 4),
        transactions[0]!.transaction_payments[0].id,
        unknownId,
      ],
    },
    counts,
    times: [transactions[3]?.updated_on, '2026-06-20T12:30:00.5Z', 1_750_000_000, rows.farmers?.[5]?.created_on],
  };
}
