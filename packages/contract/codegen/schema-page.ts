import {
  type GraphQLField,
  type GraphQLSchema,
  getNamedType,
  isInterfaceType,
  isNonNullType,
  isObjectType,
} from 'graphql';
import type { Contract, Endpoint, ResourceType } from './contract.ts';
import { type Inherited, inheritanceOf } from './inheritance.ts';

/** The text of docs/schema.md with its tables written anew, between the comments that name them. */
export function schemaPage(page: string, { endpoints, types }: Contract, schema: GraphQLSchema): string {
  return withTables(page, {
    endpoints: [
      '| REST | GraphQL |',
      '|---|---|',
      ...endpoints.map((endpoint) => {
        const fields = rootFields(schema, endpoint).map((field) => `\`${signatureOf(field)}\``);
        return `| \`${endpoint.method} ${endpoint.path}\` | ${fields.join(', ')} |`;
      }),
    ],
    references: [
      '| type | references |',
      '|---|---|',
      ...[...types.values()]
        .map(({ name, references }) => [name, idFieldsOf(references)] as const)
        .filter(([, fields]) => fields.length > 0)
        .map(([name, fields]) => `| \`${name}\` | ${fields.map((field) => shown(schema, name, field)).join(', ')} |`)
        .sort(),
    ],
    inherited: [
      '| in | takes from the row |',
      '|---|---|',
      ...[...Map.groupBy(inheritanceOf({ types }), ({ type, field }) => `${type}.${field}`)].map(
        ([place, fields]) => `| \`${place}\` | ${fields.map(inherited).join(', ')} |`,
      ),
    ],
  });
}

/** The text of a page with the lines of its tables written anew, between the comments that name them. */
export function withTables(page: string, tables: Readonly<Record<string, readonly string[]>>): string {
  return Object.entries(tables).reduce((text, [name, lines]) => {
    const place = new RegExp(`(<!-- ${name} -->\n)[^]*(\n<!-- /${name} -->)`);
    if (!place.test(text)) throw new Error(`The page has no place for ${name}.`);
    return text.replace(place, (_, start: string, end: string) => `${start}${lines.join('\n')}${end}`);
  }, page);
}

function inherited({ property, from }: Inherited): string {
  return property === from ? `\`${property}\`` : `\`${property}\` from \`${from}\``;
}

/** The field of the endpoint. For one object, all fields that give it, or an interface of its type. */
function rootFields(schema: GraphQLSchema, { rootField, does, kind }: Endpoint): GraphQLField<unknown, unknown>[] {
  const queries = Object.values(schema.getQueryType()?.getFields() ?? {});
  const type = schema.getType(kind);
  if (does === 'get' && isObjectType(type)) {
    const types: unknown[] = [type, ...type.getInterfaces()];
    return queries.filter((field) => types.includes(getNamedType(field.type)));
  }
  const fields = [...queries, ...Object.values(schema.getMutationType()?.getFields() ?? {})];
  return fields.filter(({ name }) => name === rootField);
}

function signatureOf({ name, args }: GraphQLField<unknown, unknown>): string {
  if (args.length === 0) return name;
  const names = args.map((arg) => (isNonNullType(arg.type) ? `${arg.name}!` : arg.name)).join(', ');
  return `${name}(${names.replace('limit, offset, first, after, last, before', '…page')})`;
}

/** Fields of references beside which a field has their ids. */
function idFieldsOf(references: ResourceType['references']): string[] {
  return Object.entries(references)
    .filter(([, { noIdField }]) => !noIdField)
    .map(([field, { objects }]) => objects ?? field);
}

function shown(schema: GraphQLSchema, type: string, field: string): string {
  const owner = schema.getType(type);
  const fields = isObjectType(owner) || isInterfaceType(owner) ? owner.getFields() : {};
  return `\`${field}: ${fields[field]?.type}\``;
}
