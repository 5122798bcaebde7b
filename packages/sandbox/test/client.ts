import { afterAll } from 'vitest';
import { type Sandbox, type SandboxOptions, startSandbox } from '../server.ts';

export type Json = Record<string, unknown>;

export interface Answer {
  status: number;
  headers: Headers;
  text: string;
  /** The parsed body; empty when it is not JSON. */
  body: Json;
}

/** Ids that the seed gives: the first row of every table, the second, and the US dollar. */
export const first = 'J7VY4SD9HV';
export const second = 'T4GPXAH8SF';
export const unknownId = 'AAAAAAAAAA';

/** A sandbox that is closed with the test file. */
export async function disposableSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const sandbox = await startSandbox(options);
  afterAll(() => sandbox.close());
  return sandbox;
}

export function clientOf(sandbox: Sandbox, key = 'demo-coop') {
  const send = async (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) => {
    const isJson = body !== undefined && !(body instanceof FormData);
    const response = await fetch(sandbox.url + path, {
      method,
      redirect: 'manual',
      headers: { authorization: key, ...(isJson && { 'content-type': 'application/json' }), ...headers },
      body: isJson && typeof body !== 'string' ? JSON.stringify(body) : (body as string | FormData | undefined),
    });
    const text = await response.text();
    const isReadable = response.headers.get('content-type')?.includes('json') && text !== '';
    const answer: Answer = {
      status: response.status,
      headers: response.headers,
      text,
      body: isReadable ? JSON.parse(text) : {},
    };
    return answer;
  };
  return {
    send,
    get: (path: string, headers?: Record<string, string>) => send('GET', path, undefined, headers),
    post: (path: string, body: unknown) => send('POST', path, body),
    patch: (path: string, body: unknown) => send('PATCH', path, body),
  };
}

export const results = ({ body }: Answer) => body.results as Json[];
/** The data inside the envelope of the `connect` dialect. */
export const data = ({ body }: Answer) => body.data as Json;
export const idOf = (row: Json | undefined) => row?.id as string;
/** The value under `keys` in a row. */
export const at = (row: Json | undefined, ...keys: string[]) =>
  keys.reduce((found: Json | undefined, key) => found?.[key] as Json | undefined, row);
/** The first item of the list under `keys`. */
export const firstAt = (row: Json | undefined, ...keys: string[]) => at(row, ...keys, '0');
export const names = (value: unknown) => Object.keys(value as Json).toSorted();
