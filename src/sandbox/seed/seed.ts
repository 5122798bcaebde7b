import { encodeId } from '../ids.ts';
import { addPremium, type Product } from '../resources/catalogs.ts';
import type { Company, FieldVisibility } from '../resources/companies.ts';
import { assignCard } from '../resources/entity-cards.ts';
import { addForm, type Form } from '../resources/forms.ts';
import { Session } from '../session.ts';
import { Store } from '../store.ts';
import { buyerForms, buyerPremiums, coopForms, coopPremiums, products, visibilities } from './catalog.ts';
import { SeedClock } from './clock.ts';
import { seedCompanies, seedCurrencies, seedUsers } from './companies.ts';
import { seedFarmers } from './farmers.ts';
import { Random } from './random.ts';
import { seedPayouts, seedTrade } from './trade.ts';

/** A fresh store in memory, once one has been made: a copy takes a fraction of the time, and tests start hundreds. */
let worldInMemory: Uint8Array | undefined;

/** The store of `folder`, or one in memory where that is undefined. An empty one is filled with one fixed world. */
export function openStore(folder: string | undefined): Store {
  const store = new Store(folder);
  if (folder === undefined && worldInMemory) {
    store.load(worldInMemory);
    return store;
  }
  // In one transaction: a process killed meanwhile leaves it empty.
  store.transaction(() => {
    if (store.count('user', []) === 0) buildWorld(store);
  });
  if (folder === undefined) worldInMemory = store.save();
  return store;
}

function buildWorld(store: Store): void {
  const random = new Random(20_260_630);
  const clock = new SeedClock(random);
  clock.goTo(600);
  const caller = { user: encodeId(1), company: encodeId(1) };
  const session = new Session({ store, dialect: 'spec', caller, origin: '', language: '', now: () => clock.now() });

  const users = seedUsers(session);
  const [coopUsers, buyerUsers] = [users.slice(0, 3), users.slice(3)];
  const currencies = seedCurrencies(session);
  const { coop, buyer } = seedCompanies(session, users, currencies);
  const catalog = seedProducts(session, coop, buyer);
  const premiums = [
    ...coopPremiums.map((premium) => addPremium(session, { ...premium, owner: coop.id })),
    ...buyerPremiums.map((premium) => addPremium(session, { ...premium, owner: buyer.id, creator: users[3] })),
  ];
  const soldByBoth = products.filter((product) => product.in === 'both').map(({ name }) => catalog.get(name) as string);
  const forms = coopForms.map((form) =>
    addForm(session, { ...form, owner: coop.id }, form.form_type === 'PRODUCT' ? soldByBoth.slice(0, 3) : []),
  );
  const [buyerForm] = buyerForms.map((form) => addForm(session, { ...form, owner: buyer.id, creator: users[3] }));
  for (const company of [coop, buyer]) seedVisibilities(session, company);
  assignCard(session, { card: { card_id: '0400000000000001', display_id: 'SGC 000001' }, entity: coop.id });
  assignCard(session, { card: { card_id: '0400000000000002', display_id: 'SGC 000002' }, entity: coop.id });
  assignCard(session, { card: { card_id: '0400000000000003', display_id: 'NKC 000001' }, entity: buyer.id });

  const farmerForm = forms.find(({ form_type }) => form_type === 'FARMER')?.id;
  const farmers = seedFarmers(session, random, clock, {
    count: 240,
    buyer: coop.id,
    users: coopUsers,
    form: farmerForm,
  });
  const buyersFarmers = seedFarmers(session, random, clock, {
    count: 12,
    buyer: buyer.id,
    users: buyerUsers,
    form: undefined,
  });
  const world = {
    session,
    random,
    clock,
    coop: coop.id,
    buyer: buyer.id,
    coopUsers,
    buyerUsers,
    currency: currencies.get('USD') as string,
    products: catalog,
    premiums: new Map(premiums.map(({ name, id }) => [name, id])),
    gradeA: premiums.find(({ name }) => name === 'Quality bonus')?.options[0]?.id as string,
    coopForm: (forms[0] as Form).id,
    buyerForm: (buyerForm as Form).id,
  };
  seedTrade(world, farmers, buyersFarmers);
  seedPayouts(world, farmers);
}

/** Ids of the products by name. */
function seedProducts(session: Session, coop: Company, buyer: Company): Map<string, string> {
  const { store } = session;
  const now = session.now();
  const author = { creator: session.caller.user, updater: session.caller.user, created_on: now, updated_on: now };
  const rows = products.map(({ name, description, in: owner }) =>
    store.insert<Product>('product', 'product', {
      id: store.nextId('product'),
      name,
      description,
      image: null,
      is_active: true,
      companies: { both: [coop.id, buyer.id], coop: [coop.id], buyer: [buyer.id] }[owner],
      ...author,
    }),
  );
  for (const company of [coop, buyer]) {
    const own = rows.filter(({ companies }) => companies.includes(company.id)).map(({ id }) => id);
    store.update<Company>('entity', { ...company, products: own });
  }
  return new Map(rows.map(({ name, id }) => [name, id]));
}

function seedVisibilities(session: Session, { id: company, creator }: Company): void {
  const now = session.now();
  for (const name of visibilities) {
    session.store.insert<FieldVisibility>('visibility', 'visibility', {
      id: session.store.nextId('visibility'),
      name,
      company,
      visibility: name !== 'quality_correction',
      type: 'TRANSACTION',
      creator,
      updater: creator,
      created_on: now,
      updated_on: now,
    });
  }
}
