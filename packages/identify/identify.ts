import type { App, SchemaPart } from '@gateway/rest-graph';
import { candidates } from './candidates.ts';
import { dataOf, holder } from './holders.ts';

const made = new WeakMap<App, SchemaPart>();

/** Fields of Query that find objects by what people have of them. One value for an app, so that its gateways share a schema. */
export function identify(app: App): SchemaPart {
  const part = made.get(app) ?? newPart(app);
  made.set(app, part);
  return part;
}

function newPart({ contract }: App): SchemaPart {
  const data = dataOf(contract);
  const fields = [
    ...Object.keys(data.holders).map((name) => [name, holder] as const),
    ...Object.keys(data.candidates).map((name) => [name, candidates] as const),
  ];
  return { resolvers: { Query: Object.fromEntries(fields) } };
}
