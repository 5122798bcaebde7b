import {
  type GraphQLField,
  type GraphQLObjectType,
  getDirectiveValues,
  getNamedType,
  isAbstractType,
  isObjectType,
} from 'graphql';
import { expect, test } from 'vitest';
import { ids } from '../../packages/push/test/push.ts';
import { executableSchema } from '../../packages/rest-graph/graph/schema.ts';
import { traceability } from '../../src/app.ts';
import { partFields } from '../../src/generated/contract.ts';
import { describedContract } from '../support/described-contract.ts';
import { startFakedGateway } from '../support/harness.ts';
import { listPaths } from '../support/rest-endpoints.ts';
import type { Row } from '../support/rest-reads.ts';

type AnyField = GraphQLField<unknown, unknown>;

const schema = executableSchema(traceability);
const contract = describedContract();
const directive = schema.getDirective('semanticNonNull')!;

/** Fields of parts show the same objects again. */
const ofParts: Readonly<Record<string, readonly string[]>> = partFields;

/** Levels at which the schema promises a value: 0 is the field, 1 are the items of its list. */
function levelsOf({ astNode }: AnyField): number[] {
  return (getDirectiveValues(directive, astNode ?? {})?.levels as number[] | undefined) ?? [];
}

/** All fields of a type, but not its rows twice. Its objects have all fields too, and the objects below those have their id. */
function everything(type: GraphQLObjectType, depth: number): string {
  return Object.values(type.getFields())
    .filter(({ name, args }) => name !== 'edges' && (depth > 0 || args.length === 0))
    .map((field) => `${field.name} ${selection(field, ofParts[type.name]?.includes(field.name) ? 0 : depth)}`)
    .join(' ');
}

function selection(field: AnyField, depth: number): string {
  const type = getNamedType(field.type);
  const parts = isAbstractType(type) ? schema.getPossibleTypes(type) : isObjectType(type) ? [type] : [];
  if (parts.length === 0) return '';
  const isList = field.args.some(({ name }) => name === 'limit');
  return `${isList ? '(limit: 1)' : ''} { __typename ${parts.map((part) => `... on ${part.name} { ${below(part)} }`)} }`;

  function below(part: GraphQLObjectType): string {
    const hasId = 'id' in part.getFields();
    if (depth > 0) return everything(part, hasId ? depth - 1 : depth);
    return hasId ? 'id' : '__typename';
  }
}

/** Promises of the schema that are null in an answer, each as "Type.field level", with its place. */
function nullPromises(value: Row, path: (string | number)[] = []): { place: string; promise: string }[] {
  const fields = (schema.getType(value.__typename) as GraphQLObjectType).getFields();
  return Object.entries(value).flatMap(([key, child]) => {
    const field = fields[key];
    const levels = field ? levelsOf(field) : [];
    const nullAt = (level: number, at: (string | number)[]) =>
      levels.includes(level) ? [{ place: at.join('.'), promise: `${value.__typename}.${key} ${level}` }] : [];
    const at = [...path, key];
    if (child === null) return nullAt(0, at);
    if (!Array.isArray(child)) return child.__typename ? nullPromises(child, at) : [];
    return child.flatMap((item, index) => {
      if (item === null) return nullAt(1, [...at, index]);
      return item.__typename ? nullPromises(item, [...at, index]) : [];
    });
  });
}

/** Visits the properties but `id` of all objects with an id, down to those that `visit` has lost. */
function visitProperties(value: unknown, visit: (row: Row, key: string) => unknown): void {
  if (typeof value !== 'object' || value === null) return;
  const row = value as Row;
  for (const key of Object.keys(row)) {
    if ('id' in row && key !== 'id') visit(row, key);
    visitProperties(row[key], visit);
  }
}

/** Leaves out each fifth value, or makes it null or empty. The choice follows from `seed`. */
function loseSome(answer: unknown, seed: number): void {
  let state = seed;
  const next = () => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return state / 2 ** 31;
  };
  visitProperties(answer, (row, key) => {
    if (next() > 0.2) return;
    if (next() < 0.5) delete row[key];
    else row[key] = next() < 0.7 ? null : '';
  });
}

const settings = {
  'limits.documents.tokens': '50000',
  'limits.documents.depth': '30',
  'limits.documents.fields': '5000',
  'limits.operations.cost': '100000000',
};

test.each([
  ['spec', 'demo-coop', 1],
  ['connect', 'Bearer demo-coop', 2],
] as const)(
  'a %s service that leaves values out breaks no promise without an error there',
  async (dialect, key, seed) => {
    await using gateway = await startFakedGateway(settings, { sandbox: { dialect } });
    const rows = 'results { id }';
    const { data } = await gateway.query(
      `{ farmers(limit: 1) { results { id buyer_id creator_id } } productTransactions(limit: 1) { ${rows} }
       paymentTransactions(limit: 1) { ${rows} } }`,
      {},
      { key },
    );
    const [farmer] = data.farmers.results;
    const idOf: Record<string, string> = {
      farmer: farmer.id,
      entity: farmer.buyer_id,
      company: farmer.buyer_id,
      user: farmer.creator_id,
      productTransaction: data.productTransactions.results[0].id,
      paymentTransaction: data.paymentTransactions.results[0].id,
    };
    let calls = 0;
    gateway.upstream.respond = () => {
      calls += 1;
      return calls % 7 === 0 ? { status: 500, body: '{}' } : { edit: (answer) => loseSome(answer, seed + calls) };
    };
    let nulls = 0;
    for (const field of Object.values(schema.getQueryType()!.getFields())) {
      const id = idOf[field.name];
      if (!id && !(field.name in listPaths)) continue;
      const document = `{ __typename ${field.name} ${id ? `(id: "${id}")` : ''} ${selection(field, 2)} }`;

      const answer = await gateway.query(document, {}, { key });

      // A non-null field inside an object may make the object null.
      const places = new Set(
        answer.errors.flatMap(({ path = [] }) => path.map((_, at) => path.slice(0, at + 1).join('.'))),
      );
      const found = nullPromises(answer.data);
      expect(found.filter(({ place }) => !places.has(place))).toEqual([]);
      nulls += found.length;
    }
    expect(nulls).toBeGreaterThan(0);
  },
);

test('a card of a real service that has a display_id alone is no error', async () => {
  await using gateway = await startFakedGateway(settings, { sandbox: { dialect: 'connect' } });
  const headers = { authorization: 'Bearer demo-coop', 'content-type': 'application/json' };
  const body = JSON.stringify({ card: { display_id: 'QR 1' }, entity: ids.farmer });
  await fetch(`${gateway.sandbox.url}/supply-chains/entity-cards/`, { method: 'POST', headers, body });

  const { data, errors } = await gateway.query(
    '{ cards(limit: 1) { results { card_id display_id } } }',
    {},
    { key: headers.authorization },
  );

  expect(errors).toEqual([]);
  expect(data.cards.results).toEqual([{ card_id: null, display_id: 'QR 1' }]);
});

/** Promises of the contract, with the properties that show them. The others are about what the gateway loads. */
const ofContract = [...contract.types.values()].flatMap(({ name: type, schemas, references }) =>
  schemas
    .flatMap((schema) => contract.schemas[schema]?.['x-never-null'] ?? [])
    .map((field) => ({ field: `${type}.${field}`, properties: [field, references[field]?.details ?? field] })),
);

test('each property that the contract promises is null with an error where the service leaves it out', async () => {
  await using gateway = await startFakedGateway(settings);
  const submission = `submission {
    __typename form { id } form_id form_details { id } values { __typename field { id } field_id field_details { id } value } }`;
  const both = 'source { id } source_id destination { id } destination_id';
  const document = `{ __typename
    farmers(limit: 20) { __typename results { __typename name first_name ${submission}
      entity_card { __typename card { id } entity { id } entity_id }
      buyer { __typename name } } }
    currencies(limit: 1) { __typename results { __typename name code } }
    products(limit: 1) { __typename results { __typename name } }
    productTransactions(limit: 20) { __typename results { __typename
      amount ${both} product { id } product_id currency { id } currency_id currency_details { id } created_on
      transaction_payments { __typename ${both} premium { __typename name } } } } }`;
  // The list under which the other promises of a submission stand is lost by itself.
  const lost = new Set(['last_name', ...ofContract.flatMap(({ properties }) => properties)]);
  const missing = new Set<string>();
  for (const isLost of [(key: string) => lost.has(key) && key !== 'values', (key: string) => key === 'values']) {
    const edit = (answer: unknown) => visitProperties(answer, (row, key) => isLost(key) && delete row[key]);
    gateway.upstream.respond = () => ({ edit });

    const { data, errors } = await gateway.query(document);

    const places = new Map(errors.map(({ path, extensions }) => [path?.join('.'), extensions.code]));
    for (const { place, promise } of nullPromises(data)) {
      expect([place, places.get(place)]).toEqual([place, 'UPSTREAM_INVALID_RESPONSE']);
      missing.add(promise.split(' ')[0]!);
    }
  }
  const fields = ofContract.map(({ field }) => field);
  expect(fields.filter((field) => !missing.has(field))).toEqual([]);
});

test('a value that the gateway cannot read after a write is null with the error of that read', async () => {
  await using gateway = await startFakedGateway(settings);
  const { data } = await gateway.query('{ paymentTransactions(limit: 1) { results { id } } }');
  gateway.upstream.respond = ({ method }) => (method === 'GET' ? { status: 503, body: '{}' } : undefined);
  const document = `mutation ($id: ID!, $invoice: Upload!) {
    uploadInvoice(payment_transaction: $id, invoice: $invoice) { id source_id source { id } amount } }`;
  const id = data.paymentTransactions.results[0].id;

  const response = await gateway.upload(document, { id, invoice: null }, new File(['%PDF'], 'a.pdf'));

  const { errors } = (await response.json()) as { errors: { path: string[]; extensions: { code: string } }[] };
  const unread = { code: 'UPSTREAM_UNAVAILABLE', retryable: true };
  expect(errors).toMatchObject([
    { path: ['uploadInvoice', 'source_id'], extensions: unread },
    { path: ['uploadInvoice', 'source'], extensions: unread },
    { path: ['uploadInvoice'], extensions: unread },
  ]);
});
