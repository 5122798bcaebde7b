import { expect, test } from 'vitest';
import { startStepwiseService } from '../../packages/cost-report/stepwise-service.ts';
import { startSandbox } from '../../packages/sandbox/server.ts';
import { startGateway } from '../support/harness.ts';
import { firstRows, paths, readRest, writeRest } from '../support/rest-reads.ts';

test('a list scan that goes on reads no fewer pages at once, up to 16', async () => {
  const sandbox = await startSandbox({ maxPageSize: 5 });
  const { count } = await readRest({ sandbox }, `${paths.cards}?limit=1`);
  const [last] = (await readRest({ sandbox }, `${paths.cards}?limit=1&offset=${count - 1}`)).results;
  const payments = await firstRows({ sandbox }, paths.paymentTransactions);
  const { source, destination, premium } = payments.find(({ premium }) => premium)!;
  const body = { source, destination, premium, amount: 1, card: last.id };
  const { id } = await writeRest({ sandbox }, paths.paymentTransactions, body);
  const service = await startStepwiseService(sandbox.url);
  await using gateway = await startGateway({ upstreamUrl: service.url });

  const { data } = await gateway.query(`{ paymentTransaction(id: "${id}") { card { card_id } } }`);
  const calls = (await service.takeCalls()).filter(({ path }) => path.startsWith(paths.cards));
  await service.close();
  await sandbox.close();

  expect(data.paymentTransaction.card.card_id).toBe(last.card_id);
  const widths = [...Map.groupBy(calls, ({ wave }) => wave).values()].map(({ length }) => length);
  expect(widths).toEqual([1, 8, 16, 16, 9]);
  expect(count).toBe(250);
});
