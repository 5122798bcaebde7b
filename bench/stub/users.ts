import { idOf, pick } from './ids.ts';

export const firstNames = [
  'Amina',
  'Kofi',
  'Lucía',
  'Nguyễn',
  'Siti',
  'José',
  'Grace',
  'Tesfaye',
  'Budi',
  'Marie',
  'Ravi',
  'Wanjiru',
];
export const lastNames = [
  'Okello',
  'Mensah',
  'García',
  'Trần',
  'Wijaya',
  'Silva',
  'Mwangi',
  'Bekele',
  'Putra',
  'Dubois',
  'Nair',
  'Achieng',
];

const count = 40;

/** The id of a user, counted round. */
export function userOf(index: number): string {
  return idOf('user', index % count);
}

export const users = Array.from({ length: count }, (_, i) => ({
  id: idOf('user', i),
  first_name: pick(firstNames, i),
  last_name: pick(lastNames, i * 5),
  email: `user${i}@example.org`,
  dob: `1990-04-0${1 + (i % 9)}`,
  phone: `+2567000${10000 + i}`,
  address: `${i} Market Road`,
  image: `https://cdn.example.org/u/${i}.png`,
  updated_email: '',
  managing_entitys: [idOf('company', i % 25)],
  default_entity: idOf('company', i % 25),
  accepted_policy: 'v3',
  policy_accepted: 'true',
  current_policy: 'v3',
  language: 'en',
}));
