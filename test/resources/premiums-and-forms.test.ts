import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { codeOf } from '../support/client.ts';
import { type ConnectGateway, startConnectGateway } from '../support/connect-gateway.ts';
import { type FakedGateway, type Gateway, startGateway } from '../support/harness.ts';
import { page, paths, type Row, unknownId } from '../support/rest-reads.ts';

const fields = [
  { list: 'premiums', one: 'premium', type: 'Premium', parts: 'options' },
  { list: 'forms', one: 'form', type: 'Form', parts: 'fields' },
] as const;

describe('a service with the endpoints', () => {
  let connect: ConnectGateway;
  beforeAll(async () => {
    connect = await startConnectGateway();
  });
  afterAll(() => connect.gateway.close());

  test.each(fields)('$list gives a page, and $one one of them by its id', async ({ list, one, parts }) => {
    const path = paths[list] as string;
    const { count, results } = await connect.rest(`${path}?limit=100`);
    expect(count).toBeGreaterThan(1);

    const all = await connect.query(`{ ${list}(limit: 2) { count results { id ${parts} { id } } } }`);
    expect(all.errors).toEqual([]);
    expect(all.data[list].count).toBe(count);
    expect(all.calls).toEqual([page(path, 2)]);

    const row = results.find((each: Row) => each[parts].length > 0);
    const { data, errors, calls } = await connect.query(
      `query ($id: ID!) { ${one}(id: $id) { id created_on ${parts} { id } } }`,
      { id: row.id },
    );
    expect(errors).toEqual([]);
    expect(data[one]).toEqual({
      id: row.id,
      created_on: new Date(row.created_on * 1000).toISOString().replace('.000', ''),
      [parts]: row[parts].map(({ id }: Row) => ({ id })),
    });
    expect(calls).toEqual([`GET ${path}${row.id}/`]);
  });

  test.each(fields)('$one of an unknown id is null with NOT_FOUND', async ({ one, type }) => {
    const { data, errors } = await connect.query(`{ ${one}(id: "${unknownId}") { id } }`);
    expect(data).toEqual({ [one]: null });
    expect(errors).toMatchObject([{ extensions: { code: 'NOT_FOUND', reference: { type, id: unknownId } } }]);
  });

  test('pages by cursors give each premium once', async () => {
    const { results } = await connect.rest('/catalogs/premiums/?limit=100');
    const found: string[] = [];
    for (let after: string | null | undefined; after !== null; ) {
      const document = 'query ($after: String) { premiums(first: 1, after: $after) { results { id } next } }';
      const { data, errors } = await connect.query(document, { after });
      expect(errors).toEqual([]);
      found.push(...data.premiums.results.map(({ id }: Row) => id));
      after = data.premiums.next;
    }
    expect(found.toSorted()).toEqual(results.map(({ id }: Row) => id).toSorted());
  });

  test('a company shows its premiums beside their ids, each for one GET', async () => {
    const { owned_premiums: ids } = await connect.rest(`/supply-chains/companies/${connect.ids.company}/`);
    expect(ids.length).toBeGreaterThan(0);
    const ask = (selection: string) => connect.query(`{ company(id: "${connect.ids.company}") { ${selection} } }`);

    const { data, errors, calls } = await ask('owned_premiums owned_premium_details { id name options { name } }');

    expect(errors).toEqual([]);
    expect(data.company.owned_premiums).toEqual(ids);
    expect(data.company.owned_premium_details.map(({ id }: Row) => id)).toEqual(ids);
    for (const { name } of data.company.owned_premium_details) expect(name).toEqual(expect.any(String));
    expect(calls.filter((call) => call.includes(paths.premiums)).length).toBeLessThanOrEqual(ids.length);
    expect((await ask('owned_premium_details { id }')).calls).toHaveLength(1);
  });

  test('a product shows the premiums of the active company beside their ids', async () => {
    const rows: Row[] = (await connect.rest('/catalogs/products/?limit=100')).results;
    const row = rows.find(({ premiums }) => premiums.length > 0)!;
    const document = '{ products(limit: 100) { results { id premium_ids premium_details { id name } } } }';

    const { data, errors } = await connect.query(document);

    expect(errors).toEqual([]);
    const shown = data.products.results.find(({ id }: Row) => id === row.id);
    expect(shown.premium_ids).toEqual(row.premiums);
    expect(shown.premium_details.map(({ id }: Row) => id)).toEqual(row.premiums);
  });

  test('a premium that a payment embeds needs no call', async () => {
    const document = '{ paymentTransactions(limit: 3) { results { premium { id name options { id } } } } }';
    const { errors, calls } = await connect.query(document);
    expect(errors).toEqual([]);
    expect(calls).toEqual([page(paths.paymentTransactions, 3)]);
  });

  test('the form of a submission, of which the row embeds a part, is read by its id', async () => {
    const document = `{ productTransactions(limit: 100) { results { submissions { form { id fields { id } } } } } }`;
    const { data, errors, calls } = await connect.query(document);
    expect(errors).toEqual([]);
    const forms = data.productTransactions.results.flatMap(({ submissions }: Row) =>
      submissions.map(({ form }: Row) => form),
    );
    expect(forms.length).toBeGreaterThan(0);
    for (const form of forms) expect(form.fields).toEqual(expect.any(Array));
    const distinct = new Set(forms.map(({ id }: Row) => id)).size;
    expect(calls.filter((call) => call.includes('/forms/forms/')).length).toBeLessThanOrEqual(distinct);
  });
});

describe.each(['spec', 'auto'])('a service of the dialect spec, with UPSTREAM_DIALECT=%s', (UPSTREAM_DIALECT) => {
  let gateway: Gateway;
  beforeAll(async () => {
    gateway = await startGateway({ settings: { UPSTREAM_DIALECT } });
    await gateway.query('{ currencies(limit: 1) { count } }');
  });
  afterAll(() => gateway.close());

  test.each(fields.flatMap(({ list, one }) => [list, `${one}(id: "${unknownId}")`]))(
    '%s is refused by its name without a call',
    async (field) => {
      const answer = await gateway.query(`{ ${field} { ${field.includes('(') ? 'id' : 'count'} } }`);

      expect(codeOf(answer)).toBe('BAD_USER_INPUT');
      expect(answer.errors[0]?.message).toMatch(
        new RegExp(`^.${field.replace(/\W.*/, '')}.: .*spec.*UPSTREAM_DIALECT`),
      );
      expect(answer.calls).toEqual([]);
    },
  );

  test('the objects beside ids are unresolved, and the ids stay', async () => {
    const document = '{ products(limit: 1) { results { premium_ids premium_details { name } } } }';
    const { data, errors, calls } = await gateway.query(document);

    const [{ premium_ids, premium_details }] = data.products.results;
    expect(premium_ids.length).toBeGreaterThan(0);
    expect(premium_details).toEqual(premium_ids.map(() => null));
    expect(errors.map(({ extensions }) => extensions)).toMatchObject(
      premium_ids.map((id: string) => ({ code: 'REFERENCE_UNRESOLVED', reference: { type: 'Premium', id } })),
    );
    expect(calls).toEqual([page(paths.products, 1)]);
  });
});

describe('an older service without the endpoints', () => {
  let connect: ConnectGateway;
  beforeAll(async () => {
    connect = await startConnectGateway({ lacks: [paths.premiums, paths.forms] });
  });
  afterAll(() => connect.gateway.close());

  test.each(fields.flatMap(({ list, one }) => [list, `${one}(id: "${unknownId}")`]))(
    '%s is refused by its name, and the service is not asked again',
    async (field) => {
      const document = `{ ${field} { ${field.includes('(') ? 'id' : 'count'} } }`;
      const { upstream } = connect.gateway as FakedGateway;
      for (const _ of [1, 2]) {
        upstream.clear();
        const answer = await connect.query(document);
        expect(codeOf(answer)).toBe('BAD_USER_INPUT');
        expect(answer.errors[0]?.message).toMatch(new RegExp(`^.${field.replace(/\W.*/, '')}.: .*too old`));
      }
      expect(upstream.calls).toEqual([]);
    },
  );

  test('shows of the form of a submission what the row embeds', async () => {
    const document = `{ productTransactions(limit: 100) { results { submissions { form { form_type fields { id } } } } } }`;
    const { data, errors } = await connect.query(document);
    expect(errors).toEqual([]);
    const [form] = data.productTransactions.results.flatMap(({ submissions }: Row) =>
      submissions.map(({ form }: Row) => form),
    );
    expect(form).toEqual({ form_type: expect.any(String), fields: null });
  });
});
