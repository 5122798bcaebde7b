import type { Resolvers } from '../generated/graph.ts';
import { byId } from './root.ts';

export const entity: Resolvers = { Query: { entity: byId('Entity') } };
