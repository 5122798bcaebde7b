import { addCompany, type Company } from '../resources/companies.ts';
import { addMember } from '../resources/company-members.ts';
import { addUser, changeUser, currentPolicy } from '../resources/users.ts';
import type { Session } from '../session.ts';
import type { Row } from '../store.ts';
import { currencies } from './currencies.ts';

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
const roles = ['SUPER_ADMIN', 'ADMIN', 'REPORTER'];

export function seedUsers(session: Session): string[] {
  return [...coopStaff, ...buyerStaff].map(
    (person, position) =>
      addUser(session, {
        ...person,
        dob: `19${70 + position * 4}-0${position + 1}-1${position}`,
        address: position < 3 ? '12 Harper Road, Adum, Kumasi' : 'Prins Hendrikkade 108, Amsterdam',
        accepted_policy: position === 5 ? null : currentPolicy,
      }).id,
  );
}

/** Ids of the currencies by code. */
export function seedCurrencies(session: Session): Map<string, string> {
  const now = session.now();
  return new Map(
    currencies.map(({ code, name }) => {
      const row: Row & { name: string; code: string } = {
        id: session.store.nextId('currency'),
        name,
        code,
        created_on: now,
        updated_on: now,
      };
      return [code, session.store.insert('currency', 'currency', row).id];
    }),
  );
}

/** The cooperative that farmers sell to, and the company that buys from it. */
export function seedCompanies(session: Session, users: string[], currencyIds: Map<string, string>) {
  const [, , , buyerUser] = users;
  const coop = addCompany(session, {
    name: 'Sankofa Growers Cooperative Union',
    currency: currencyIds.get('USD'),
    description: 'A union of cocoa, coffee and spice growers in Ghana, Rwanda and Indonesia',
    house_name: 'Cocoa House',
    street: '12 Harper Road',
    city: 'Kumasi',
    sub_province: 'Kumasi Metropolitan',
    province: 'Ashanti',
    latitude: 6.6885,
    longitude: -1.6244,
    zipcode: 'AK-039-5028',
    country: 'Ghana',
    email: 'office@sankofa.example',
    phone: '+233 32 555 0100',
    quality_correction: true,
  });
  const buyer = addCompany(session, {
    name: 'Noordzee Koffie & Cacao B.V.',
    currency: currencyIds.get('EUR'),
    description: 'Importer and roaster, one ship a week into Amsterdam — « de koffie is klaar »',
    house_name: 'Pakhuis De Zwijger',
    street: 'Prins Hendrikkade 108',
    city: 'Amsterdam',
    sub_province: 'Amsterdam',
    province: 'Noord-Holland',
    latitude: 52.3731,
    longitude: 4.9049,
    zipcode: '1011 AK',
    country: 'Netherlands',
    email: 'inkoop@noordzee.example',
    phone: '+31 20 555 0100',
    creator: buyerUser,
    updater: buyerUser,
  });
  const linked = session.store.update<Company>('entity', { ...coop, buyer: buyer.id });
  users.forEach((user, position) => {
    const company = position < 3 ? coop.id : buyer.id;
    addMember(session, user, { company, type: roles[position % 3], is_active: position !== 5 });
    const row = session.store.get('user', user) as Parameters<typeof changeUser>[1];
    changeUser(session, row, { default_entity: company });
  });
  return { coop: linked, buyer };
}
