import type { addPremium } from '../resources/catalogs.ts';
import type { addForm } from '../resources/forms.ts';

type PremiumBody = Parameters<typeof addPremium>[1];
type FormBody = Parameters<typeof addForm>[1];

/** `price` is in the currency of the seller's market and per kilogram; `buyers` says whose catalog holds it. */
export const products: { name: string; description: string | null; price: number; in: 'both' | 'coop' | 'buyer' }[] = [
  { name: 'Cocoa beans, wet', description: 'Fresh pulp and beans, weighed at the farm gate', price: 0.85, in: 'both' },
  {
    name: 'Cocoa beans, dried',
    description: 'Fermented six days, sun dried to 7.5 % moisture',
    price: 3.1,
    in: 'both',
  },
  { name: 'Cocoa beans, organic', description: 'Certified organic, fermented and dried', price: 3.75, in: 'both' },
  {
    name: 'Coffee cherries',
    description: 'Ripe red cherries, delivered on the day of picking',
    price: 0.6,
    in: 'both',
  },
  { name: 'Coffee, washed parchment', description: 'Fully washed Bourbon, 12 % moisture', price: 3.9, in: 'both' },
  { name: 'Coffee, natural', description: 'Dried in the cherry on raised beds', price: 4.2, in: 'both' },
  { name: 'Coffee, wet-hulled', description: 'Giling basah from the Gayo highlands', price: 4.6, in: 'both' },
  { name: 'Nutmeg', description: 'Shelled, ABCD grade', price: 6.8, in: 'both' },
  { name: 'Cinnamon, cassia', description: 'Quills of Cinnamomum burmannii', price: 2.7, in: 'both' },
  { name: 'Shea nuts', description: 'Parboiled and dried kernels', price: 0.55, in: 'coop' },
  { name: 'Patchouli leaves', description: null, price: 0.7, in: 'coop' },
  { name: 'Vanilla, cured', description: 'Gourmet grade, 15 to 18 cm', price: 95, in: 'coop' },
  { name: 'Cocoa butter', description: 'Pressed, deodorised', price: 9.4, in: 'buyer' },
  { name: 'Roasted coffee, Café Crème', description: 'Blend for filter and espresso', price: 11.5, in: 'buyer' },
];

export const coopPremiums: PremiumBody[] = [
  { name: 'Organic premium', type: 'PER_KG', amount: 0.3 },
  { name: 'Fairtrade premium', type: 'PER_KG', amount: 0.24, included: false },
  {
    name: 'Quality bonus',
    type: 'PER_KG',
    calculation_type: 'OPTIONS',
    options: [
      { name: 'Grade A', amount: 0.5 },
      { name: 'Grade B', amount: 0.25 },
      { name: 'Grade C', amount: 0.1, is_active: false },
    ],
  },
  { name: 'Card bonus', type: 'PER_TRANSACTION', amount: 1.5, dependant_on_card: true },
  {
    name: 'Living income supplement',
    category: 'PAYOUT',
    type: 'PER_FARMER',
    calculation_type: 'MANUAL',
    amount: 40,
    included: false,
  },
];

export const buyerPremiums: PremiumBody[] = [
  { name: 'Long-term partnership premium', category: 'PAYOUT', type: 'PER_KG', amount: 0.12, included: false },
];

type Labels = [en: string, fr: string, nl: string, ind: string];

const labelled = ([en, fr, nl, ind]: Labels) => ({
  label: en,
  label_en_us: en,
  label_en_uk: en,
  label_fr: fr,
  label_nl: nl,
  label_ind: ind,
});

export const coopForms: Omit<FormBody, 'owner'>[] = [
  {
    form_type: 'TRANSACTION',
    fields: [
      {
        ...labelled(['Moisture (%)', 'Humidité (%)', 'Vochtgehalte (%)', 'Kadar air (%)']),
        key: 'moisture',
        type: 'FLOAT',
        required: true,
      },
      {
        ...labelled(['Grade', 'Qualité', 'Kwaliteit', 'Mutu']),
        key: 'grade',
        type: 'DROPDOWN',
        options: '["A","B","C"]',
        default_value: 'B',
      },
      {
        ...labelled(['Number of bags', 'Nombre de sacs', 'Aantal zakken', 'Jumlah karung']),
        key: 'bags',
        type: 'INTEGER',
      },
    ],
    field_config: [
      { label: 'Invoice number', key: 'invoice_number', visibility: true, required: false },
      { label: 'Quality correction', key: 'quality_correction', visibility: true, required: false },
    ],
  },
  {
    form_type: 'FARMER',
    fields: [
      {
        ...labelled(['Farm size (ha)', 'Superficie (ha)', 'Oppervlakte (ha)', 'Luas kebun (ha)']),
        key: 'farm_size',
        type: 'FLOAT',
        required: true,
      },
      {
        ...labelled(['Household members', 'Membres du ménage', 'Gezinsleden', 'Anggota keluarga']),
        key: 'household',
        type: 'INTEGER',
      },
    ],
    field_config: [{ label: 'Date of birth', key: 'date_of_birth', visibility: false, required: false }],
  },
  {
    form_type: 'PAYMENT',
    fields: [
      {
        ...labelled(['Paid by', 'Payé par', 'Betaald met', 'Dibayar dengan']),
        key: 'paid_by',
        type: 'RADIO',
        options: '["Cash","Mobile money","Bank"]',
      },
    ],
  },
  {
    form_type: 'PRODUCT',
    fields: [{ ...labelled(['Variety', 'Variété', 'Ras', 'Varietas']), key: 'variety', type: 'TEXT' }],
  },
];

export const buyerForms: Omit<FormBody, 'owner'>[] = [
  {
    form_type: 'TRANSACTION',
    fields: [
      {
        ...labelled(['Container', 'Conteneur', 'Container', 'Kontainer']),
        key: 'container',
        type: 'TEXT',
        required: true,
      },
      {
        ...labelled(['Bill of lading', 'Connaissement', 'Cognossement', 'Konosemen']),
        key: 'bill_of_lading',
        type: 'TEXT',
      },
    ],
  },
];

export const visibilities = ['invoice_number', 'verification_latitude', 'verification_longitude', 'quality_correction'];
