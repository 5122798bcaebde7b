import { created, type Endpoint } from '../endpoint.ts';
import { object } from '../fields.ts';
import { addForm, formFields, showForm } from '../resources/forms.ts';

const form = object(formFields);

export const forms: Endpoint[] = [
  {
    method: 'POST',
    template: '/forms/forms/',
    answer: (session, { body }) => created(showForm(session, addForm(session, form.read(body, session)).id)),
  },
];
