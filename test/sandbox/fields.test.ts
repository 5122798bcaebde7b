import { expect, test } from 'vitest';
import { at, clientOf, disposableSandbox, first, firstAt, idOf, type Json, names, results } from './client.ts';

const words = (text: string) => text.trim().split(/\s+/).toSorted();

/** The tables of the specification's chapter "Resources and their fields". */
const farmer =
  words(`first_name id entity_card submission phone updated_on created_on image description house_name street
  city sub_province province latitude longitude zipcode country number email identification_no reference_number last_name
  date_of_birth gender consent_status creator updater buyer`);
const company = words(`name id currency created_on description house_name street city sub_province province latitude
  longitude zipcode country email phone buy_enabled sell_enabled quality_correction allow_multiple_login creator updater
  buyer entity_card updated_on image members products`);
const companyDetail = [...company, 'forms', 'field_visibilties', 'owned_premiums'].toSorted();
const buyer = words('id name entity_card image description');
const fieldVisibility = words('name company id updated_on created_on visibility type creator updater');
const companyMember = words('user company id updated_on created_on type is_active creator updater');
const user = words(`id first_name last_name email dob phone address image updated_email managing_entitys default_entity
  accepted_policy policy_accepted current_policy language`);
const entityCard = words('card entity id updated_on created_on is_active creator updater');
const card = words('card_id id updated_on created_on display_id creator updater');
const product = words('name id premiums is_active updated_on created_on description image creator updater');
const currency = words('name id code');
const premium = words(`name id options updated_on created_on category type amount included dependant_on_card
  applicable_activity calculation_type is_active creator updater owner`);
const premiumOption = words('name amount id updated_on created_on is_active creator updater');
const form = words('fields owner id products field_config updated_on created_on form_type creator updater');
const formField =
  words(`label type id updated_on created_on label_en_us label_en_uk label_fr label_nl label_ind key required
  default_value options creator updater`);
const formFieldConfig = words('label key id updated_on created_on visibility required creator updater');
const submission = words('form values id form_details product updated_on created_on creator updater');
const submissionValue = words('field value id field_details updated_on created_on creator updater');
const productTransaction =
  words(`amount source destination product id transaction_payments currency type source_quantity
  current_quantity submissions card_details currency_details number date created_on updated_on invoice invoice_number
  verification_latitude verification_longitude method quality_correction quantity creator updater card parents`);
const paymentTransaction = words(`source destination id premium_details currency_details type currency number created_on
  updated_on date invoice invoice_number verification_latitude verification_longitude method payment_type amount
  selected_option creator updater card premium transaction submissions`);

const { get, post, patch } = clientOf(await disposableSandbox());
const isTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/;

test('gives farmers the specified fields, with card and submission as objects', async () => {
  const [found] = results(await get('/supply-chains/farmers/?limit=1'));
  expect(names(found)).toEqual(farmer);
  expect(names(found?.entity_card)).toEqual(entityCard);
  expect(names(at(found, 'entity_card', 'card'))).toEqual(card);
  expect(names(found?.submission)).toEqual(submission);
  const value = firstAt(found, 'submission', 'values');
  expect(names(value)).toEqual(submissionValue);
  expect(names(value?.field_details)).toEqual(formField);
  expect(names(at(found, 'submission', 'form_details'))).toEqual(form);
  expect(found?.created_on).toMatch(isTime);
  expect(found?.buyer).toBe(first);
});

test('gives a company its references as objects when read, as ids when written', async () => {
  const { body: detail } = await get(`/supply-chains/companies/${first}/`);
  expect(names(detail)).toEqual(companyDetail);
  expect(names(detail.currency)).toEqual(currency);
  expect(names(detail.buyer)).toEqual(buyer);
  expect(names(at(detail, 'buyer', 'entity_card'))).toEqual(entityCard);
  expect(names(detail.entity_card)).toEqual(entityCard);
  expect(names(firstAt(detail, 'forms'))).toEqual(form);
  expect(names(firstAt(detail, 'forms', '0', 'field_config'))).toEqual(formFieldConfig);
  expect(names(firstAt(detail, 'field_visibilties'))).toEqual(fieldVisibility);
  const inCatalog = (detail.forms as Json[]).find(({ form_type }) => form_type === 'PRODUCT');
  expect(names(firstAt(inCatalog, 'products'))).toEqual(product);
  for (const list of ['owned_premiums', 'members', 'products'])
    expect(typeof (detail[list] as unknown[])[0]).toBe('string');

  const { body: written } = await patch(`/supply-chains/companies/${first}/`, {});
  expect(names(written)).toEqual(company);
  expect(written.currency).toBe(idOf(at(detail, 'currency')));
  expect(written.buyer).toBe(idOf(at(detail, 'buyer')));
  expect(written.entity_card).toBe(idOf(at(detail, 'entity_card')));
});

test('gives users and members the specified fields', async () => {
  const { body: found } = await get(`/accounts/users/${first}/`);
  expect(names(found)).toEqual(user);
  expect(found).toMatchObject({ managing_entitys: [first], default_entity: first, policy_accepted: 'true' });
  const { body: member } = await post('/supply-chains/company-members/', {
    user: { first_name: 'Ines' },
    company: first,
  });
  expect(names(member)).toEqual(companyMember);
  expect(names(member.user)).toEqual(user);
});

test('gives rows of catalogs and entity cards the specified fields', async () => {
  const [someProduct] = results(await get('/catalogs/products/'));
  expect(names(someProduct)).toEqual(product);
  expect(someProduct).toMatchObject({ is_active: 'true', premiums: expect.any(String) });
  expect(names(results(await get('/catalogs/currencies/'))[0])).toEqual(currency);
  expect(names(results(await get('/catalogs/connect-cards/'))[0])).toEqual(card);
  expect(names(results(await get('/supply-chains/entity-cards/'))[0])).toEqual(entityCard);
  const { body } = await post('/catalogs/premiums/', { name: 'Shade trees', options: [{ name: 'Many', amount: 2.5 }] });
  expect(names(body)).toEqual(premium);
  expect(names(firstAt(body, 'options'))).toEqual(premiumOption);
});

test('gives product transactions their payments, submissions, card and currency as objects', async () => {
  const page = results(await get('/transactions/product-transactions/?limit=100'));
  for (const transaction of page) expect(names(transaction)).toEqual(productTransaction);
  const rich = page.find(({ submissions, card }) => (submissions as Json[]).length > 0 && card !== null);
  expect(names(firstAt(rich, 'transaction_payments'))).toEqual(paymentTransaction);
  expect(names(firstAt(rich, 'submissions'))).toEqual(submission);
  expect(names(rich?.card_details)).toEqual(card);
  expect(names(rich?.currency_details)).toEqual(currency);
  expect(rich?.amount).toMatch(/^\d+\.\d{3}$/);
});

test('gives payment transactions the ids of their submissions', async () => {
  const page = results(await get('/transactions/payment-transactions/?limit=100'));
  for (const payment of page) expect(names(payment)).toEqual(paymentTransaction);
  const premiumPayment = page.find((payment) => payment.premium !== null);
  expect(names(premiumPayment?.premium_details)).toEqual(premium);
});
