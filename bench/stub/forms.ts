import { hoursIn, idOf } from './ids.ts';
import { userOf } from './users.ts';

/** A form with two fields, embedded in companies and submissions. */
export function formOf(i: number, type: string) {
  return {
    fields: [fieldOf(i, 0), fieldOf(i, 1)],
    owner: idOf('company', i % 25),
    id: idOf('form', i),
    products: [],
    field_config: [
      {
        label: 'City',
        key: 'city',
        id: idOf('ffc', i),
        updated_on: hoursIn(i),
        created_on: hoursIn(i),
        visibility: true,
        required: false,
        creator: userOf(1),
        updater: userOf(1),
      },
    ],
    updated_on: hoursIn(i),
    created_on: hoursIn(i),
    form_type: type,
    creator: userOf(1),
    updater: userOf(1),
  };
}

/** A submission with its whole form: most of the bytes of a row that has one. */
export function submissionOf(i: number, type: string) {
  return {
    form: idOf('form', i % 25),
    values: [0, 1].map((position) => ({
      field: idOf('formfield', (i % 25) * 10 + position),
      value: `value ${i}-${position}`,
      id: idOf('sv', i * 2 + position),
      field_details: fieldOf(i % 25, position),
      ...stampsOf(i),
    })),
    id: idOf('submission', i),
    form_details: formOf(i % 25, type),
    product: idOf('product', i % 12),
    ...stampsOf(i),
  };
}

function fieldOf(i: number, position: number) {
  return {
    label: `Field ${position}`,
    type: 'TEXT',
    id: idOf('formfield', i * 10 + position),
    updated_on: hoursIn(i),
    created_on: hoursIn(i),
    label_en_us: `Field ${position}`,
    label_en_uk: `Field ${position}`,
    label_fr: `Champ ${position}`,
    label_nl: `Veld ${position}`,
    label_ind: `Bidang ${position}`,
    key: `field_${position}`,
    required: position === 0,
    default_value: '',
    options: '',
    creator: userOf(1),
    updater: userOf(1),
  };
}

function stampsOf(i: number) {
  return { updated_on: hoursIn(i + 7), created_on: hoursIn(i), creator: userOf(i % 10), updater: userOf((i + 3) % 10) };
}
