import { currencies, entityCardOf } from './catalogs.ts';
import { formOf, submissionOf } from './forms.ts';
import { atLeast, hoursIn, idOf, pick } from './ids.ts';
import { firstNames, lastNames, userOf } from './users.ts';

const cities = ['Kampala', 'Kumasi', 'Pereira', 'Đà Lạt', 'Manado', 'Lavras', 'Nyeri', 'Jimma', 'Bogor', 'Yaoundé'];

/** Blocks of 100 farmers share 20 buyers and 10 creators. One farmer in four carries a form submission. */
export const farmers = Array.from({ length: atLeast(2_000) }, (_, i) => {
  const id = idOf('farmer', i);
  return {
    first_name: pick(firstNames, i),
    id,
    entity_card: entityCardOf(i, id),
    submission: i % 4 === 0 ? submissionOf(i, 'FARMER') : null,
    phone: i % 9 ? `+2547${10000000 + i}` : null,
    updated_on: hoursIn(i + 9),
    created_on: hoursIn(i),
    image: i % 3 ? `https://cdn.example.org/f/${i}.jpg` : null,
    description: null,
    house_name: `House ${i}`,
    street: `Street ${i % 50}`,
    city: pick(cities, i),
    sub_province: `Sub ${i % 20}`,
    province: `Province ${i % 10}`,
    latitude: 1 + (i % 100) / 100,
    longitude: 30 + (i % 77) / 100,
    zipcode: String(10000 + i),
    country: 'Uganda',
    number: `F${10000 + i}`,
    email: i % 2 ? `f${i}@example.org` : null,
    identification_no: `ID${i}`,
    reference_number: `R${i}`,
    last_name: pick(lastNames, i * 7),
    date_of_birth: '1980-01-01',
    gender: i % 2 ? 'FEMALE' : 'MALE',
    consent_status: pick(['GRANTED', 'NOT_GRANTED', 'UNKNOWN'], i),
    creator: userOf(i % 10),
    updater: userOf((i + 1) % 10),
    buyer: idOf('company', ((i % 20) + Math.floor(i / 100)) % 25),
  };
});

/** In the shape of the detail, with its expanded references: companies have no list. */
export const companies = Array.from({ length: 25 }, (_, i) => {
  const id = idOf('company', i);
  const buyer = (i + 1) % 25;
  const buyerId = idOf('company', buyer);
  return {
    name: nameOf(i),
    id,
    currency: currencies[i],
    created_on: hoursIn(i),
    updated_on: hoursIn(i + 5),
    description: `Buys and sells product ${i}`,
    house_name: `HQ ${i}`,
    street: 'Main street',
    city: pick(cities, i),
    sub_province: 'Sub',
    province: 'Province',
    latitude: 1.5,
    longitude: 32.5,
    zipcode: '1000',
    country: 'Uganda',
    email: `c${i}@example.org`,
    phone: `+25620${i}`,
    buy_enabled: true,
    sell_enabled: i % 2 === 0,
    quality_correction: false,
    allow_multiple_login: true,
    creator: userOf(i % 10),
    updater: userOf(i % 10),
    image: `https://cdn.example.org/c/${i}.png`,
    members: [userOf(i), userOf(i + 1)],
    products: [idOf('product', i % 12)],
    buyer: {
      id: buyerId,
      name: nameOf(buyer),
      entity_card: entityCardOf(2000 + buyer, buyerId),
      image: null,
      description: null,
    },
    entity_card: entityCardOf(2000 + i, id),
    forms: [formOf(i, 'TRANSACTION')],
    field_visibilties: [0, 1, 2].map((position) => ({
      name: `fv${position}`,
      company: id,
      id: idOf('fv', i * 3 + position),
      updated_on: hoursIn(i),
      created_on: hoursIn(i),
      visibility: true,
      type: 'TRANSACTION',
      creator: userOf(1),
      updater: userOf(1),
    })),
    owned_premiums: [idOf('premium', i % 6)],
  };
});

function nameOf(company: number): string {
  return `Company ${company} Coöperative`;
}
