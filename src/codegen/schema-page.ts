/** Writes the tables of docs/schema.md, from the contract of the REST service and the SDL. */
import { readFileSync, writeFileSync } from 'node:fs';
import {
  buildASTSchema,
  type GraphQLField,
  type GraphQLSchema,
  getNamedType,
  isInterfaceType,
  isNonNullType,
  isObjectType,
  parse,
} from 'graphql';
import { parse as parseYaml } from 'yaml';
import { typeDefs } from '../graphql/type-defs.ts';

const contractFile = new URL('../../schema/rest-service.openapi.yaml', import.meta.url);
const pageFile = new URL('../../docs/schema.md', import.meta.url);

interface Endpoint {
  name: string;
  method: string;
  path: string;
}

/** The page with its two tables written anew, between the comments that name them. */
export function schemaPage(page: string): string {
  const schema = buildASTSchema(parse(typeDefs()));
  const tables = { endpoints: endpointsTable(schema), references: referencesTable(schema) };
  return Object.entries(tables).reduce((text, [name, rows]) => {
    const place = new RegExp(`(<!-- ${name} -->\n)[^]*(\n<!-- /${name} -->)`);
    if (!place.test(text)) throw new Error(`docs/schema.md has no place for ${name}.`);
    return text.replace(place, (_, start: string, end: string) => `${start}${rows.join('\n')}${end}`);
  }, page);
}

function endpointsTable(schema: GraphQLSchema): string[] {
  const rows = endpoints().map((endpoint) => {
    const fields = rootFields(schema, endpoint).map((field) => `\`${signatureOf(field)}\``);
    return `| \`${endpoint.method} ${endpoint.path}\` | ${fields.join(', ')} |`;
  });
  return ['| REST | GraphQL |', '|---|---|', ...rows];
}

function endpoints(): Endpoint[] {
  const { paths } = parseYaml(readFileSync(contractFile, 'utf8')) as {
    paths: Record<string, Record<string, { operationId?: string }>>;
  };
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, { operationId: name }]) =>
      name ? [{ name, method: method.toUpperCase(), path }] : [],
    ),
  );
}

/** `listFarmers` is the field `farmers`, `getFarmer` is `farmer`, and a write has its own name. */
function rootFields(schema: GraphQLSchema, { name }: Endpoint): GraphQLField<unknown, unknown>[] {
  const [, verb, rest = ''] = /^(list|get)(.*)$/.exec(name) ?? [];
  const field = verb ? rest[0]?.toLowerCase() + rest.slice(1) : name;
  const fields = { ...schema.getQueryType()?.getFields(), ...schema.getMutationType()?.getFields() };
  const found = fields[field];
  if (!found) throw new Error(`No root field ${field} stands for ${name}.`);
  const type = schema.getType(rest);
  const shared = verb === 'get' && isObjectType(type) ? type.getInterfaces() : [];
  return [found, ...Object.values(fields).filter(({ type }) => shared.some((one) => one === getNamedType(type)))];
}

function signatureOf({ name, args }: GraphQLField<unknown, unknown>): string {
  const names = args.map((arg) => (isNonNullType(arg.type) ? `${arg.name}!` : arg.name)).join(', ');
  return `${name}(${names.replace('limit, offset, first, after, last, before', '…page')})`;
}

/** A field with objects whose ids stand in a field beside it. */
function referencesTable(schema: GraphQLSchema): string[] {
  const rows = Object.values(schema.getTypeMap()).flatMap((type) => {
    if (!(isObjectType(type) || isInterfaceType(type))) return [];
    const fields = type.getFields();
    const references = Object.values(fields).filter(
      ({ name }) => `${name}_id` in fields || `${name.replace(/ies$/, 'y').replace(/s$/, '')}_ids` in fields,
    );
    const shown = references.map(({ name, type: to }) => `\`${name}: ${to}\``);
    return shown.length > 0 ? [`| \`${type.name}\` | ${shown.join(', ')} |`] : [];
  });
  return ['| type | references |', '|---|---|', ...rows.sort()];
}

if (import.meta.main) writeFileSync(pageFile, schemaPage(readFileSync(pageFile, 'utf8')));
