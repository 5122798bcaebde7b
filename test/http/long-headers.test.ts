import Negotiator from 'negotiator';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { parsedHeaders } from '../../packages/graphql-serve/request/header-names.ts';
import { codeOf } from '../support/client.ts';
import { type Gateway, startGateway } from '../support/harness.ts';

const longest = 1_000;
/** Node lets 16 kB of headers through. */
const mostOfNode = 15_500;

let gateway: Gateway;
beforeAll(async () => {
  gateway = await startGateway({ settings: { CALLER_CLAIMS: 'user_id' } });
});
afterAll(() => gateway.close());

/** A list of this many characters, with a last value that the gateway takes. */
function listOf(length: number, last: string): string {
  return `${'a/b,'.repeat(length / 4).slice(0, length - last.length - 1)},${last}`;
}

/** The lists that the parsers of HTTP get, in their order. */
function watchParsers(): string[] {
  const parsed: string[] = [];
  for (const method of ['mediaTypes', 'encodings', 'languages'] as const) {
    const parse = Negotiator.prototype[method] as (this: unknown, ...given: unknown[]) => string[];
    vi.spyOn(Negotiator.prototype, method).mockImplementation(function (this: unknown, ...given: unknown[]) {
      const { headers } = (this as { request: { headers: Record<string, string> } }).request;
      parsed.push(Object.values(headers)[0] ?? '');
      return parse.apply(this, given);
    });
  }
  return parsed;
}

const values: Record<(typeof parsedHeaders)[number], (length: number) => string> = {
  accept: (length) => listOf(length, '*/*'),
  'accept-encoding': (length) => listOf(length, 'gzip'),
  'accept-language': (length) => listOf(length, 'fr'),
  'cache-control': (length) => listOf(length, 'no-cache'),
  'content-encoding': () => 'identity',
  'content-type': (length) => `application/json;a=${'b'.repeat(length - 19)}`,
  'if-none-match': (length) => listOf(length, '"a"'),
  'x-trace-upstream': (length) => 'true,'.repeat(length / 5),
};

describe('a long header', () => {
  test.for(parsedHeaders)('%s of 1,001 characters is refused, and no parser reads it', async (name) => {
    const parsed = watchParsers();
    for (const length of [longest + 1, mostOfNode]) {
      const value = 'a/b,'.repeat(length / 4 + 1).slice(0, length);
      const { status, body } = await gateway.ask('{ __typename }', { headers: { [name]: value } });

      expect([status, codeOf(body)]).toEqual([431, 'BAD_REQUEST']);
      expect(body.errors[0].message).toBe(`The header ${name} is longer than 1000 characters.`);
    }
    expect(parsed.filter((value) => value.length > longest)).toEqual([]);
  });

  test.for(parsedHeaders)('%s of 1,000 characters is read', async (name) => {
    const { status, body } = await gateway.ask('{ __typename }', { headers: { [name]: values[name](longest) } });

    expect([status, body.data]).toEqual([200, { __typename: 'Query' }]);
  });

  test.for(['cookie', 'referer', 'user-agent', 'authorization', 'origin'])(
    '%s of 15,000 characters is not parsed, and not refused',
    async (name) => {
      const headers = { [name]: 'a'.repeat(mostOfNode) };
      const { status } = await gateway.ask('{ __typename }', { headers });

      expect(status).toBe(200);
    },
  );

  test('a refused request over a page keeps the connection for the next one', async () => {
    const page = await gateway.send({ method: 'GET', headers: { accept: `text/html,${'a'.repeat(longest)}` } });

    expect(page.status).toBe(431);
    expect(page.headers.get('connection')).toBe('keep-alive');
  });
});

describe('a request', () => {
  test.for([
    ['new to the operation cache', '{ __typename a: __typename }'],
    ['that is not valid', '{ nothing }'],
    ['for a language, an encoding and a type', '{ farmers(limit: 2) { results { id } } }'],
  ] as const)('%s has each of its lists parsed once', async ([, query]) => {
    const own = crypto.randomUUID();
    const headers = {
      accept: `${values.accept(600)},a/${own}`,
      'accept-encoding': `${values['accept-encoding'](600)},${own}`,
    };
    const parsed = watchParsers();
    await gateway.ask(query, { headers });

    expect(parsed.filter((value) => value === headers.accept)).toHaveLength(1);
    expect(parsed.filter((value) => value === headers['accept-encoding']).length).toBeLessThanOrEqual(1);
  });

  test('has the claims of its token parsed once, and those of a long token never', async () => {
    const tokenOf = (length: number) => {
      const claims = { user_id: crypto.randomUUID(), filler: 'x'.repeat(length * 0.74) };
      return `Bearer a.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.b`;
    };
    const parse = vi.spyOn(JSON, 'parse');
    const payloadsOf = () => parse.mock.calls.filter(([text]) => String(text).startsWith('{"user_id"')).length;
    await gateway.ask('mutation { createFarmer(input: { first_name: "A", last_name: "B" }) { id } }', {
      headers: { authorization: tokenOf(3_000) },
    });
    expect(payloadsOf()).toBe(1);
    await gateway.ask('{ __typename }', { headers: { authorization: tokenOf(14_000) } });

    expect(payloadsOf()).toBe(1);
  });
});
