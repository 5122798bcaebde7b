import type { App } from '@gateway/rest-graph';
import { buildSchema, isInterfaceType, isNonNullType, isObjectType, print } from 'graphql';
import { isResolvable } from './representations.ts';

const imports = `extend schema @link(url: "https://specs.apollo.dev/federation/v2.3", import: ["@key", "@shareable"])\n`;

/** The schema as a subgraph of Apollo Federation 2, for the composition of a supergraph. */
export function subgraphSdl(app: App): string {
  const { contract } = app;
  const typeDefs = sdlOf(app);
  const withId = new Set(typesWithId(typeDefs));
  const directiveOf = (type: string): string => {
    // Other subgraphs may have Relay's type for their own pages.
    if (type === 'PageInfo') return '@shareable ';
    if (!withId.has(type)) return '';
    // Other subgraphs may add fields to an object that the gateway cannot find by its id.
    return isResolvable(contract, type) ? '@key(fields: "id") ' : '@key(fields: "id", resolvable: false) ';
  };
  const sdl = typeDefs
    .replace(/^(?:type|interface) (\w+) [^{]*/gm, (head, type: string) => head + directiveOf(type))
    // Apollo's composition does not know the directive. The gateway refuses such input itself.
    .replaceAll(' @oneOf', '');
  return imports + sdl;
}

/** The text of the schema. A built gateway has it parsed. */
export function sdlOf({ typeDefs }: App): string {
  return typeof typeDefs === 'string' ? typeDefs : print(typeDefs);
}

/** Types of objects, and interfaces, that have an `id` in each object. */
export function typesWithId(typeDefs: string): string[] {
  const types = Object.values(buildSchema(typeDefs).getTypeMap());
  return types
    .filter((type) => (isObjectType(type) || isInterfaceType(type)) && isNonNullType(type.getFields().id?.type))
    .map(({ name }) => name);
}
