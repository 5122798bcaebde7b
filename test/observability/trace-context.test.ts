import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Gateway, startGateway } from '../support/harness.ts';

let gateway: Gateway;
beforeAll(async () => {
  gateway = await startGateway({ settings: { 'cache.lists.ttlMs': '60000' } });
});
afterAll(() => gateway.close());

const trace = 'a'.repeat(32);
const span = 'b'.repeat(16);
const traceparent = `00-${trace}-${span}-01`;

/** Trace headers of a call of the service. */
async function traceHeadersWith(headers: Record<string, string>, document = '{ farmers { count } }') {
  const answer = await gateway.query(document, {}, { headers });
  const ids = gateway.sandbox
    .calls()
    .map(({ headers: { 'x-request-id': id, traceparent, tracestate } }) => ({ id, traceparent, tracestate }));
  return { ids, answered: answer.headers.get('x-request-id') };
}

test('the service gets the request id that the client sends or receives', async () => {
  expect(await traceHeadersWith({ 'x-request-id': 'mine-1' })).toMatchObject({
    ids: [{ id: 'mine-1' }],
    answered: 'mine-1',
  });
  const { ids, answered } = await traceHeadersWith({ 'x-request-id': 'not one\tof ours' });
  expect(ids).toEqual([{ id: answered }]);
  expect(answered).toMatch(/^[0-9a-f-]{36}$/);
});

test('reads and writes carry request id and trace context as they came', async () => {
  const document = 'mutation { createFarmer(input: { first_name: "A" }) { buyer { country } } }';
  const { ids } = await traceHeadersWith(
    { 'x-request-id': 'mine-2', traceparent, tracestate: 'vendor=1,other=2' },
    document,
  );
  expect(ids).toEqual(Array(2).fill({ id: 'mine-2', traceparent, tracestate: 'vendor=1,other=2' }));
});

test.each([
  ['of another length', `${traceparent}0`],
  ['in capitals', traceparent.toUpperCase()],
  ['without a trace', `00-${'0'.repeat(32)}-${span}-01`],
  ['without a parent', `00-${trace}-${'0'.repeat(16)}-01`],
  ['of no version', `ff-${trace}-${span}-01`],
  ['of the first version, with more at its end', `${traceparent}-more`],
])('a trace context %s is dropped with its state', async (_how, malformed) => {
  const { ids } = await traceHeadersWith({ traceparent: malformed, tracestate: 'vendor=1' });
  expect(ids).toMatchObject([{ traceparent: undefined, tracestate: undefined }]);
});

test('a trace context of a later version may have further fields', async () => {
  const later = `01-${trace}-${span}-01-more`;
  expect((await traceHeadersWith({ traceparent: later })).ids).toMatchObject([{ traceparent: later }]);
});

test('request ids and trace contexts do not separate callers', async () => {
  const document = '{ currencies(limit: 1) { count } }';
  expect((await traceHeadersWith({ 'x-request-id': 'first', traceparent }, document)).ids).toHaveLength(1);
  expect((await traceHeadersWith({ 'x-request-id': 'second' }, document)).ids).toEqual([]);
});
