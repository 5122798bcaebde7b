import { getNamedType, isInputObjectType, isLeafType, isObjectType } from 'graphql';
import { executableSchema } from '../../packages/rest-graph/graph/schema.ts';
import type { Sandbox } from '../../packages/sandbox/server.ts';
import { traceability } from '../../src/app.ts';
import type { Answer } from './client.ts';
import { idsByKind } from './ids-by-kind.ts';
import { listPaths } from './rest-endpoints.ts';

/** Any JSON of the service. */
export type Json = Answer['data'];

/** The body of a GET, straight from the sandbox and out of its envelope. */
export async function get(sandbox: Sandbox, path: string, key = 'demo-coop'): Promise<Json> {
  const response = await fetch(sandbox.url + path, { headers: { authorization: key } });
  const body = (await response.json()) as Json;
  if (response.status !== 200) throw new Error(`GET ${path} answered ${response.status}: ${JSON.stringify(body)}`);
  return body.success === undefined ? body : body.data;
}

/** The body of the last call. */
export function lastBody(sandbox: Sandbox): unknown {
  return sandbox.calls().at(-1)?.body;
}

/** The number of rows of each list and of each part of the company that the cooperative sees. */
export async function rowCounts(sandbox: Sandbox): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const path of Object.values(listPaths)) counts[path] = (await get(sandbox, `${path}?limit=1`)).count;
  const [farmer] = (await get(sandbox, '/supply-chains/farmers/?limit=1')).results;
  const { members, forms, owned_premiums } = await get(sandbox, `/supply-chains/companies/${farmer.buyer}/`);
  return { ...counts, members: members.length, forms: forms.length, premiums: owned_premiums.length };
}

export interface WorldIds extends Record<string, string> {
  user: string;
  policy: string;
  company: string;
  farmer: string;
  entityCard: string;
  product: string;
  card: string;
  currency: string;
  form: string;
  field: string;
  premium: string;
  option: string;
  transaction: string;
  payment: string;
  submission: string;
  /** The company that buys from the cooperative; the cooperative is `company`. */
  buyer: string;
  otherCurrency: string;
  otherFarmer: string;
  /** A colleague of `user`. */
  otherUser: string;
}

/** An id of every kind in the seeded world of the specification's dialect. */
export async function knownIds(sandbox: Sandbox): Promise<WorldIds> {
  const rows = async (path: string) => (await get(sandbox, path)).results as Json[];
  const ids = await idsByKind((path) => get(sandbox, path));
  const [farmers, payments, dollars, euros] = await Promise.all([
    rows('/supply-chains/farmers/?limit=2'),
    rows('/transactions/payment-transactions/?limit=100'),
    rows('/catalogs/currencies/?search=USD'),
    rows('/catalogs/currencies/?search=EUR'),
  ]);
  const company = await get(sandbox, `/supply-chains/companies/${ids.company}/`);
  const form = company.forms.find((each: Json) => each.form_type === 'TRANSACTION');
  return {
    ...ids,
    user: company.members[0],
    otherUser: company.members[1],
    buyer: company.buyer.id,
    otherFarmer: farmers[1].id,
    currency: dollars[0].id,
    otherCurrency: euros[0].id,
    form: form.id,
    formField: form.fields[0].id,
    field: form.fields[0].id,
    option: ids.premiumOption,
    transaction: ids.productTransaction,
    payment: payments.find(({ payment_type }) => payment_type === 'PREMIUM').id,
  } as Record<string, string> as WorldIds;
}

const schema = executableSchema(traceability);

/** Selects all fields of a type but objects and the texts of enums. */
export function leavesOf(typeName: string): string {
  const type = schema.getType(typeName);
  if (!isObjectType(type)) throw new Error(`There is no type ${typeName}.`);
  const leaves = Object.values(type.getFields()).filter((field) => isLeafType(getNamedType(field.type)));
  return leaves
    .map(({ name }) => name)
    .filter((name) => !name.endsWith('_raw'))
    .join(' ');
}

/** Paths of the fields of an input type, nested ones too, that `value` leaves out. */
export function fieldsLeftOut(typeName: string, value: Json, path = 'input'): string[] {
  const type = schema.getType(typeName);
  if (!isInputObjectType(type)) return [];
  return Object.values(type.getFields()).flatMap((field) => {
    const at = `${path}.${field.name}`;
    const sent = value[field.name];
    if (sent === undefined) return [at];
    const items = Array.isArray(sent) ? sent : [sent];
    return items.flatMap((item) => fieldsLeftOut(getNamedType(field.type).name, item, at));
  });
}
