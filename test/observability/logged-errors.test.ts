import { DatabaseSync } from 'node:sqlite';
import { GraphQLError, parse } from 'graphql';
import { request } from 'undici';
import { describe, expect, test } from 'vitest';
import { loggedError } from '../../packages/base/logged-error.ts';
import { errorFormatter } from '../../packages/graphql-serve/operations/errors/format.ts';
import { CurrentRequest, currentRequest } from '../../packages/graphql-serve/request/current-request.ts';
import { createLogger } from '../../packages/graphql-serve/watch/logger.ts';
import { printed, serve } from '../support/own-process.ts';

const thrownBy = async (run: () => unknown): Promise<unknown> => {
  try {
    await run();
  } catch (error) {
    return error;
  }
  throw new Error('Nothing was thrown.');
};

describe('the log of an error', () => {
  const unknown: Record<string, () => void> = {};
  const canary: unknown = 'canary@example.org';

  test.each<[string, () => unknown, object]>([
    [
      'that a text is no JSON',
      () => JSON.parse(canary as string),
      { type: 'SyntaxError', reason: 'is not valid JSON' },
    ],
    ['that a number is none', () => BigInt(canary as string), { type: 'SyntaxError' }],
    [
      'that something is missing',
      () => (unknown.canary as never)[canary as never],
      { type: 'TypeError', reason: 'Cannot read properties of undefined' },
    ],
    ['that there is no such function', () => unknown.canary!(), { type: 'TypeError', reason: 'is not a function' }],
    ['that there is no such address', () => new URL(canary as string), { type: 'TypeError', code: 'ERR_INVALID_URL' }],
    [
      'that a statement is wrong',
      () => new DatabaseSync(':memory:').exec(canary as string),
      { type: 'Error', code: 'ERR_SQLITE_ERROR', reason: 'SQL logic error' },
    ],
    ['who refuses', () => request('http://127.0.0.1:1/canary'), { code: 'ECONNREFUSED', syscall: 'connect' }],
    ['what is no error', () => Promise.reject(canary), { type: 'string' }],
    [
      'what caused it',
      () => {
        throw new AggregateError([new Error('canary')], 'canary', {
          cause: Object.assign(new RangeError('canary'), { canary }),
        });
      },
      { type: 'AggregateError', cause: { type: 'RangeError' }, errors: [{ type: 'Error' }] },
    ],
    [
      'no line of its message, whatever it looks like',
      () => {
        throw new Error('a\n    at canary (file:///canary.ts:1:1)');
      },
      { type: 'Error' },
    ],
  ])('holds %s, and no private values', async (_what, run, expected) => {
    const logged = loggedError(await thrownBy(run));

    expect(logged).toMatchObject(expected);
    expect(JSON.stringify(logged)).not.toMatch(/canary|127\.0\.0\.1/);
  });

  test("holds where it was thrown, relative to the gateway's folder", () => {
    expect(loggedError(new Error('a')).stack?.[0]).toMatch(/^test\/observability\/logged-errors\.test\.ts:\d+:\d+$/);
  });
});

test('an error behind many fields of an answer is logged once for each request', async () => {
  const lines: string[] = [];
  const format = errorFormatter(
    createLogger({ level: 'trace' }, { write: (line) => void lines.push(line) }, 'authorization'),
  );
  const [field] = parse('{ canary }').definitions;
  const fail = () =>
    new GraphQLError('canary', { nodes: field, path: ['canary'], originalError: new TypeError('canary') });
  const answer = () => Array.from({ length: 1_000 }, fail).map(format);

  const errors = [
    ...currentRequest.run(new CurrentRequest('order-1'), answer),
    ...currentRequest.run(new CurrentRequest('order-2'), answer),
  ];

  expect(new Set(errors.map(({ message }) => message))).toEqual(new Set(['Something went wrong in the gateway.']));
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { request_id: 'order-1', err: { type: 'TypeError' }, msg: 'Unforeseen error' },
    { request_id: 'order-2', err: { type: 'TypeError' }, msg: 'Unforeseen error' },
  ]);
  expect(lines.join()).not.toContain('canary');
});

describe('an uncaught error', () => {
  /** Does it when the process gets the signal. */
  const onSignal = (what: string) => ({
    LOG_LEVEL: 'error',
    NODE_OPTIONS: `--import "data:text/javascript,process.on('SIGUSR2',()=>{${encodeURIComponent(what)}})"`,
  });
  const linesOf = (output: string) =>
    output.split('\n').flatMap((line) => (line.startsWith('{') ? [JSON.parse(line)] : []));

  test('in a promise is logged once, and the gateway goes on', async () => {
    const gateway = await serve(onSignal('Promise.reject(new TypeError("canary"))'));
    gateway.child.kill('SIGUSR2');
    await printed(gateway, /Unforeseen error/);

    expect((await gateway.post('{ currencies { count } }')).status).toBe(200);
    expect(linesOf(gateway.output())).toMatchObject([
      { level: 50, err: { type: 'TypeError' }, msg: 'Unforeseen error that nobody waits for' },
    ]);
    expect(gateway.output()).not.toContain('canary');
  });

  test('is logged once, and the gateway stops as on SIGTERM with code 1', async () => {
    const gateway = await serve({ ...onSignal('throw new TypeError("canary")'), 'sandbox.delayMs': '700' });
    const asked = gateway.post('{ currencies { count } }');
    await expect.poll(gateway.upstreamCalls).toBe(1);
    gateway.child.kill('SIGUSR2');

    expect((await asked).status).toBe(200);
    expect(await gateway.exit).toBe(1);
    expect(linesOf(gateway.output())).toMatchObject([
      { level: 60, err: { type: 'TypeError' }, msg: 'Unforeseen error that nobody catches: the gateway stops' },
    ]);
    expect(gateway.output()).not.toContain('canary');
  });
});
