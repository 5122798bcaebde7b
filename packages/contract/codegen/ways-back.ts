import type { DefinitionNode, FieldDefinitionNode } from 'graphql';
import { type Contract, type Endpoint, kindsOf, type ResourceType } from './contract.ts';
import { fieldsIn, withFields } from './object-fields.ts';
import type { WayBack } from './openapi.ts';
import { argument, described, filterArgument, words } from './sdl.ts';

/** A field of a type that shows the rows of a list that refer to an object of the type. */
interface TypedWayBack {
  type: string;
  endpoint: Endpoint;
  way: WayBack;
}

export function waysBackOf(contract: Contract): TypedWayBack[] {
  return contract.endpoints.flatMap((endpoint) =>
    endpoint.waysBack.flatMap((way) => {
      const { references, embedded } = contract.types.get(endpoint.kind) as ResourceType;
      const ownersOf = (field: string) => kindsOf(contract, references[field]?.to ?? embedded[field]);
      return [...new Set(way.of.flatMap(ownersOf))].map((type) => {
        // Objects of other kinds may have the same ids, and the filter may ask for theirs.
        const of = way.of.filter((field) => ownersOf(field).includes(type));
        return { type, endpoint, way: { ...way, of, by: of.length < way.of.length ? undefined : way.by } };
      });
    }),
  );
}

/** Mistakes of `x-ways-back`, each with its YAML path. */
export function wayBackMistakes(contract: Contract): string[] {
  const { endpoints, types } = contract;
  const properties = endpoints.flatMap(({ at, kind, filters, waysBack }) =>
    waysBack.flatMap(({ field, of, by, gives, where }) => {
      const { properties = {}, references = {}, embedded = {} } = types.get(kind) ?? {};
      const place = `${at}.x-ways-back.${field}`;
      const given = references[gives ?? ''];
      const isFlag = [properties[where ?? '']?.type].flat().includes('boolean');
      const filter = filters.find(({ name }) => name === by);
      const { to } = filter?.schema['x-reference'] ?? {};
      const targets = of.flatMap((name) => kindsOf(contract, references[name]?.to ?? embedded[name]));
      return [
        ...of
          .filter((name) => !references[name] && !types.get(embedded[name] ?? '')?.properties.id)
          .map((name) => `${place}.of: ${kind}.${name} refers to no object`),
        ...(by && !filter ? [`${place}.by: the list has no parameter ${by}`] : []),
        ...(filter?.in === 'query' && targets[0] && !kindsOf(contract, to).some((kind) => targets.includes(kind))
          ? [`${place}.by: ${by} needs an x-reference to ${targets.join(' or ')}, whose rows it asks for`]
          : []),
        ...filters
          .filter((filter) => filter.in === 'path' && filter.name !== by)
          .map(({ name }) => `${place}.by: must be ${name}, which stands in the path`),
        ...(gives && (!given || given.list) ? [`${place}.gives: ${kind}.${gives} refers to no object`] : []),
        ...(where && !isFlag ? [`${place}.where: ${kind} has no boolean ${where}`] : []),
      ];
    }),
  );
  const fields = waysBackOf(contract).flatMap(({ type, endpoint: { at }, way: { field } }, index, all) => {
    const first = all.findIndex((other) => other.type === type && other.way.field === field);
    const place = `${at}.x-ways-back.${field}: ${type} has ${first < index ? 'another way back' : 'a property'} of this name`;
    const dialects = Object.entries(contract.dialects).filter(([, places]) => places[type]?.[field]);
    const isTaken = types.get(type)?.properties[field] || first < index;
    return [...(isTaken ? [place] : []), ...dialects.map(([dialect]) => `${place} in x-dialects.${dialect}`)];
  });
  const unordered = endpoints
    .filter(({ does, waysBack, isNewestFirst }) => waysBack.length > 0 && !(isNewestFirst && does === 'list'))
    .map(({ at }) => `${at}.x-ways-back: needs x-newest-first, because a way back shows the newest rows`);
  return [...properties, ...fields, ...unordered];
}

/** Adds the fields to the types that have them. */
export function withWaysBack(contract: Contract, definitions: readonly DefinitionNode[]): DefinitionNode[] {
  const ways = waysBackOf(contract);
  return withFields(definitions, (name, fields) => {
    const own = ways.filter(({ type }) => type === name);
    return [...fields, ...own.flatMap((way) => fieldOf(contract, way))];
  });
}

/** The kinds of rows that ways back show. */
export function rowKindsOf(endpoints: readonly Endpoint[]): string[] {
  const kinds = endpoints.filter(({ waysBack }) => waysBack.some(({ gives }) => !gives)).map(({ kind }) => kind);
  return [...new Set(kinds)];
}

/** The types of these rows. */
export function rowsSdl({ endpoints }: Contract): string {
  return rowKindsOf(endpoints)
    .map((kind) => {
      const rows = `${words(kind)}s`;
      return `"The newest ${rows} that refer to an object."
type ${kind}Rows {
  "The rows, at most \`limit\`."
  results: [${kind}!]!
  "True: \`results\` lacks none of the newest rows, as far as the service shows them. Fewer than \`limit\` are then all."
  complete: Boolean!
  "Why rows may be missing. Null when complete."
  reason: String
}
`;
    })
    .join('');
}

const limit =
  'Rows to give for each object: 20 when `limit` is not given, at most 1,000 (setting limits.operations.pageSize).';

function fieldOf({ types }: Contract, { endpoint, way }: TypedWayBack): readonly FieldDefinitionNode[] {
  const { kind, filters, rootField } = endpoint;
  const { field, gives, by, description } = way;
  const price = by
    ? `Costs pages of \`${rootField}\`, read once for all objects, or a filtered page for each.`
    : `Costs pages of \`${rootField}\`, read once for all objects.`;
  const args = [
    argument('limit', 'Int', limit),
    ...filters.filter((filter) => !filter['x-only-in'] && filter.name !== by).map(filterArgument),
  ];
  const type = gives
    ? types.get(kind)?.references[gives]?.to
    : `(\n${args.map((lines) => lines.map((line) => `    ${line}\n`).join('')).join('')}  ): ${kind}Rows`;
  return fieldsIn(`${described(`${description} ${price}`, '  ')}  ${field}${gives ? ': ' : ''}${type}`);
}
