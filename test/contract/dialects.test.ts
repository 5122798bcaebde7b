import { expect, test } from 'vitest';
import { Contract } from '../../packages/contract/contract.ts';
import type { ContractData } from '../../packages/contract/data.ts';
import { ask, type OtherService, startService } from '../../packages/rest-graph/test/other-service.ts';
import { traceability } from '../../src/app.ts';
import { startGateway } from '../support/harness.ts';

const { data } = traceability.contract;
const settings = { UPSTREAM_DIALECT: 'auto' };

/** A gateway whose contract differs from the service's. Its service is the sandbox. */
async function start(change: Partial<ContractData>, dialect: 'spec' | 'connect' = 'spec') {
  let service: OtherService | undefined;
  const gateway = await startGateway({
    app: { ...traceability, contract: new Contract({ ...data, ...change }) },
    sandbox: { dialect },
    settings,
    upstreamUrl: async (sandboxUrl) => {
      service = await startService(sandboxUrl, (request) =>
        ask(sandboxUrl, request, { authorization: request.headers.authorization ?? '' }),
      );
      return service.url;
    },
  });
  return { gateway, sent: service?.requests ?? [] };
}

const create = `mutation {
  createPaymentTransaction(input: { source: "F1", destination: "F2", currency: "EUR", amount: 1, date: "2026-01-02T03:04:05Z" }) { id }
}`;

test.each([
  ['iso', '2026-01-02T03:04:05Z'],
  ['unix', '1767323045'],
] as const)('where there is one dialect, a write asks for none, and sends times as %s', async (times, date) => {
  const { gateway, sent } = await start({ dialects: [{ name: 'only', times }] });
  await using _ = gateway;
  await gateway.query(create);
  expect(sent.map(({ method, body }) => [method, (body as { date?: string } | undefined)?.date])).toEqual([
    ['POST', date],
  ]);
});

test('where dialects differ in the form of times alone, the first times of an answer show the dialect', async () => {
  const dialects = [
    { name: 'seconds', times: 'unix' },
    { name: 'texts', times: 'iso' },
  ] as const;
  const { gateway, sent } = await start({ dialects });
  await using _ = gateway;
  await gateway.query('{ farmers(limit: 1) { count } }');
  await gateway.query(create);
  const dates = sent.flatMap(({ body }) => (body as { date?: string } | undefined)?.date ?? []);
  expect(dates).toEqual(['2026-01-02T03:04:05Z']);
});

test('a filter of ISO 8601 is sent so', async () => {
  const list = data.endpoints.listFarmers!;
  const check = { ...list.filterChecks!.updated_after!, times: 'iso' } as const;
  const endpoints = {
    ...data.endpoints,
    listFarmers: { ...list, filterChecks: { ...list.filterChecks, updated_after: check } },
  };
  const { gateway, sent } = await start({ endpoints });
  await using _ = gateway;
  await gateway.query('{ farmers(limit: 1, updated_after: "2026-01-02T03:04:05Z") { count } }');
  expect(new URLSearchParams(sent[0]?.path.split('?')[1]).get('updated_after')).toBe('2026-01-02T03:04:05Z');
});

test('a gateway does not start with a dialect that its contract lacks', async () => {
  const contract = new Contract({ ...data, dialects: [data.dialects[0]!, { name: 'other', times: 'unix' }] });
  const starting = startGateway({ app: { ...traceability, contract }, settings: { UPSTREAM_DIALECT: 'connect' } });
  await expect(starting).rejects.toThrow('UPSTREAM_DIALECT is connect; the contract has spec, other.');
});
