import { addMember } from '../company-members.ts';
import { buyer, coop } from '../framework/keys.ts';
import type { World } from '../framework/world.ts';
import { seed as seedUsers } from './users.ts';

const types = ['SUPER_ADMIN', 'ADMIN', 'REPORTER'];

export function seed(world: World): void {
  const { ofCoop, ofBuyer } = world.rowsOf(seedUsers);
  const session = world.session();
  for (const [company, users] of [
    [coop.company, ofCoop],
    [buyer.company, ofBuyer],
  ] as const) {
    users.forEach((user, position) => {
      const is_active = company === coop.company || position !== 2;
      addMember(session, user, { company, type: types[position], is_active });
    });
  }
}
