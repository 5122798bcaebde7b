import { anyOf } from '@gateway/base';
import type { Union } from '../data.ts';
import { rootFieldOf } from '../reference.ts';
import { argumentOf, type Contract, conditionOf, type Endpoint } from './contract.ts';
import type { Parameter, Schema } from './openapi.ts';

const size = 'At most 1,000 (setting limits.operations.pageSize).';
const position = 'Cursor of a row in this list with the same filters: give the rows';

const pageArguments = [
  argument(
    'limit',
    'Int',
    'Rows to give: 20 when neither `limit` nor `first` is given, at most 1,000 (setting limits.operations.pageSize).',
  ),
  argument('offset', 'Int', 'Rows to skip. With `limit`; not together with cursors.'),
  argument('first', 'Int', `Rows to give after \`after\`, or from the start. ${size}`),
  argument('after', 'String', `${position} after it.`),
  argument('last', 'Int', `Rows to give before \`before\`, or up to the end. ${size}`),
  argument('before', 'String', `${position} before it. Alone, it gives the previous page.`),
];

/** Fields of Query and Mutation, one for each endpoint, and for each union with unique ids. */
export function rootSdl({ endpoints, unions }: Contract): { Query: string; Mutation: string } {
  const fields = (isRead: boolean) => endpoints.filter(({ does }) => (does !== 'write') === isRead).map(fieldOf);
  const ofUnions = [...unions.values()].filter(({ sharesIds }) => !sharesIds).map(unionField);
  return { Query: [...fields(true), ...ofUnions].join(''), Mutation: fields(false).join('') };
}

function unionField({ name, kinds }: Union): string {
  const any = anyOf(kinds.map(words));
  const args = argument('id', 'ID!', `Id of a ${any}.`).map((line) => `    ${line}\n`);
  const description = described(`The ${any} of this id. Null with \`NOT_FOUND\` when there is none.`, '  ');
  return `${description}  ${rootFieldOf(name)}(\n${args.join('')}  ): ${name}\n`;
}

/** The page of each list. Lists of one kind share it. */
export function connectionsSdl({ endpoints }: Contract): string {
  const lists = endpoints.filter(({ does }) => does === 'list');
  return lists
    .filter(({ kind }, index) => lists.findIndex((other) => other.kind === kind) === index)
    .map(connectionOf)
    .join('');
}

/** Type of the graph for a value that is neither an object nor an id. An Int has 32 bits. */
export function scalarOf({ type, format, 'x-scalar': scalar }: Schema): string {
  if (scalar) return scalar;
  if (format === 'int64') return 'Float';
  if (format === 'date-time') return 'DateTime';
  if (format === 'date') return 'Date';
  const scalars: Record<string, string> = { number: 'Float', integer: 'Int', boolean: 'Boolean' };
  return [type].flat().flatMap((each) => scalars[each ?? ''] ?? [])[0] ?? 'String';
}

function fieldOf(endpoint: Endpoint): string {
  const { rootField, does, kind, id, description, dialect, method, isDeprecated } = endpoint;
  const isDelete = method === 'DELETE';
  const type = does === 'list' ? `${kind}Connection` : isDelete ? 'ID' : kind;
  const gives = isDelete ? ' Gives the id of what is gone.' : '';
  const notFound = id ? ' Null with `NOT_FOUND` when there is none.' : '';
  const refusal = dialect ? ' Refused (`BAD_USER_INPUT`) where the service lacks the endpoint.' : '';
  const args = argumentsOf(endpoint).flatMap((lines) => lines.map((line) => `    ${line}\n`));
  return `${described(`${description.replace(/\w$/, '$&.')}${gives}${notFound}${refusal}`, '  ')}  ${rootField}${args.length > 0 ? `(\n${args.join('')}  )` : ''}: ${type}${isDeprecated ? ' @deprecated' : ''}\n`;
}

function argumentsOf(endpoint: Endpoint): string[][] {
  const { kind, does, method, path, id, filters, body, files } = endpoint;
  const isOfOther = method === 'POST' && body;
  const ofId = isOfOther ? id?.description || `\`${id?.name}\` in the path ${path}.` : `Id of the ${words(kind)}.`;
  return [
    ...(id ? [argument(argumentOf(id, 'id'), 'ID!', ofId)] : []),
    ...filters.map(filterArgument),
    ...(body ? [argument('input', `${body.input}!`, body.description)] : []),
    ...files.map(([name, { description = '' }]) => argument(name, 'Upload!', description)),
    ...conditionArgument(endpoint),
    ...(does === 'list' ? pageArguments : []),
  ];
}

/** The argument with what the object of a write must still be. */
export function conditionArgument(endpoint: Endpoint): string[][] {
  const condition = conditionOf(endpoint);
  if (!condition) return [];
  const { argument: argumentName, property } = condition;
  const name = words(endpoint.kind);
  const description =
    `Changes the ${name} only if ${property ? `its \`${property}\` is still this time` : 'it still has these values'}, as the client has read ` +
    `it. Otherwise it changes nothing: the answer is the ${name} as it is now, with \`CONFLICT\` beside it. Costs one GET before ` +
    'the write. This narrows the race and cannot close it: another change may come between the GET and the write.';
  return [argument(argumentName, property ? 'DateTime' : `${endpoint.body?.input}`, description)];
}

function typeOf(schema: Schema): string {
  const type = schema['x-type'] ?? (schema['x-reference'] ? 'ID' : scalarOf(schema));
  return type === 'JSON' ? 'String' : type;
}

export function filterArgument(filter: Parameter): string[] {
  const refusal = filter['x-only-in'] ? ' Refused (`BAD_USER_INPUT`) where the service lacks the filter.' : '';
  const type = filter.in === 'path' ? 'ID!' : typeOf(filter.schema);
  return argument(argumentOf(filter), filter.join ? `[${type}!]` : type, `${filter.description}${refusal}`);
}

export function argument(name: string, type: string, description: string): string[] {
  return [JSON.stringify(description), `${name}: ${type}`];
}

function connectionOf({ kind, responseDescription }: Endpoint): string {
  return `${described(responseDescription, '')}type ${kind}Connection {
  "Rows that match, on all pages. Asked for alone, it costs one call for one row."
  count: Int!
  "The rows of this page."
  results: [${kind}!]!
  "Cursor for \`after\`. Null on the last page. Those who follow it get each row once, also when rows come meanwhile."
  next: String
  "Cursor for \`before\`. Null on the first page."
  previous: String
  "The rows of this page, each with its cursor."
  edges: [${kind}Edge!]!
  "Where this page lies."
  pageInfo: PageInfo!
}

"One row of a ${kind}Connection."
type ${kind}Edge {
  "Cursor of this row, for \`after\` and \`before\`."
  cursor: String!
  "The row."
  node: ${kind}!
}
`;
}

/** Long text stands in a block. */
export function described(description: string, indent: string): string {
  const line = `${indent}${JSON.stringify(description)}\n`;
  if (line.length <= 121) return line;
  return `${indent}"""\n${indent}${wrapped(description, indent)}\n${indent}"""\n`;
}

export function wrapped(text: string, indent = ''): string {
  return text.replaceAll(/(.{1,110})(?: |$)/g, `$1\n${indent}`).trimEnd();
}

/** `BookCopy` → `book copy`. */
export function words(type: string): string {
  return type.replaceAll(/\B[A-Z]/g, (letter) => ` ${letter}`).toLowerCase();
}
