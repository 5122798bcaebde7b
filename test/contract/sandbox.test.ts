import { afterAll, beforeAll, expect, test } from 'vitest';
import { startSandbox } from '../../src/sandbox/server.ts';
import { fullBodies, type Known } from '../support/full-bodies.ts';
import { type Operation, operations } from './rest-contract.ts';
import { violations } from './strict-schemas.ts';

interface Call {
  id?: string;
  query?: string;
  body?: unknown;
}

let sandbox: Awaited<ReturnType<typeof startSandbox>>;
let known: Known;

beforeAll(async () => {
  sandbox = await startSandbox();
  known = await discover();
});
afterAll(() => sandbox.close());

const calls: Record<string, () => Call> = {
  listFarmers: () => ({ query: 'limit=100&offset=0&first_name=&last_name=&number=&updated_after=0&created_after=0' }),
  createFarmer: () => ({ body: fullBodies.FarmerWrite(known) }),
  getFarmer: () => ({ id: known.farmer }),
  createCompany: () => ({ body: fullBodies.CompanyWrite(known) }),
  getCompany: () => ({ id: known.company }),
  updateCompany: () => ({ id: known.company, body: fullBodies.CompanyWrite(known) }),
  createCompanyMember: () => ({ body: fullBodies.CompanyMemberWrite(known) }),
  getUser: () => ({ id: known.user }),
  updateUser: () => ({ id: known.user, body: fullBodies.UserPatch(known) }),
  createEntityCard: () => ({ body: fullBodies.EntityCardWrite(known) }),
  listEntityCards: () => ({ query: 'limit=100&offset=0' }),
  listProducts: () => ({ query: 'limit=100&offset=0&name=&description=&updated_after=0' }),
  listCards: () => ({ query: 'limit=100&offset=0' }),
  listCurrencies: () => ({ query: 'limit=100&offset=0&search=e' }),
  createPremium: () => ({ body: fullBodies.PremiumWrite(known) }),
  createForm: () => ({ body: fullBodies.FormWrite(known) }),
  createProductTransaction: () => ({ body: fullBodies.ProductTransactionWrite(known) }),
  listProductTransactions: () => ({
    query: 'limit=100&offset=0&updated_after=0&created_after=0&updated_before=4000000000&only_quantity_available=false',
  }),
  getProductTransaction: () => ({ id: known.transaction }),
  createPaymentTransaction: () => ({ body: fullBodies.PaymentTransactionWrite(known) }),
  listPaymentTransactions: () => ({ query: 'limit=100&offset=0' }),
  getPaymentTransaction: () => ({ id: known.payment }),
  uploadInvoice: () => ({ id: known.payment, body: invoice() }),
};

test.each(operations)('$id takes and answers what the document says', async (operation) => {
  const call = calls[operation.id]!();
  if (operation.body) expect(violations(operation.body, call.body), 'the request').toEqual([]);

  const { status, answer } = await send(operation, call);

  expect(String(status), JSON.stringify(answer)).toMatch(new RegExp(`^${operation.status.replaceAll('X', '\\d')}$`));
  expect(violations(operation.answer, answer), 'the answer').toEqual([]);
});

/** What is required, by the document or by the sandbox. */
const leastBodies: Record<string, () => unknown> = {
  createFarmer: () => ({ first_name: 'Esi' }),
  createCompany: () => ({ name: 'Kuapa' }),
  createCompanyMember: () => ({ user: {} }),
  createEntityCard: () => ({ card: { card_id: '04:A2:20' }, entity: known.farmer }),
  createPremium: () => ({ name: 'Fair trade', options: [{}] }),
  createForm: () => ({ fields: [{}], owner: known.company, field_config: [{}] }),
  createProductTransaction: () => {
    const { farmer, company, product, currency, form } = known;
    const submissions = [{ form, values: [] }];
    return { amount: '1', source: farmer, destination: company, product, currency, submissions };
  },
  createPaymentTransaction: () => {
    const { company, farmer, currency, premium } = known;
    return { source: company, destination: farmer, currency, premium };
  },
};

test.each(Object.keys(leastBodies))('%s answers every field to a body of few', async (id) => {
  const operation = operations.find((each) => each.id === id)!;

  const { status, answer } = await send(operation, { body: leastBodies[id]!() });

  expect(status, JSON.stringify(answer)).toBeLessThan(300);
  expect(violations(operation.answer, answer)).toEqual([]);
});

interface Row {
  id: string;
  [field: string]: unknown;
}

interface Page<T> {
  results: T[];
}

/** An id of every kind, found as a client finds them. */
async function discover(): Promise<Known> {
  const first = async (operation: string) => (await answerOf<Page<Row>>(operation)).results[0]?.id;
  const [farmer] = (await answerOf<Page<Row & { creator: string; buyer: string }>>('listFarmers')).results;
  const company = await answerOf<{ forms: (Row & { fields: Row[] })[] }>('getCompany', { id: farmer?.buyer });
  const user = await answerOf<{ current_policy: string }>('getUser', { id: farmer?.creator });
  const transactions = await answerOf<Page<Row & { submissions: Row[] }>>('listProductTransactions');
  const payments =
    await answerOf<Page<Row & { premium_details: (Row & { options: Row[] }) | null }>>('listPaymentTransactions');
  const form = company.forms.find(({ fields }) => fields.length > 0);
  const premium = payments.results.find(({ premium_details }) => premium_details?.options.length)?.premium_details;
  return allPresent({
    user: farmer?.creator,
    policy: user.current_policy,
    company: farmer?.buyer,
    farmer: farmer?.id,
    entityCard: await first('listEntityCards'),
    product: await first('listProducts'),
    card: await first('listCards'),
    currency: await first('listCurrencies'),
    form: form?.id,
    field: form?.fields[0]?.id,
    premium: premium?.id,
    option: premium?.options[0]?.id,
    transaction: transactions.results[0]?.id,
    submission: transactions.results.flatMap(({ submissions }) => submissions)[0]?.id,
    payment: payments.results[0]?.id,
  });
}

function allPresent(ids: { [kind in keyof Known]: string | undefined }): Known {
  const missing = Object.entries(ids).flatMap(([kind, id]) => (id === undefined ? [kind] : []));
  if (missing.length > 0) throw new Error(`The sandbox shows no ${missing.join(', ')}`);
  return ids as Known;
}

async function answerOf<T>(id: string, call?: Call): Promise<T> {
  const operation = operations.find((each) => each.id === id)!;
  const { status, answer } = await send(operation, call ?? calls[id]!());
  if (status !== 200) throw new Error(`${id} answered ${status}: ${JSON.stringify(answer)}`);
  return answer as T;
}

async function send(operation: Operation, { id = '', query = '', body }: Call) {
  const response = await fetch(`${sandbox.url}${operation.path.replace('{hashid}', id)}?${query}`, {
    method: operation.method.toUpperCase(),
    headers: { authorization: 'demo-coop', ...(operation.body && { 'content-type': 'application/json' }) },
    ...(body !== undefined && { body: body instanceof FormData ? body : JSON.stringify(body) }),
  });
  return { status: response.status, answer: await response.json() };
}

function invoice(): FormData {
  const form = new FormData();
  form.set('invoice', new File(['%PDF-1.7'], 'invoice.pdf', { type: 'application/pdf' }));
  return form;
}
