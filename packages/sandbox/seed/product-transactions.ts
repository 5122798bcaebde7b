import { addDecimals } from '../framework/decimal.ts';
import { buyer, coop } from '../framework/keys.ts';
import { Random } from '../framework/random.ts';
import { SeedClock } from '../framework/seed-clock.ts';
import type { World } from '../framework/world.ts';
import { addProductTransaction, type ProductTransaction } from '../product-transactions.ts';
import { isShared, priceOf, seed as seedCatalogs } from './catalogs.ts';
import { type SeededFarmer, seed as seedFarmers } from './farmers.ts';
import { seed as seedForms } from './forms.ts';
import { seed as seedUsers } from './users.ts';

/** A year of purchases from farmers. A shipment to the buyer takes the goods of up to four of them. */
export function seed(world: World): void {
  const trade = new Trade(world);
  const { random } = trade;
  const farmers = world.rowsOf(seedFarmers);
  const users = world.rowsOf(seedUsers);
  const days = 360;
  const stocks = new Map<string, ProductTransaction[]>();
  let purchases = 0;
  for (let step = 0; step < 600; step++) {
    const daysBefore = days - (step / 600) * days;
    const stock = [...stocks.values()].find((lots) => lots.length >= 4 && isShared(trade.nameOf(lots[0])));
    if (step % 5 === 4 && stock) {
      trade.ship(stock.splice(0, random.integer(2, 4)), daysBefore);
      continue;
    }
    // Because 113 and 240 have no common factor, every farmer sells before any farmer sells again.
    const farmer = farmers.ofCoop[(purchases++ * 113) % farmers.ofCoop.length]!;
    const creator = users.ofCoop[purchases % 4 === 0 ? 1 : purchases % 7 === 0 ? 2 : 0]!;
    const lot = trade.purchase({ farmer, destination: coop.company, creator, daysBefore });
    stocks.set(lot.product, [...(stocks.get(lot.product) ?? []), lot]);
  }
  for (let step = 0; step < 24; step++) {
    const farmer = random.pick(farmers.ofBuyer);
    const creator = users.ofBuyer[step % 3 === 2 ? 1 : 0]!;
    trade.purchase({ farmer, destination: buyer.company, creator, daysBefore: days - step * 15 });
  }
}

interface Purchase {
  farmer: SeededFarmer;
  destination: string;
  creator: string;
  daysBefore: number;
}

class Trade {
  readonly random = new Random(2_310_252_544);
  readonly #clock = new SeedClock(this.random);
  readonly #world: World;
  /** Ids by name. */
  readonly #products: Map<string, string>;

  constructor(world: World) {
    this.#world = world;
    this.#products = new Map(world.rowsOf(seedCatalogs).products.map(({ name, id }) => [name, id]));
  }

  purchase({ farmer, destination, creator, daysBefore }: Purchase): ProductTransaction {
    const { random } = this;
    const created_on = this.#clock.goTo(daysBefore);
    const { crops } = farmer.region;
    const isForCoop = destination === coop.company;
    const name = random.pick(isForCoop ? crops : crops.filter(isShared));
    const product = this.#products.get(name)!;
    const grams = random.integer(8_000, 420_000);
    const author = { creator, updater: creator };
    return addProductTransaction(this.#session(creator, destination), {
      source: farmer.id,
      destination,
      product,
      currency: 'USD',
      quantity: thousandths(grams),
      amount: thousandths(Math.round(grams * priceOf(name))),
      card: farmer.card,
      date: created_on,
      created_on,
      invoice_number: random.chance(0.6) ? `INV-${random.digits(6)}` : '',
      verification_latitude: farmer.latitude,
      verification_longitude: farmer.longitude,
      quality_correction: random.pick([100, 100, 100, 98, 95.5]),
      transaction_payments: this.#premiumPayments(grams, farmer, author),
      submissions: isForCoop && random.chance(0.25) ? [this.#gradeReport(product, author)] : [],
      ...author,
    });
  }

  /** Sells `lots` of one product to the buyer, for 35 % more than the farmers got. */
  ship(lots: ProductTransaction[], daysBefore: number): void {
    const { random } = this;
    const first = lots[0]!;
    const created_on = this.#clock.goTo(daysBefore);
    const quantity = addDecimals(lots.map((lot) => lot.quantity as string));
    const author = { creator: coop.user, updater: coop.user };
    const container = `${random.pick(['MSKU', 'MEDU', 'CMAU'])}${random.digits(7)}`;
    const { shipment: form } = this.#world.rowsOf(seedForms);
    addProductTransaction(this.#session(coop.user, coop.company), {
      source: coop.company,
      destination: buyer.company,
      product: first.product,
      currency: 'USD',
      quantity,
      amount: thousandths(Math.round(Number(quantity) * 1000 * priceOf(this.nameOf(first)) * 1.35)),
      parents: lots.map(({ id }) => id),
      date: created_on,
      created_on,
      invoice_number: `SGC-EXP-${random.digits(4)}`,
      verification_latitude: 4.8966,
      verification_longitude: -1.7554,
      submissions: random.chance(0.5) ? [{ form, values: [{ field: 'container', value: container }], ...author }] : [],
      ...author,
    });
  }

  nameOf(lot: ProductTransaction | undefined): string {
    return [...this.#products].find(([, id]) => id === lot?.product)?.[0] as string;
  }

  #premiumPayments(grams: number, farmer: SeededFarmer, author: { creator: string; updater: string }) {
    const { random } = this;
    const { premiums } = this.#world.rowsOf(seedCatalogs);
    const quality = premiums.get('Quality bonus');
    const perKilogram = (rate: number) => Math.round((grams / 1000) * rate * 100) / 100;
    const shared = { ...author, card: farmer.card };
    const organic = { ...shared, premium: premiums.get('Organic premium')?.id, amount: perKilogram(0.3) };
    const gradeA = {
      ...shared,
      premium: quality?.id,
      selected_option: quality?.options[0]?.id,
      amount: perKilogram(0.5),
    };
    return [...(random.chance(0.3) ? [organic] : []), ...(random.chance(0.15) ? [gradeA] : [])];
  }

  #gradeReport(product: string, author: { creator: string; updater: string }) {
    const { random } = this;
    const { purchase: form } = this.#world.rowsOf(seedForms);
    const values = [
      { field: 'moisture', value: (random.integer(65, 125) / 10).toFixed(1) },
      { field: 'grade', value: random.pick(['A', 'B', 'B', 'C']) },
      { field: 'bags', value: String(random.integer(1, 7)) },
    ];
    return { form, product, values: values.map((value) => ({ ...value, ...author })), ...author };
  }

  #session(user: string, company: string) {
    return this.#world.session({ user, company }, () => this.#clock.now());
  }
}

/** Decimal text of a whole number of thousandths. */
function thousandths(count: number): string {
  const digits = String(count).padStart(4, '0');
  return `${digits.slice(0, -3)}.${digits.slice(-3)}`;
}
