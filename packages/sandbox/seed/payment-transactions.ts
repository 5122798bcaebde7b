import { buyer, coop } from '../framework/keys.ts';
import { Random } from '../framework/random.ts';
import { SeedClock } from '../framework/seed-clock.ts';
import type { World } from '../framework/world.ts';
import { addPayment } from '../payment-transactions.ts';
import { seed as seedCatalogs } from './catalogs.ts';
import { seed as seedFarmers } from './farmers.ts';
import { seed as seedProductTransactions } from './product-transactions.ts';

/** Premiums that are paid on their own: the cooperative to its farmers, the buyer to the cooperative. */
export function seed(world: World): void {
  // Both kinds of transaction share their ids.
  world.rowsOf(seedProductTransactions);
  const random = new Random(1_096_543_159);
  const clock = new SeedClock(random);
  const { premiums } = world.rowsOf(seedCatalogs);
  const farmers = world.rowsOf(seedFarmers).ofCoop;
  for (let payout = 0; payout < 80; payout++) {
    const created_on = clock.goTo(320 - payout * 4);
    const isToFarmer = payout % 4 !== 3;
    const farmer = farmers[(payout * 17) % farmers.length]!;
    const payer = isToFarmer ? coop : buyer;
    addPayment(
      world.session(payer, () => clock.now()),
      {
        source: payer.company,
        destination: isToFarmer ? farmer.id : coop.company,
        premium: premiums.get(isToFarmer ? 'Living income supplement' : 'Long-term partnership premium')?.id,
        amount: isToFarmer ? 40 : random.integer(40_000, 180_000) / 100,
        currency: 'USD',
        card: isToFarmer ? farmer.card : null,
        invoice_number: `PAY-${random.digits(6)}`,
        verification_latitude: isToFarmer ? farmer.latitude : 0,
        verification_longitude: isToFarmer ? farmer.longitude : 0,
        date: created_on,
        created_on,
        creator: payer.user,
        updater: payer.user,
      },
    );
  }
}
