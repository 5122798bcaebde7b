import type { App, SchemaPart } from '@gateway/rest-graph';
import { entities } from './entities.ts';
import { isResolvable } from './representations.ts';
import { sdlOf, subgraphSdl, typesWithId } from './sdl.ts';

const made = new WeakMap<App, SchemaPart>();

/** The fields of Query that routers read, and their resolvers. One value for an app, so that its gateways share a schema. */
export function subgraphFields(app: App): SchemaPart {
  const part = made.get(app) ?? newFields(app);
  made.set(app, part);
  return part;
}

function newFields(app: App): SchemaPart {
  const { contract } = app;
  const sdl = subgraphSdl(app);
  const objects = typesWithId(sdlOf(app)).filter((type) => isResolvable(contract, type) && !contract.union(type));
  return {
    typeDefs: `
      scalar _Any
      union _Entity = ${objects.join(' | ')}
      type _Service { sdl: String! }
      extend type Query {
        _service: _Service!
        _entities(representations: [_Any!]!): [_Entity]!
      }`,
    resolvers: { Query: { _entities: entities, _service: () => ({ sdl }) } },
  };
}
