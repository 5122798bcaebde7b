import { paths, type Row } from '../rest-reads.ts';
import type { Arguments } from './connection.ts';
import type { RestReader } from './rest-reader.ts';

/** A list, and which of its rows belong to an object. */
interface Way {
  path: string;
  isOf(row: Row, id: string): boolean;
  gives?: string;
}

const ofParty = ({ source, destination }: Row, id: string) => source === id || destination === id;
const products = { path: paths.productTransactions, isOf: ofParty };
const payments = { path: paths.paymentTransactions, isOf: ofParty };

export const waysBack: Readonly<Record<string, Way>> = {
  'Farmer.productTransactions': products,
  'Farmer.paymentTransactions': payments,
  'Company.productTransactions': products,
  'Company.paymentTransactions': payments,
  'Product.productTransactions': { ...products, isOf: ({ product }, id) => product === id },
  'ProductTransaction.children': { ...products, isOf: ({ parents }, id) => parents.includes(id) },
  'Card.holder': {
    path: paths.entityCards,
    isOf: ({ card, is_active }, id) => is_active && card.id === id,
    gives: 'entity',
  },
};

/** The newest rows of an object, out of the whole list. */
export async function readRows(service: RestReader, way: Way, id: string, { limit }: Arguments): Promise<Row[]> {
  const rows: Row[] = [];
  for (let count = 1; rows.length < count; ) {
    const page = await service.rows(way.path, {}, rows.length, 100);
    rows.push(...page.results);
    count = page.count;
  }
  return rows.filter((row) => way.isOf(row, id)).slice(0, Number(limit ?? 20));
}
