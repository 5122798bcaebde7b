import { endpoints } from '../../src/generated/contract.ts';

type Endpoint = (typeof endpoints)[keyof typeof endpoints];
type ByName = Readonly<Record<string, string>>;
type Everywhere = Exclude<Endpoint, { dialect: string }>;
type ListPaths = ByName & {
  [Each in Everywhere as Each['does'] extends 'list' ? Each['rootField'] : never]: Each['path'];
};
type ResourcePaths = ByName & { [Each in Everywhere as Each['does'] extends 'get' ? Each['kind'] : never]: string };

const all: readonly Endpoint[] = Object.values(endpoints);
const everywhere = all.filter((endpoint) => !('dialect' in endpoint));
const some = all.filter((endpoint) => 'dialect' in endpoint);

const listsOf = (of: readonly Endpoint[]): ByName =>
  Object.fromEntries(of.flatMap(({ does, rootField, path }) => (does === 'list' ? [[rootField, path]] : [])));
const resourcesOf = (of: readonly Endpoint[]): ByName =>
  Object.fromEntries(
    of.flatMap(({ does, kind, path }) => (does === 'get' ? [[kind, path.replace('{hashid}/', '')]] : [])),
  );

/** Paths of the lists that every service has by root field: `farmers` is `/supply-chains/farmers/`. */
export const listPaths = listsOf(everywhere) as ListPaths;

/** Paths of the resources that every service gives by id, without the id, by GraphQL type. */
export const resourcePaths = resourcesOf(everywhere) as ResourcePaths;

/** The same of those that only services of the dialect `connect` have. */
export const connectListPaths = listsOf(some);
export const connectResourcePaths = resourcesOf(some);

export function uncapitalized(name: string): string {
  return name.charAt(0).toLowerCase() + name.slice(1);
}
