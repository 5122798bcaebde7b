import { addForm, formFields } from '../forms.ts';
import { object } from '../framework/fields.ts';
import { coop } from '../framework/keys.ts';
import type { FormRow } from '../framework/options.ts';
import { coopForms } from '../seed/forms.ts';
import { rowSource } from './row-source.ts';

export const forms = rowSource<FormRow>()({
  table: 'form',
  fields: formFields,
  field: object(formFields),
  fill: (_row, { n }) => ({ owner: coop.company, ...(coopForms[n % coopForms.length] as FormRow) }),
  add: (session, body) => addForm(session, body),
});
