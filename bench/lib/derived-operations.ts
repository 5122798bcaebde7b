/** An operation with a derived field, and one that reads the same rows. */
export interface DerivedOperation {
  document: string;
  /** The time of this one is the measure. */
  reads: string;
  /** The most for the operation, as a multiple of it. */
  most: number;
}

/** Derived fields over the 600 transactions of the sandbox, by name. */
export const derivedOperations: ReadonlyMap<string, DerivedOperation> = new Map(
  Object.entries({
    'totals by month and product': `productTransactionTotals(groupBy: [MONTH, PRODUCT]) {
      rows complete groups { month product_id currency_id count quantity amount premiums { premium_id amount } } }`,
    'totals by source': 'productTransactionTotals(groupBy: [SOURCE]) { rows complete groups { source_id quantity } }',
  }).map(([name, selection]) => [
    name,
    {
      document: `{ ${selection} }`,
      reads: '{ productTransactions(limit: 600) { results { id quantity amount source_id product_id } } }',
      most: 1.1,
    },
  ]),
);
