import { addCompany, type Company } from '../companies.ts';
import { buyer } from '../framework/keys.ts';
import type { Session } from '../framework/session.ts';
import type { World } from '../framework/world.ts';
import { seed as seedCatalogs } from './catalogs.ts';

/** The cooperative, to which farmers sell, and its buyer: the companies of the two keys. */
export function seed(world: World): void {
  const session = world.session();
  const { products } = world.rowsOf(seedCatalogs);
  const productsOf = (company: Company) =>
    products.filter(({ companies }) => companies.includes(company.id)).map(({ id }) => id);
  const cooperative = addCompany(session, {
    name: 'Sankofa Growers Cooperative Union',
    currency: 'USD',
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
  const importer = addCompany(session, {
    name: 'Noordzee Koffie & Cacao B.V.',
    currency: 'EUR',
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
    creator: buyer.user,
    updater: buyer.user,
  });
  session.store.update('entity', {
    ...cooperative,
    image: '/media/images/cooperative.png',
    buyer: importer.id,
    products: productsOf(cooperative),
  });
  session.store.update('entity', {
    ...importer,
    image: '/media/images/importer.png',
    products: productsOf(importer),
  });
  for (const company of [cooperative, importer]) seedVisibilities(session, company);
}

const visibilities = ['invoice_number', 'verification_latitude', 'verification_longitude', 'quality_correction'];

function seedVisibilities(session: Session, { id: company, creator }: Company): void {
  const now = session.now();
  for (const name of visibilities) {
    session.store.insert('visibility', {
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
