import type { Resolvers } from '../generated/graph.ts';
import { list, write } from './root.ts';

export const entityCards: Resolvers = {
  Query: { entityCards: list('listEntityCards') },
  Mutation: { createEntityCard: write('createEntityCard', 'EntityCard') },
};
