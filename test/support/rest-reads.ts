import { expect } from 'vitest';
import type { Answer } from './client.ts';
import type { Gateway } from './harness.ts';
import { connectResourcePaths, listPaths, resourcePaths } from './rest-endpoints.ts';

// biome-ignore lint/suspicious/noExplicitAny: tests read whatever the service sends
export type Row = Record<string, any>;

/** Each list by its root field, and the resources that have no list. */
export const paths = {
  ...listPaths,
  premiums: connectResourcePaths.Premium as string,
  forms: connectResourcePaths.Form as string,
  companies: resourcePaths.Company,
  users: resourcePaths.User,
};

/** An id that the sandbox gives to nothing. */
export const unknownId = 'ZZZZZZZZZZ';

/** The call that reads one resource, as an answer's `calls` names it. */
export const one = (path: string, id: string) => `GET ${path}${id}/`;

/** The call that reads a page of a list; `filters` like "first_name=Ama". */
export const page = (path: string, limit = 20, offset = 0, filters = '') =>
  `GET ${path}?${filters && `${filters}&`}limit=${limit}&offset=${offset}`;

type Service = Pick<Gateway, 'sandbox'>;

/** The service's own JSON, read past the gateway. */
export async function readRest(gateway: Service, path: string, key = 'demo-coop'): Promise<Row> {
  const response = await fetch(gateway.sandbox.url + path, { headers: { authorization: key } });
  expect(response.status, path).toBe(200);
  return (await response.json()) as Row;
}

/** Every row of a list of the service, in its order. */
export function readRows(gateway: Service, path: string, key?: string): Promise<Row[]> {
  return rowsUpTo(Number.POSITIVE_INFINITY, gateway, path, key);
}

/** The first rows of a list, which may be long. */
export function firstRows(gateway: Service, path: string, count = 100): Promise<Row[]> {
  return rowsUpTo(count, gateway, path);
}

async function rowsUpTo(most: number, gateway: Service, path: string, key?: string): Promise<Row[]> {
  const rows: Row[] = [];
  for (let count = most; rows.length < Math.min(most, count); ) {
    const limit = Math.min(100, most - rows.length);
    const answer = await readRest(gateway, `${path}?limit=${limit}&offset=${rows.length}`, key);
    rows.push(...answer.results);
    count = answer.count;
  }
  return rows;
}

/** A write past the gateway, which therefore knows nothing of it. */
export async function writeRest(gateway: Service, path: string, body: object, key = 'demo-coop'): Promise<Row> {
  const response = await fetch(gateway.sandbox.url + path, {
    method: 'POST',
    headers: { authorization: key, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const answer = (await response.json()) as Row;
  expect(response.status, JSON.stringify(answer)).toBe(201);
  return answer;
}

/** The rows with these keys alone. */
export function pick(rows: Row[], ...keys: string[]): Row[] {
  return rows.map((row) => Object.fromEntries(keys.map((key) => [key, row[key]])));
}

/** The calls that an answer cost, each as often as it was made; calls in flight together have no order. */
export function expectCalls(answer: Pick<Answer, 'calls'>, ...expected: string[]): void {
  expect(answer.calls.toSorted()).toEqual(expected.toSorted());
}

/** Unix seconds with all the digits of an ISO time in UTC. */
export const unixSeconds = (iso: string) => `${Math.floor(Date.parse(iso) / 1000)}${iso.slice(19, -1)}`;

export const distinct = <T>(values: Iterable<T>): T[] => [...new Set(values)];
