import { codedError } from '../errors.ts';
import type { CreateFormInput, Resolvers } from '../generated/graph.ts';
import { mutate, sendBody } from './root.ts';

export const forms: Resolvers = {
  Mutation: {
    createForm: mutate('Form', ({ input }, context) => {
      if (context.service.dialect === 'connect') requireJsonOptions(input);
      return sendBody(context, 'createForm', input);
    }),
  },
};

/** The real service stores options that are not JSON, and from then on fails to show the form and its company. */
function requireJsonOptions({ fields }: CreateFormInput): void {
  const message = 'Must be JSON text: the service would store the form, but could not show it again.';
  const broken = fields.flatMap(({ options }, index) =>
    options == null || isJson(options) ? [] : { path: ['input', 'fields', index, 'options'], message },
  );
  if (broken.length > 0) throw codedError('BAD_USER_INPUT', 'Options of form fields are not JSON.', { fields: broken });
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
