import type { Contract, Endpoint } from './contract.ts';
import { schemaNamed } from './openapi.ts';

/** Properties that the rows of a list lack, and the GET by id of their kind has. */
export function lackedBy({ does, kind, response }: Endpoint, { endpoints, schemas, wire }: Contract): string[] {
  const propertiesOf = (name = '') => schemaNamed(schemas, name)?.properties ?? {};
  const rows = propertiesOf(propertiesOf(response)[wire.page.rows]?.items?.$ref);
  const whole = endpoints.filter((other) => does === 'list' && other.does === 'get' && other.kind === kind);
  return whole.flatMap((get) => Object.keys(propertiesOf(get.response))).filter((name) => !(name in rows));
}

/** The gateway reads what the keys of a list name in its rows, before it completes any. */
export function lackMistakes(contract: Contract): string[] {
  return contract.endpoints.flatMap((endpoint) => {
    const { at, time, waysBack, filters, keys } = endpoint;
    const named = JSON.stringify([time, waysBack, filters.map(({ schema: _schema, ...filter }) => filter), keys]);
    return lackedBy(endpoint, contract)
      .filter((name) => named.includes(`"${name}"`))
      .map((name) => `${at}: its rows lack ${name}, which a key of the list names`);
  });
}
