import { showProduct } from './catalogs.ts';
import { createdThenShown, type Endpoints, ok } from './framework/endpoint.ts';
import {
  type Body,
  boolean,
  list,
  object,
  oneOf,
  reference,
  required,
  requiredInConnect,
  text,
} from './framework/fields.ts';
import { page } from './framework/page.ts';
import { Crash, found } from './framework/refusal.ts';
import type { Session } from './framework/session.ts';
import type { Row, TableIndexes } from './framework/store.ts';
import { authorFields, authorship } from './shared/authorship.ts';

declare module './framework/store.ts' {
  interface Tables {
    form: Form;
    submission: Submission;
  }
}

export const tables: TableIndexes = { form: ['owner'], submission: [] };

export const endpoints: Endpoints = {
  listForms: {
    method: 'GET',
    template: '/forms/forms/',
    dialect: 'connect',
    answer: (session, request) =>
      ok(page(session, request, { table: 'form', show: ({ id }) => showForm(session, id) })),
  },
  getForm: {
    method: 'GET',
    template: '/forms/forms/{hashid}/',
    dialect: 'connect',
    answer: (session, { id }) => ok(found(showForm(session, id))),
  },
  createForm: {
    method: 'POST',
    template: '/forms/forms/',
    answer: (session, { body }) => {
      const { id } = addForm(session, form.read(body, session));
      return createdThenShown(() => showForm(session, id));
    },
  },
};

const fieldFields = {
  label: text(),
  type: requiredInConnect(text({ min: 1 })),
  label_en_us: text(),
  label_en_uk: text(),
  label_fr: text(),
  label_nl: text(),
  label_ind: text(),
  key: text(),
  required: boolean,
  default_value: text(),
  options: text(),
  ...authorFields,
};

const configFields = { label: text(), key: text(), visibility: boolean, required: boolean, ...authorFields };

export const formFields = {
  fields: required(list(object(fieldFields))),
  owner: required(reference('entity', 'company')),
  field_config: list(object(configFields)),
  form_type: oneOf('TRANSACTION', 'FARMER', 'PAYMENT', 'PRODUCT'),
  ...authorFields,
};

type FieldBody = Body<typeof fieldFields>;
type Authored<T> = Row & Required<Omit<T, 'creator' | 'updater'>> & { creator: string; updater: string };
export type FormField = Authored<FieldBody>;
type FormFieldConfig = Authored<Body<typeof configFields>>;

export interface Form extends Row {
  fields: FormField[];
  field_config: FormFieldConfig[];
  owner: string;
  products: string[];
  form_type: string;
  creator: string;
  updater: string;
}

interface SubmissionValue extends Row {
  field: string;
  value: string;
  creator: string;
  updater: string;
}

export interface Submission extends Row {
  form: string;
  values: SubmissionValue[];
  product: string | null;
  creator: string;
  updater: string;
}

/** `products` are ids, which clients cannot set. */
export function addForm(session: Session, body: Body<typeof formFields>, products: string[] = []): Form {
  const authored = authorship(session, body);
  return session.store.insert('form', {
    id: session.store.nextId('form'),
    fields: body.fields.map((field) => newField(session, field)),
    field_config: (body.field_config ?? []).map((config) => ({
      label: '',
      key: '',
      visibility: true,
      required: false,
      ...config,
      id: session.store.partId('form_field_config'),
      ...authorship(session, { ...authored, ...config }),
    })),
    owner: body.owner,
    products,
    form_type: body.form_type ?? 'TRANSACTION',
    ...authored,
  });
}

function newField(session: Session, field: FieldBody): FormField {
  const label = field.label ?? field.label_en_us ?? '';
  return {
    type: 'TEXT',
    label_en_us: label,
    label_en_uk: label,
    label_fr: label,
    label_nl: label,
    label_ind: label,
    key: keyOf(label),
    required: false,
    default_value: '',
    options: '',
    ...field,
    label,
    id: session.store.partId('form_field'),
    ...authorship(session, field),
  };
}

const keyOf = (label: string) => label.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '_');

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** The property that the real service shows as `label`, by the first language of the request. */
const labels = {
  'en-uk': 'label_en_uk',
  'en-gb': 'label_en_uk',
  fr: 'label_fr',
  nl: 'label_nl',
  id: 'label_ind',
} as const;

export function showField(session: Session, field: FormField): FormField {
  if (!session.connect) return field;
  // The real service stores options that are not JSON, and fails to show them.
  if (field.options && !isJson(field.options)) throw new Crash();
  const language = session.language.toLowerCase().split(/[,;]/)[0]?.trim() ?? '';
  const slot = Object.hasOwn(labels, language) ? labels[language as keyof typeof labels] : 'label_en_us';
  return { ...field, label: field[slot] || field.label_en_us, options: field.options || '{}' };
}

export function showForm(session: Session, id: string | null) {
  return session.view('form', id, (form) => {
    const fields = form.fields.map((field) => showField(session, field));
    const products = form.products.flatMap((product) => showProduct(session, product) ?? []);
    if (!session.connect) return { ...form, fields, products };
    return {
      ...form,
      fields: fields.toReversed(),
      field_config: form.field_config.toReversed(),
      products: products.map(({ id, name }) => ({ id, name })),
    };
  });
}

const form = object(formFields);
