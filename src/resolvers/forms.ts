import type { Resolvers } from '../generated/graph.ts';
import { requireJsonOptions } from './connect-guards.ts';
import { mutate, sendBody } from './root.ts';

export const forms: Resolvers = {
  Mutation: {
    createForm: mutate('Form', ({ input }, context) => {
      if (context.service.dialect === 'connect') requireJsonOptions(input.fields);
      return sendBody(context, 'createForm', input);
    }),
  },
};
