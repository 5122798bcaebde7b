import type { Resolvers } from '../generated/graph.ts';
import { localizedLabel } from './localized-label.ts';

export const forms: Resolvers = {
  FormField: {
    localized_label: (field, { language }, context) => localizedLabel(field, language ?? context.language),
  },
};
