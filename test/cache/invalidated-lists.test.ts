import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { EndpointName } from '../../packages/contract/endpoint.ts';
import { type Sandbox, startSandbox } from '../../packages/sandbox/server.ts';
import { serviceContract } from '../../src/service-contract.ts';
import { describedContract } from '../support/described-contract.ts';
import { fullBody } from '../support/full-body.ts';
import { get, type Json, knownIds, type WorldIds } from '../support/rest.ts';

const { endpoints } = describedContract();
const lists = endpoints.filter(({ does, dialect }) => does === 'list' && dialect === undefined);
const indexed = serviceContract.data.parts.identify as { lists: Record<string, { writes: readonly string[] }> };

let sandbox: Sandbox;
let ids: WorldIds;
beforeAll(async () => {
  sandbox = await startSandbox({ data: ':memory:' });
});
beforeEach(async () => {
  sandbox.reset();
  ids = await knownIds(sandbox);
});
afterAll(() => sandbox.close());

/** All rows of each list that the gateway caches or indexes, as a text. */
async function readLists(key: string): Promise<Map<string, string>> {
  const read = lists
    .filter(({ name }) => serviceContract.endpoint(name as EndpointName).isCached || indexed.lists[name])
    .map(async ({ name, path }) => {
      const rows: Json[] = [];
      for (let count = 1; rows.length < count; ) {
        const page = await get(sandbox, `${path}?limit=100&offset=${rows.length}`, key);
        rows.push(...page.results);
        count = page.count;
      }
      return [name, JSON.stringify(rows)] as const;
    });
  return new Map(await Promise.all(read));
}

/** Sends the write of an endpoint with every field that its body has. */
async function write({ method, path, body, files }: (typeof endpoints)[number], key: string): Promise<void> {
  const subject = { companies: ids.company, users: ids.user, 'payment-transactions': ids.payment };
  const place = path.replace(/([a-z-]+)\/\{hashid\}/, (_, kind: keyof typeof subject) => `${kind}/${subject[kind]}`);
  const form = new FormData();
  for (const [name] of files) form.append(name, new File(['%PDF-'], 'a.pdf', { type: 'application/pdf' }));
  const sent = body ? JSON.stringify(fullBody(body.schema, ids)) : form;
  const headers = { authorization: key, ...(body && { 'content-type': 'application/json' }) };
  const answer = await fetch(sandbox.url + place, { method, headers, body: sent });
  expect(answer.status, await answer.text()).toBeLessThan(300);
}

test.each(endpoints.filter(({ does }) => does === 'write').map((endpoint) => [endpoint.name, endpoint] as const))(
  '%s makes each list old that it changes, in the list cache and in the index of holders',
  async (name, endpoint) => {
    const key = 'demo-coop';
    const before = await readLists(key);
    await write(endpoint, key);
    const after = await readLists(key);

    const changed = [...before.keys()].filter((list) => before.get(list) !== after.get(list));
    const { invalidates = [] } = serviceContract.endpoint(name as EndpointName);
    const isSeen = (list: string) =>
      invalidates.some((each) => each === list) || indexed.lists[list]?.writes.includes(name);
    expect(changed.filter((list) => !isSeen(list))).toEqual([]);
  },
);
