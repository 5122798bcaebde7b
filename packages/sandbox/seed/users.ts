import { buyer, coop } from '../framework/keys.ts';
import type { World } from '../framework/world.ts';
import { addUser, currentPolicy } from '../users.ts';

const coopStaff = [
  {
    first_name: 'Abena',
    last_name: 'Owusu-Ansah',
    email: 'abena@sankofa.example',
    phone: '+233 24 555 0101',
    language: 'en',
  },
  {
    first_name: 'Théogène',
    last_name: 'Habimana',
    email: 'theogene@sankofa.example',
    phone: '+250 788 555 102',
    language: 'fr',
  },
  {
    first_name: 'Dewi',
    last_name: 'Lestari',
    email: 'dewi@sankofa.example',
    phone: '+62 812 5550 103',
    language: 'id',
  },
];
const buyerStaff = [
  {
    first_name: 'Maartje',
    last_name: 'de Vries',
    email: 'maartje@noordzee.example',
    phone: '+31 6 55501044',
    language: 'nl',
  },
  {
    first_name: 'Søren',
    last_name: 'Ångström',
    email: 'soren@noordzee.example',
    phone: '+31 6 55501055',
    language: 'en',
  },
  { first_name: 'Inès', last_name: 'Lefèvre', email: 'ines@noordzee.example', phone: '+31 6 55501066', language: 'fr' },
];
/** The ids of the three users of the cooperative, and of the three of the buyer. */
export function seed(world: World) {
  const session = world.session();
  const ids = [...coopStaff, ...buyerStaff].map((person, position) => {
    const user = addUser(session, {
      ...person,
      dob: `19${70 + position * 4}-0${position + 1}-1${position}`,
      address: position < 3 ? '12 Harper Road, Adum, Kumasi' : 'Prins Hendrikkade 108, Amsterdam',
      accepted_policy: position === 5 ? null : currentPolicy,
      default_entity: position < 3 ? coop.company : buyer.company,
    });
    return session.store.update('user', { ...user, image: '/media/images/person.png' }).id;
  });
  return { ofCoop: ids.slice(0, 3), ofBuyer: ids.slice(3) };
}
