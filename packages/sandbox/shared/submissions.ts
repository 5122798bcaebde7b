import { type Form, type FormField, type Submission, showField, showForm } from '../forms.ts';
import {
  type Body,
  type Field,
  list,
  nullable,
  object,
  reference,
  refuseFields,
  required,
  text,
} from '../framework/fields.ts';
import { Crash, type FieldErrors } from '../framework/refusal.ts';
import type { Session } from '../framework/session.ts';
import { authorFields, authorship } from './authorship.ts';

const valueFields = {
  field: required(text({ min: 1 })),
  value: required(text({ min: 1, max: 100 })),
  ...authorFields,
};

const submissionFields = {
  form: required(reference('form')),
  values: required(list(object(valueFields))),
  product: nullable(reference('product')),
  ...authorFields,
};

type SubmissionBody = Body<typeof submissionFields>;

const shape = object(submissionFields);

/** A submission whose values fill fields of its form, each at most once. A field is named by id or by key. */
export const submissionField: Field<SubmissionBody> = {
  read(value, session) {
    const submission = shape.read(value, session);
    const form = session.store.get('form', submission.form)!;
    const seen = new Set<string>();
    const errors = submission.values.map(({ field }): FieldErrors => {
      const id = findField(form, field)?.id;
      if (id === undefined) return { field: [`Invalid pk "${field}" - object does not exist.`] };
      if (seen.has(id)) return { field: ['This field occurs more than once.'] };
      seen.add(id);
      return {};
    });
    if (seen.size < submission.values.length) {
      if (session.connect) throw new Crash();
      refuseFields({ values: errors });
    }
    return submission;
  },
};

export function addSubmission(session: Session, body: SubmissionBody): Submission {
  const form = session.store.get('form', body.form)!;
  const authored = authorship(session, body);
  return session.store.insert('submission', {
    id: session.store.nextId('submission'),
    form: body.form,
    values: body.values.map((value) => ({
      field: findField(form, value.field)?.id ?? value.field,
      value: value.value,
      id: session.store.partId('submission_value'),
      ...authorship(session, { ...authored, ...value }),
    })),
    product: body.product ?? null,
    ...authored,
  });
}

function findField(form: Form, idOrKey: string): FormField | undefined {
  return form.fields.find(({ id, key }) => id === idOrKey || key === idOrKey);
}

export function showSubmission(session: Session, id: string | null) {
  return session.view('submission', id, (submission) => {
    const form = session.store.get('form', submission.form)!;
    const values = submission.values.map((value) => {
      const found = findField(form, value.field);
      const field_details = found ? showField(session, found) : null;
      // The real service takes `field` in a body, and answers it inside `field_details` only.
      return { ...value, field: session.connect ? undefined : value.field, field_details };
    });
    if (!session.connect) return { ...submission, values, form_details: showForm(session, submission.form) };
    return {
      ...submission,
      values: values.toReversed(),
      form_details: { id: form.id, form_type: form.form_type },
    };
  });
}
