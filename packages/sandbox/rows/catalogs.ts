import { addPremium, premiumFields } from '../catalogs.ts';
import type { Company } from '../companies.ts';
import { boolean, list, nullable, object, reference, required, text } from '../framework/fields.ts';
import { buyer, coop } from '../framework/keys.ts';
import type { PremiumRow, ProductRow } from '../framework/options.ts';
import { coopPremiums, products as standardProducts } from '../seed/catalogs.ts';
import { authorFields, authorship } from '../shared/authorship.ts';
import { rowSource } from './row-source.ts';

const productFields = {
  name: required(text({ min: 1 })),
  description: nullable(text()),
  is_active: boolean,
  image: nullable(text()),
  companies: list(reference('entity', 'company')),
  ...authorFields,
};

export const products = rowSource<ProductRow>()({
  table: 'product',
  fields: productFields,
  field: object(productFields),
  fill(_row, { n }) {
    const { name, description } = nth(standardProducts, n);
    return { name, description, is_active: true, companies: [coop.company, buyer.company] };
  },
  add(session, { name, description = null, is_active = true, image = null, companies = [], ...author }) {
    const { store } = session;
    const id = store.nextId('product');
    const shown = { name, description, image, is_active, companies };
    const product = store.insert('product', { id, ...shown, ...authorship(session, author) });
    for (const company of companies) {
      const row = store.get('entity', company, 'company') as Company;
      store.update('entity', { ...row, products: [...row.products, id] });
    }
    return product;
  },
});

export const premiums = rowSource<PremiumRow>()({
  table: 'premium',
  fields: premiumFields,
  field: object(premiumFields),
  fill: (_row, { n }) => ({ owner: coop.company, ...(nth(coopPremiums, n) as PremiumRow) }),
  add: (session, body) => addPremium(session, body),
});

/** The n-th item, with a number in its name where the list begins again. */
function nth<Item extends { name: string }>(items: readonly Item[], n: number): Item {
  const item = items[n % items.length]!;
  const round = Math.floor(n / items.length) + 1;
  return round === 1 ? item : { ...item, name: `${item.name} ${round}` };
}
