import type { Resolvers } from '../generated/graph.ts';
import { createFormGuard } from './guards.ts';
import { localizedLabel } from './localized-label.ts';
import { write } from './root.ts';

export const forms: Resolvers = {
  Mutation: { createForm: write('createForm', 'Form', createFormGuard) },
  FormField: {
    localized_label: (field, { language }, context) => localizedLabel(field, language ?? context.language),
  },
};
