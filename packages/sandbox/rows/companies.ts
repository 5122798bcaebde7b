import { addCompany, companyFields } from '../companies.ts';
import { object } from '../framework/fields.ts';
import type { CompanyRow } from '../framework/options.ts';
import { rowSource } from './row-source.ts';

const places = [
  { city: 'Kumasi', province: 'Ashanti', country: 'Ghana', latitude: 6.6885, longitude: -1.6244 },
  { city: 'Kigali', province: 'Kigali', country: 'Rwanda', latitude: -1.9441, longitude: 30.0619 },
  { city: 'Takengon', province: 'Aceh', country: 'Indonesia', latitude: 4.6281, longitude: 96.8464 },
];

const { entity_card: _byEntityCards, ...fields } = companyFields;

export const companies = rowSource<CompanyRow>()({
  table: 'entity',
  fields,
  field: object(fields),
  fill: (_row, { n }) => ({
    name: `Growers Company ${n + 1}`,
    currency: 'USD',
    email: `office@company${n + 1}.example`,
    ...places[n % places.length],
  }),
  add: addCompany,
});
