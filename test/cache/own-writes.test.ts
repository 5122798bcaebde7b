import fc from 'fast-check';
import { expect, test } from 'vitest';
import { buyer, coop } from '../../packages/sandbox/framework/keys.ts';
import { type Gateway, startGateway } from '../support/harness.ts';
import { roomForRandom } from '../support/random-documents/document.ts';
import { get, type Json } from '../support/rest.ts';
import { paths } from '../support/rest-reads.ts';

// PROPERTY_RUNS sets the number of histories, PROPERTY_SEED chooses them. A failure prints its seed and history.
const seed = Number(process.env.PROPERTY_SEED ?? 20260901);
const numRuns = Number(process.env.PROPERTY_RUNS ?? 1);

/** Ids of each kind, as one caller sees the service. */
interface World extends Record<string, string[]> {
  companies: [own: string, other: string];
}

/** A write by one of two callers. The numbers choose what it refers to. */
interface Step {
  field: keyof typeof inputs;
  isBuyer: boolean;
  first: number;
  second: number;
}

interface Choice extends Omit<Step, 'field' | 'isBuyer'> {
  isConnect: boolean;
  /** Makes names unique. */
  name: string;
  world: World;
}

/** Smaller than the world of `npm start`, because each write is followed by all reads. Two lists have more than a page. */
const small = {
  companyMembers: 3,
  products: 105,
  cards: 105,
  entityCards: 20,
  premiums: [{ owner: buyer.company }, 6],
  forms: 2,
  farmers: [{ id: 'SELLER', buyer: buyer.company }, 20],
  productTransactions: [{ source: coop.company, destination: buyer.company }, 30],
  paymentTransactions: [{ source: buyer.company, destination: 'SELLER' }, 10],
};

const at = (ids: readonly string[] | undefined, place: number) => ids?.[place % ids.length] as string;

/** The variables of each write. */
const inputs = {
  createFarmer: ({ name, isConnect }: Choice) => ({
    first_name: `Ama ${name}`,
    last_name: 'Written',
    ...(isConnect && { country: 'Ghana', province: 'Ashanti' }),
  }),
  createCompany: ({ name, world }: Choice) => ({ name: `Company ${name}`, currency: at(world.currencies, 0) }),
  updateCompany: ({ name, world, first }: Choice) => ({
    description: name,
    ...(first % 2 === 0 && { entity_card: at(world.entityCards, first) }),
  }),
  createCompanyMember: ({ name, world, second, isConnect }: Choice) => ({
    company: at(world.companies, second),
    ...(isConnect ? { user_id: at(world.users, second) } : { user: { first_name: `Kofi ${name}` } }),
  }),
  updateUser: ({ name }: Choice) => ({ first_name: `Esi ${name}` }),
  createEntityCard: ({ name, world, first, second }: Choice) => ({
    card: {
      card_id: second % 2 === 0 ? at(world.cardIds, second) : `04:${name}`,
      ...(second % 3 > 0 && { display_id: `D${name}` }),
    },
    entity: first % 3 === 0 ? world.companies[0] : at(world.farmers, first),
  }),
  createPremium: ({ name, world, second }: Choice) => ({ name: `Premium ${name}`, owner: at(world.companies, second) }),
  createForm: ({ name, world, second }: Choice) => ({
    owner: at(world.companies, second),
    fields: [{ label: name, type: 'TEXT' }],
  }),
  createProductTransaction: ({ world, first, second }: Choice) => ({
    ...(second % 2 === 0 && world.lots?.[0]
      ? { source: world.companies[0], destination: world.companies[1], parents: [at(world.lots, first)] }
      : { source: at(world.farmers, first), destination: world.companies[0] }),
    product: at(world.products, second),
    currency: at(world.currencies, first),
    card: at(world.cards, second),
    quantity: '5',
    amount: '10',
  }),
  createPaymentTransaction: ({ world, first, second }: Choice) => ({
    source: world.companies[0],
    destination: at(world.farmers, first),
    premium: at(world.premiums, first),
    card: at(world.cards, second),
    amount: 1,
  }),
  uploadInvoice: () => ({}),
};
const fields = Object.keys(inputs) as (keyof typeof inputs)[];

const numbers = fc.nat(1_000);
/** Each write once at least, in any order. */
const history: fc.Arbitrary<Step[]> = fc
  .shuffledSubarray([...fields, 'createEntityCard', 'createPremium'] as typeof fields, { minLength: fields.length + 2 })
  .chain((order) =>
    fc.tuple(
      ...order.map((field) =>
        fc.record({ field: fc.constant(field), isBuyer: fc.boolean(), first: numbers, second: numbers }),
      ),
    ),
  );

const card = 'entity_card { id is_active card { card_id display_id } }';
const reads = [
  `{ farmers(limit: 300) { count results { id name updated_on ${card} } } }`,
  '{ farmers(last_name: "Written") { count results { id } } }',
  '{ entityCards(limit: 20) { count results { id is_active entity { name } card { card_id display_id } } } }',
  '{ entityCards(limit: 1000) { count results { id is_active card { id holder { id } } } } }',
  '{ entityCards { count } cards { count } products { count } currencies { count } }',
  '{ products(limit: 50) { count results { id premium_ids premium_details { name } } } }',
  '{ products(limit: 3, offset: 1) { results { id premium_ids } } }',
  '{ cards(limit: 1000) { count results { id card_id display_id holder { name } } } }',
  '{ cards(last: 2) { count results { id } } }',
  '{ currencies(limit: 1000) { count results { code } } }',
  `query ($company: ID!) {
    company(id: $company) {
      description ${card} members { id first_name } products { id premium_ids } owned_premiums forms { id }
      balance { rows complete }
    }
  }`,
  'query ($user: ID!) { user(id: $user) { first_name managing_entitys { id } } }',
  `query ($farmer: ID!) {
    farmer(id: $farmer) {
      name ${card} totals { rows complete }
      productTransactions(limit: 5) { results { id } complete }
      paymentTransactions(limit: 5) { results { id card { display_id } } complete }
    }
  }`,
  'query ($card: String!) { cardHolder(card_id: $card) { holder { id name } complete } }',
  'query ($card: String!) { cardHolder(card_id: $card) { holder { id } complete } }',
  '{ farmerCandidates(input: { first_name: "Ama", last_name: "Written" }) { candidates { farmer { id } } complete } }',
  `{
    productTransactions(limit: 20) {
      count
      results { id current_quantity card { display_id holder { id } } product { premium_ids } parents { current_quantity } }
    }
  }`,
  '{ productTransactions(quantity_available: true) { count results { id } } }',
  '{ paymentTransactions(limit: 20) { count results { id invoice card { id display_id } premium { name } } } }',
  '{ productTransactionTotals(groupBy: [PRODUCT]) { rows groups { product { id } } } paymentTransactionTotals { rows } }',
  `query ($lot: ID!) {
    productTransaction(id: $lot) {
      current_quantity children { results { id } complete } origin { lots { transaction_id } } use { lots { transaction_id } }
    }
  }`,
];

test.each([
  { dialect: 'spec', scheme: '' },
  { dialect: 'connect', scheme: 'Bearer ' },
] as const)(
  'each caller of a cached $dialect service reads its own writes, and nothing else',
  async ({ dialect, scheme }) => {
    const sandbox = { dialect, shufflesTies: false, seed: small };
    const isConnect = dialect === 'connect';
    let writes = 0;
    const property = fc.asyncProperty(history, async (steps) => {
      await using cached = await startGateway({
        sandbox,
        settings: { ...roomForRandom, 'cache.lists.ttlMs': '600000' },
      });
      await using plain = await startGateway({ sandbox, settings: roomForRandom, upstreamUrl: cached.sandbox.url });
      let last = '';
      for (const { field, isBuyer, ...numbers } of steps) {
        const key = scheme + (isBuyer ? 'demo-buyer' : 'demo-coop');
        const world = await readWorld(cached, key);
        // Writes of the other caller may show later.
        if (key !== last) await readAll(cached, key, world, noCache);
        last = key;
        writes += 1;
        const input = inputs[field]({ ...numbers, isConnect, name: String(writes), world });
        await write(cached, key, field, input, world);
        const now = await readWorld(cached, key);
        const fresh = await readAll(plain, key, now, noCache);
        expect({ field, answers: await readAll(cached, key, now) }).toEqual({ field, answers: fresh });
      }
    });
    await fc.assert(property, { seed, numRuns, endOnFailure: true });
  },
  60_000 + numRuns * 60_000,
);

async function readWorld(gateway: Gateway, key: string): Promise<World> {
  const rows = async (path: string): Promise<Json[]> =>
    (await get(gateway.sandbox, `${path}?limit=100&offset=0`, key)).results;
  const idsOf = (all: Json[]): string[] => all.map(({ id }) => id);
  const [farmers, lots, cards] = await Promise.all([paths.farmers, paths.productTransactions, paths.cards].map(rows));
  const own = farmers?.[0].buyer;
  const { members, owned_premiums } = await get(gateway.sandbox, `${paths.companies}${own}/`, key);
  const payments = await rows(paths.paymentTransactions);
  return {
    farmers: idsOf(farmers ?? []),
    companies: [own, own === coop.company ? buyer.company : coop.company],
    lots: idsOf(lots?.filter((lot) => lot.destination === own && Number(lot.current_quantity) > 0) ?? []),
    cards: idsOf(cards ?? []),
    cardIds: cards?.map(({ card_id }) => card_id) ?? [],
    entityCards: idsOf(await rows(paths.entityCards)),
    products: idsOf(await rows(paths.products)),
    currencies: idsOf(await rows(paths.currencies)),
    payments: idsOf(payments.filter(({ payment_type }) => payment_type === 'PREMIUM')),
    users: members,
    premiums: owned_premiums.length > 0 ? owned_premiums : payments.flatMap(({ premium }) => premium ?? []),
  };
}

const noCache = { 'cache-control': 'no-cache' };

/** All answers, without the messages of errors. */
async function readAll(gateway: Gateway, key: string, world: World, headers: Record<string, string> = {}) {
  const variables = {
    company: world.companies[0],
    user: world.users?.[0],
    farmer: world.farmers?.at(-1),
    card: world.cardIds?.[0],
    lot: world.lots?.[0] ?? 'ZZZZZZZZZZ',
  };
  const answers: object[] = [];
  for (const document of reads) {
    const { data, errors } = await gateway.query(document, variables, { key, headers });
    expect(errors.filter(({ path }) => path === undefined)).toEqual([]);
    answers.push({ document, data, errors: errors.map(({ path, extensions }) => ({ path, code: extensions.code })) });
  }
  return answers;
}

async function write(gateway: Gateway, key: string, field: string, input: object, world: World): Promise<void> {
  if (field === 'uploadInvoice') {
    const document =
      'mutation ($payment: ID!, $file: Upload!) { uploadInvoice(payment_transaction: $payment, invoice: $file) { id } }';
    const file = new File(['%PDF-1.4'], 'invoice.pdf', { type: 'application/pdf' });
    await gateway.upload(document, { payment: world.payments?.[0], file: null }, file, { key });
    return;
  }
  const [of, id] = field.startsWith('update') ? ['$id: ID!, ', 'id: $id, '] : ['', ''];
  const type = `${field.charAt(0).toUpperCase()}${field.slice(1)}Input!`;
  const document = `mutation (${of}$input: ${type}) { ${field}(${id}input: $input) { id } }`;
  const subject = field === 'updateUser' ? world.users?.[0] : world.companies[0];
  const { errors } = await gateway.query(document, { id: of && subject, input }, { key });
  // A service refuses the second membership of a user.
  expect(errors.filter(({ message }) => !message.includes('must make a unique set'))).toEqual([]);
}
