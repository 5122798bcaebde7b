import { addDecimals } from '../decimal.ts';
import { addPayment } from '../resources/payment-transactions.ts';
import { addProductTransaction, type ProductTransaction } from '../resources/product-transactions.ts';
import { Session } from '../session.ts';
import { products } from './catalog.ts';
import type { SeedClock } from './clock.ts';
import type { SeededFarmer } from './farmers.ts';
import type { Random } from './random.ts';

export interface World {
  session: Session;
  random: Random;
  clock: SeedClock;
  coop: string;
  buyer: string;
  coopUsers: string[];
  buyerUsers: string[];
  currency: string;
  /** Ids by name. */
  products: Map<string, string>;
  premiums: Map<string, string>;
  /** Of the option `Grade A` of the quality bonus. */
  gradeA: string;
  /** Of the cooperative and of the buyer, type TRANSACTION. */
  coopForm: string;
  buyerForm: string;
}

interface Purchase {
  farmer: SeededFarmer;
  destination: string;
  creator: string;
  form?: string;
  daysBefore: number;
}

/** Cooperative and farmers trade every day of the last year; a shipment takes what up to four purchases brought in. */
export function seedTrade(world: World, farmers: SeededFarmer[], buyersFarmers: SeededFarmer[]): void {
  const { random, coop, buyer, coopUsers, buyerUsers, coopForm } = world;
  const days = 360;
  const inStore = new Map<string, ProductTransaction[]>();
  let purchases = 0;
  for (let step = 0; step < 600; step++) {
    const daysBefore = days - (step / 600) * days;
    const stock = [...inStore.values()].find((lots) => lots.length >= 4 && isShared(nameOf(world, lots[0])));
    if (step % 5 === 4 && stock) {
      ship(world, stock.splice(0, random.integer(2, 4)), daysBefore);
      continue;
    }
    // 113 has no factor in common with 240, so every farmer sells before anyone sells again.
    const farmer = farmers[(purchases++ * 113) % farmers.length] as SeededFarmer;
    const creator = coopUsers[purchases % 4 === 0 ? 1 : purchases % 7 === 0 ? 2 : 0] as string;
    const lot = purchase(world, { farmer, destination: coop, creator, form: coopForm, daysBefore });
    inStore.set(lot.product, [...(inStore.get(lot.product) ?? []), lot]);
  }
  for (let step = 0; step < 24; step++) {
    const farmer = random.pick(buyersFarmers);
    const creator = buyerUsers[step % 3 === 2 ? 1 : 0] as string;
    purchase(world, { farmer, destination: buyer, creator, daysBefore: days - step * 15 });
  }
}

function purchase(world: World, { farmer, destination, creator, form, daysBefore }: Purchase): ProductTransaction {
  const { random, clock } = world;
  const created_on = clock.goTo(daysBefore);
  const { crops } = farmer.region;
  const name = random.pick(destination === world.coop ? crops : crops.filter(isShared));
  const product = world.products.get(name) as string;
  const kilograms = random.integer(8_000, 420_000);
  const author = { creator, updater: creator };
  return addProductTransaction(as(world.session, creator, destination), {
    source: farmer.id,
    destination,
    product,
    currency: world.currency,
    quantity: thousandths(kilograms),
    amount: thousandths(Math.round(kilograms * priceOf(name))),
    card: farmer.card,
    date: created_on,
    created_on,
    invoice_number: random.chance(0.6) ? `INV-${random.digits(6)}` : '',
    verification_latitude: farmer.latitude,
    verification_longitude: farmer.longitude,
    quality_correction: random.pick([100, 100, 100, 98, 95.5]),
    transaction_payments: premiumsOf(world, kilograms, farmer, author),
    submissions: form && random.chance(0.25) ? [gradeReport(random, form, product, author)] : [],
    ...author,
  });
}

function premiumsOf(world: World, kilograms: number, farmer: SeededFarmer, author: { creator: string }) {
  const { random, premiums, gradeA } = world;
  const perKilogram = (rate: number) => Math.round((kilograms / 1000) * rate * 100) / 100;
  const shared = { ...author, updater: author.creator, card: farmer.card };
  return [
    ...(random.chance(0.3) ? [{ ...shared, premium: premiums.get('Organic premium'), amount: perKilogram(0.3) }] : []),
    ...(random.chance(0.15)
      ? [{ ...shared, premium: premiums.get('Quality bonus'), selected_option: gradeA, amount: perKilogram(0.5) }]
      : []),
  ];
}

function gradeReport(random: Random, form: string, product: string, author: { creator: string; updater: string }) {
  const values = [
    { field: 'moisture', value: (random.integer(65, 125) / 10).toFixed(1) },
    { field: 'grade', value: random.pick(['A', 'B', 'B', 'C']) },
    { field: 'bags', value: String(random.integer(1, 7)) },
  ];
  return { form, product, values: values.map((value) => ({ ...value, ...author })), ...author };
}

function ship(world: World, lots: ProductTransaction[], daysBefore: number): void {
  const { session, random, clock, coop, buyer, coopUsers, currency, buyerForm } = world;
  const [first] = lots as [ProductTransaction];
  const created_on = clock.goTo(daysBefore);
  const creator = coopUsers[0] as string;
  const quantity = addDecimals(lots.map((lot) => lot.quantity as string));
  const author = { creator, updater: creator };
  const container = `${random.pick(['MSKU', 'MEDU', 'CMAU'])}${random.digits(7)}`;
  addProductTransaction(as(session, creator, coop), {
    source: coop,
    destination: buyer,
    product: first.product,
    currency,
    quantity,
    amount: thousandths(Math.round(Number(quantity) * 1000 * priceOf(nameOf(world, first)) * 1.35)),
    parents: lots.map(({ id }) => id),
    date: created_on,
    created_on,
    invoice_number: `SGC-EXP-${random.digits(4)}`,
    verification_latitude: 4.8966,
    verification_longitude: -1.7554,
    submissions: random.chance(0.5)
      ? [{ form: buyerForm, values: [{ field: 'container', value: container }], ...author }]
      : [],
    ...author,
  });
}

/** Premiums that are paid on their own: the cooperative to its farmers, the buyer to the cooperative. */
export function seedPayouts(world: World, farmers: SeededFarmer[]): void {
  const { session, random, clock, coop, buyer, coopUsers, buyerUsers, currency, premiums } = world;
  for (let payout = 0; payout < 80; payout++) {
    const created_on = clock.goTo(320 - payout * 4);
    const isToFarmer = payout % 4 !== 3;
    const farmer = farmers[(payout * 17) % farmers.length] as SeededFarmer;
    const creator = (isToFarmer ? coopUsers[0] : buyerUsers[0]) as string;
    addPayment(as(session, creator, isToFarmer ? coop : buyer), {
      source: isToFarmer ? coop : buyer,
      destination: isToFarmer ? farmer.id : coop,
      premium: premiums.get(isToFarmer ? 'Living income supplement' : 'Long-term partnership premium'),
      amount: isToFarmer ? 40 : random.integer(40_000, 180_000) / 100,
      currency,
      card: isToFarmer ? farmer.card : null,
      invoice_number: `PAY-${random.digits(6)}`,
      verification_latitude: isToFarmer ? farmer.latitude : 0,
      verification_longitude: isToFarmer ? farmer.longitude : 0,
      date: created_on,
      created_on,
      creator,
      updater: creator,
    });
  }
}

function as(session: Session, user: string, company: string): Session {
  const { store, dialect, origin, language, now } = session;
  return new Session({ store, dialect, origin, language, now, caller: { user, company } });
}

const nameOf = (world: World, lot: ProductTransaction | undefined) =>
  [...world.products].find(([, id]) => id === lot?.product)?.[0] as string;

// What the buyer buys is in its catalog, so that everything it sees of a transaction can be looked up.
const isShared = (name: string) => products.some((product) => product.name === name && product.in === 'both');

const priceOf = (name: string) => products.find((product) => product.name === name)?.price ?? 1;

function thousandths(count: number): string {
  const digits = String(count).padStart(4, '0');
  return `${digits.slice(0, -3)}.${digits.slice(-3)}`;
}
