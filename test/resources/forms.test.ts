import { afterAll, beforeAll, expect, test } from 'vitest';
import { fullBody } from '../support/full-body.ts';
import { type Gateway, startGateway } from '../support/harness.ts';
import { fieldsLeftOut, get, type Json, knownIds, lastBody, type WorldIds } from '../support/rest.ts';

let gateway: Gateway;
let ids: WorldIds;

beforeAll(async () => {
  gateway = await startGateway();
  ids = await knownIds(gateway.sandbox);
});
afterAll(() => gateway.close());

const createForm = (selection: string) =>
  `mutation ($input: CreateFormInput!) { createForm(input: $input) { ${selection} } }`;
const authors = 'creator_id updater_id created_on updated_on';
const everything = `
  id form_type owner_id ${authors}
  fields {
    id label label_en_us label_en_uk label_fr label_nl label_ind type key required default_value options ${authors}
  }
  field_config { id label key visibility required ${authors} }
  products { id }`;

const authored = ({ creator, updater, ...plain }: Json) => ({ ...plain, creator_id: creator, updater_id: updater });

/** A form as `everything` shows it, made from the answer to the GET of its owner. */
async function stored(id: string) {
  const { forms } = await get(gateway.sandbox, `/supply-chains/companies/${ids.company}/`);
  const { owner, fields, field_config, ...plain } = forms.find((form: Json) => form.id === id);
  return {
    ...authored(plain),
    owner_id: owner,
    fields: fields.map(authored),
    field_config: field_config.map(authored),
  };
}

test('createForm stores every field as sent, and returns it as stored', async () => {
  const body = fullBody('FormWrite', ids);
  const input = { ...body, fields: body.fields.map((field: Json) => ({ ...field, type: 'FLOAT' })) };
  expect(fieldsLeftOut('CreateFormInput', input)).toEqual([]);

  const { data, errors, calls } = await gateway.query(createForm(everything), { input });

  expect(errors).toEqual([]);
  expect(calls).toEqual(['POST /forms/forms/']);
  expect(lastBody(gateway.sandbox)).toStrictEqual(input);
  const form = data.createForm;
  expect(form).toEqual(await stored(form.id));
  expect(form).toMatchObject({ form_type: 'TRANSACTION', owner_id: ids.company, products: [] });
  const { id: _field, creator: _creator, updater: _updater, ...field } = input.fields[0]!;
  expect(form.fields).toMatchObject([{ ...field, creator_id: ids.user }]);
  const config = { label: 'Invoice', key: 'invoice', visibility: true, required: false, updater_id: ids.user };
  expect(form.field_config).toMatchObject([config]);
});

test('createForm takes an owner alone', async () => {
  const input = { fields: [], owner: ids.company };
  const { data, errors } = await gateway.query(createForm(everything), { input });
  expect(errors).toEqual([]);
  expect(lastBody(gateway.sandbox)).toStrictEqual(input);
  expect(data.createForm).toEqual(await stored(data.createForm.id));
  expect(data.createForm).toMatchObject({ fields: [], field_config: [] });
});

test('createForm reads the owner after the write, with the form', async () => {
  const input = { fields: [{ label: 'Moisture' }], owner: ids.company };
  const { data, errors, calls } = await gateway.query(createForm('id owner { name forms { id } }'), { input });
  expect(errors).toEqual([]);
  const { id, owner } = data.createForm;
  expect(owner.name).toBe('Sankofa Growers Cooperative Union');
  expect(owner.forms).toContainEqual({ id });
  expect(calls).toEqual(['POST /forms/forms/', `GET /supply-chains/companies/${ids.company}/`]);
});
