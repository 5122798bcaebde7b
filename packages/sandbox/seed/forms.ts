import { addForm } from '../forms.ts';
import { buyer, coop } from '../framework/keys.ts';
import type { World } from '../framework/world.ts';
import { seed as seedCatalogs } from './catalogs.ts';

type FormBody = Parameters<typeof addForm>[1];

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

const buyerForms: Omit<FormBody, 'owner'>[] = [
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

/** The ids of the forms that farmers and transactions fill in. */
export function seed(world: World) {
  const session = world.session();
  const { products } = world.rowsOf(seedCatalogs);
  const shared = products.filter(({ companies }) => companies.length === 2);
  const varieties = shared.slice(0, 3).map(({ id }) => id);
  const ofCoop = coopForms.map((form) =>
    addForm(session, { ...form, owner: coop.company }, form.form_type === 'PRODUCT' ? varieties : []),
  );
  const [shipment] = buyerForms.map((form) => addForm(session, { ...form, owner: buyer.company, creator: buyer.user }));
  const [purchase, farmer] = ofCoop;
  return { purchase: purchase!.id, farmer: farmer!.id, shipment: shipment!.id };
}
