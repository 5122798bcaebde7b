import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Endpoint } from '../../packages/contract/codegen/contract.ts';
import { startSandbox } from '../../packages/sandbox/server.ts';
import { describedContract } from '../support/described-contract.ts';
import { fullBody } from '../support/full-body.ts';
import { idName, idsByKind } from '../support/ids-by-kind.ts';
import { violations } from './strict-schemas.ts';

const { endpoints: all } = describedContract();
const endpoints = all.filter(({ dialect }) => dialect === undefined);

let sandbox: Awaited<ReturnType<typeof startSandbox>>;
let ids: Record<string, string>;

beforeAll(async () => {
  sandbox = await startSandbox();
  ids = await idsByKind(async (path) => (await send({ method: 'GET', path })).answer);
});
afterAll(() => sandbox.close());

test.each(endpoints)("the sandbox's $name accepts and answers as the OpenAPI document says", async (endpoint) => {
  const { method, filters, body, files, does } = endpoint;
  const sent = body ? fullBody(body.schema, ids) : files.length > 0 ? invoice() : undefined;
  if (body) expect(violations(body.schema, sent), 'the request').toEqual([]);
  const query = does === 'list' ? `?limit=100&offset=0${filters.map(widest).join('')}` : '';

  const { status, answer } = await send({ method, path: pathOf(endpoint) + query, body: sent });

  expect(String(status), JSON.stringify(answer)).toMatch(new RegExp(`^${endpoint.status.replaceAll('X', '\\d')}$`));
  expect(violations(endpoint.response, answer), 'the answer').toEqual([]);
  // Tests of apps fail an endpoint by the name in the contract.
  expect(sandbox.calls().at(-1)?.endpoint).toBe(endpoint.name);
});

/** Bodies with only the fields that the document or the sandbox require. */
const leastBodies: Record<string, () => unknown> = {
  createFarmer: () => ({ first_name: 'Esi' }),
  createCompany: () => ({ name: 'Kuapa' }),
  createCompanyMember: () => ({ user: {} }),
  createEntityCard: () => ({ card: { card_id: '04:A2:20' }, entity: ids.farmer }),
  createPremium: () => ({ name: 'Fair trade', options: [{}] }),
  createForm: () => ({ fields: [{}], owner: ids.company, field_config: [{}] }),
  createProductTransaction: () => {
    const { farmer, company, product, currency, form } = ids;
    const submissions = [{ form, values: [] }];
    return { amount: '1', source: farmer, destination: company, product, currency, submissions };
  },
  createPaymentTransaction: () => {
    const { company, farmer, currency, premium } = ids;
    return { source: company, destination: farmer, currency, premium };
  },
};

test.each(Object.keys(leastBodies))("the sandbox's %s answers all fields to a minimal body", async (name) => {
  const { method, path, response } = endpoints.find((each) => each.name === name)!;

  const { status, answer } = await send({ method, path, body: leastBodies[name]!() });

  expect(status, JSON.stringify(answer)).toBeLessThan(300);
  expect(violations(response, answer)).toEqual([]);
});

/** A value with which the filter leaves nothing out. */
function widest({ name, schema }: Endpoint['filters'][number]): string {
  if (schema.type === 'boolean') return `&${name}=false`;
  if (schema.type === 'number') return `&${name}=${name.endsWith('_before') ? 4_000_000_000 : 0}`;
  return `&${name}=`;
}

function pathOf({ path, kind }: Endpoint): string {
  return path.replace('{hashid}', ids[idName(kind)] ?? '');
}

async function send({ method, path, body }: { method: string; path: string; body?: unknown }) {
  const isForm = body instanceof FormData;
  const response = await fetch(`${sandbox.url}${path}`, {
    method,
    headers: {
      authorization: 'demo-coop',
      ...(body !== undefined && !isForm && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: isForm ? body : JSON.stringify(body) }),
  });
  return { status: response.status, answer: await response.json() };
}

function invoice(): FormData {
  const form = new FormData();
  form.set('invoice', new File(['%PDF-1.7'], 'invoice.pdf', { type: 'application/pdf' }));
  return form;
}
