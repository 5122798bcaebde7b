import { RestReader } from '../reference-executor/rest-reader.ts';
import { connectListPaths, connectResourcePaths, listPaths, resourcePaths, uncapitalized } from '../rest-endpoints.ts';
import { paths, type Row, unknownId } from '../rest-reads.ts';

/** Values for the arguments of root fields, as one caller of the sandbox can use them. */
export interface World {
  /** Ids for each root field that takes one: seen by this caller, hidden from it, and unknown. */
  ids: Record<string, string[]>;
  /** Rows of each list, by its root field. */
  counts: Record<string, number>;
  /** Points in time at and between the changes of the rows. */
  times: (string | number)[];
}

/**
 * Writes references that lead `writer` nowhere: to farmers and a product that only `owner` sees. The seed has no such
 * references.
 */
export async function writeDeadEnds(url: string, writer: string, owner: string): Promise<void> {
  const [mine, theirs] = [new RestReader(url, writer), new RestReader(url, owner)];
  const read = async (service: RestReader, path: string) => (await service.rows(path, {}, 0, 100)).results;
  const [farmer] = await read(mine, paths.farmers);
  const [stranger, otherStranger] = await read(theirs, paths.farmers);
  const products = (await read(mine, paths.products)).map(({ id }) => id);
  const product = (await read(theirs, paths.products)).find(({ id }) => !products.includes(id));
  const [transaction] = await read(mine, paths.productTransactions);
  const paid = (await read(mine, paths.paymentTransactions)).find(({ premium }) => premium);
  const post = async (path: string, body: object) => {
    const headers = { authorization: writer, 'content-type': 'application/json' };
    const response = await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) });
    if (!response.ok) throw new Error(`POST ${path} answered ${response.status}: ${await response.text()}`);
  };
  const parties = { source: stranger?.id, destination: farmer?.buyer };
  const goods = {
    product: product?.id,
    currency: transaction?.currency_details?.id,
    quantity: '1',
    amount: '1',
  };
  await post(paths.productTransactions, { ...parties, ...goods });
  const receiver = { source: farmer?.buyer, destination: otherStranger?.id };
  await post(paths.paymentTransactions, { ...receiver, premium: paid?.premium, amount: 1 });
}

export async function readWorld(url: string, key: string): Promise<World> {
  const service = new RestReader(url, key);
  const rows: Record<string, Row[]> = {};
  // The gateway refuses these fields over a service without their lists.
  const counts: Record<string, number> = Object.fromEntries(Object.keys(connectListPaths).map((field) => [field, 1]));
  const lists = { ...listPaths, ...(service.isConnect && connectListPaths) };
  for (const [field, path] of Object.entries(lists)) {
    const { results, count } = await service.rows(path, {}, 0, 100);
    rows[field] = results;
    counts[field] = count;
  }
  const {
    farmers,
    productTransactions: transactions,
    paymentTransactions: payments,
  } = rows as Record<'farmers' | 'productTransactions' | 'paymentTransactions', Row[]>;
  const idsOf = (some: Row[]) => some.map(({ id }) => id as string);
  const listed = Object.keys({ ...resourcePaths, ...connectResourcePaths }).map((type): [string, string[]] => {
    const field = uncapitalized(type);
    return [field, [...idsOf(rows[`${field}s`] ?? []).slice(0, 4), unknownId]];
  });
  const chained = transactions.filter(({ parents }) => parents.length > 0);
  const companies = [...new Set(transactions.map(({ destination }) => destination as string))].slice(0, 2);
  const creators = [...farmers, ...transactions].map(({ creator }) => creator as string);
  const [farmer, otherFarmer] = idsOf(farmers);
  return {
    ids: {
      ...Object.fromEntries(listed),
      farmer: [...idsOf(farmers).slice(0, 3), companies[0]!, unknownId],
      company: [...companies, farmer!, unknownId],
      user: [...new Set(creators), unknownId],
      entity: [otherFarmer!, ...companies, unknownId],
      productTransaction: idsOf([...chained.slice(0, 3), ...transactions.slice(0, 3), ...chained.slice(-1)]).concat(
        chained[0]!.parents[0],
        unknownId,
      ),
      paymentTransaction: [...idsOf(payments).slice(0, 4), transactions[0]!.transaction_payments[0].id, unknownId],
    },
    counts,
    times: [transactions[3]?.updated_on, '2026-06-20T12:30:00.5Z', 1_750_000_000, farmers[5]?.created_on],
  };
}
