import { startGateway } from 'traceability-graphql-gateway/testing';
import 'traceability-graphql-gateway/testing/vitest';
import { expect } from 'vitest';

declare const farmers: { __apiType?: (variables: { name: string }) => { farmers: { count: number } } };

export async function typed(): Promise<number> {
  await using gateway = await startGateway({ seed: { farmers: [{ first_name: 'Ama' }, 29] }, pace: 'real' });
  await gateway.fail('listFarmers', 503, { times: 1 });
  // @ts-expect-error: there is no such endpoint
  await gateway.fail('listFarmer', 503);
  await expect(gateway).toCostAtMost({ calls: 3, ms: 200 });
  // @ts-expect-error: the variable is missing
  await gateway.graphql(farmers, {});
  const { data } = await gateway.graphql(farmers, { name: 'Ama' });
  return data?.farmers.count ?? 0;
}
