import { assignCard } from '../entity-cards.ts';
import { buyer, coop } from '../framework/keys.ts';
import type { World } from '../framework/world.ts';
import { seed as seedCompanies } from './companies.ts';

/** The cards of the companies; the second card of the cooperative replaces its first. */
export function seed(world: World): void {
  world.rowsOf(seedCompanies);
  const session = world.session();
  assignCard(session, { card: { card_id: '0400000000000001', display_id: 'SGC 000001' }, entity: coop.company });
  assignCard(session, { card: { card_id: '0400000000000002', display_id: 'SGC 000002' }, entity: coop.company });
  assignCard(session, { card: { card_id: '0400000000000003', display_id: 'NKC 000001' }, entity: buyer.company });
}
