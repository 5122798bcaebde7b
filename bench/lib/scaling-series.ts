import type { Job } from './load.ts';

export interface Series {
  values: number[];
  /** Whether the floor knows its operations. */
  isForFloor: boolean;
  /** The largest growth of CPU, from one value to the last. It counts for each request, or for each row. */
  growth?: { from: number; atMost: number; isPerRow: boolean };
  /** The load for one value; `page` is the text of an operation. */
  jobFor(value: number, page: string): Omit<Job, 'url'> & { warmUp: number };
}

/** One more reference in each: transactions, their farmers, whose buyers, whose creators. */
const depths = [
  'id number',
  'id number source { ... on Farmer { id first_name } }',
  'id number source { ... on Farmer { id first_name buyer { id name } } }',
  'id number source { ... on Farmer { id first_name buyer { id name creator { id first_name email } } } }',
];

const references = `id source { ... on Farmer { id first_name } } destination { ... on Company { id name } }
  product { id name } creator { id email }`;
const fiveLevels =
  'id source { ... on Farmer { id first_name buyer { id email buyer { id email creator { id email } } } } }';

/** CPU of a row in lists of up to 10,000. Connections to the gateway play no part. */
const inRows = (documentOf: (rows: number, page: string) => string, isForFloor = false): Series => ({
  values: [10, 100, 1_000, 10_000],
  isForFloor,
  growth: { from: 100, atMost: 1.1, isPerRow: true },
  jobFor: (rows, page) => ({
    document: documentOf(rows, page),
    concurrency: 2,
    warmUp: Math.max(4, Math.min(400, 30_000 / rows)),
    requests: Math.max(6, Math.min(600, 40_000 / rows)),
  }),
});
const transactions = (rows: number, fields: string) =>
  `{ productTransactions(limit: ${rows}) { results { ${fields} } } }`;

/** Variations by name. All other conditions are those of the comparison. */
export const series: Record<string, Series> = {
  rows: inRows((rows, page) => page.replace('limit: 100', `limit: ${rows}`), true),
  references: inRows((rows) => transactions(rows, references)),
  levels: inRows((rows) => transactions(rows, fiveLevels)),
  depth: {
    values: [1, 2, 3, 4],
    isForFloor: false,
    jobFor: (depth) => ({
      document: `{ productTransactions(limit: 100) { results { ${depths[depth - 1]} } } }`,
      concurrency: 8,
      warmUp: 80,
      requests: 200,
    }),
  },
  callers: {
    values: [1, 10, 50, 100, 200],
    isForFloor: true,
    jobFor: (callers, page) => ({ document: page, concurrency: 8, callers, warmUp: 200, requests: 400 }),
  },
  connections: {
    values: [1, 50, 100, 200, 500],
    isForFloor: true,
    growth: { from: 1, atMost: 1.1, isPerRow: false },
    jobFor: (connections, page) => ({
      document: page,
      concurrency: connections,
      warmUp: Math.max(200, connections),
      requests: Math.max(400, 2 * connections),
    }),
  },
};
