import type { Job } from './load.ts';

export interface Series {
  values: number[];
  /** Whether the floor knows its operations. */
  isForFloor: boolean;
  /** The load for one value; `page` is the text of the operation that all series but `depth` ask. */
  jobFor(value: number, page: string): Omit<Job, 'url'> & { warmUp: number };
}

/** One more reference in each: transactions, their farmers, whose buyers, whose creators. */
const depths = [
  'id number',
  'id number source { ... on Farmer { id first_name } }',
  'id number source { ... on Farmer { id first_name buyer { id name } } }',
  'id number source { ... on Farmer { id first_name buyer { id name creator { id first_name email } } } }',
];

/** Variations by name. All other conditions are those of the comparison. */
export const series: Record<string, Series> = {
  rows: {
    values: [10, 30, 100, 300, 1000],
    isForFloor: true,
    jobFor: (rows, page) => ({
      document: page.replace('limit: 100', `limit: ${rows}`),
      concurrency: 8,
      warmUp: Math.max(40, 20_000 / rows),
      requests: Math.max(60, Math.min(1000, 40_000 / rows)),
    }),
  },
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
    jobFor: (connections, page) => ({
      document: page,
      concurrency: connections,
      warmUp: Math.max(200, connections),
      requests: Math.max(400, 2 * connections),
    }),
  },
};
