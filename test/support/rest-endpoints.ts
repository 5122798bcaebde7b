import { endpoints } from '../../src/generated/contract.ts';

type Endpoint = (typeof endpoints)[keyof typeof endpoints];
type ByName = Readonly<Record<string, string>>;
type ListPaths = ByName & {
  [Each in Endpoint as Each['does'] extends 'list' ? Each['rootField'] : never]: Each['path'];
};
type ResourcePaths = ByName & { [Each in Endpoint as Each['does'] extends 'get' ? Each['kind'] : never]: string };

const all: readonly Endpoint[] = Object.values(endpoints);

/** Paths of the lists by root field: `farmers` is `/supply-chains/farmers/`. */
export const listPaths = Object.fromEntries(
  all.flatMap(({ does, rootField, path }) => (does === 'list' ? [[rootField, path]] : [])),
) as ListPaths;

/** Paths of the resources that the service gives by id, without the id, by GraphQL type. */
export const resourcePaths = Object.fromEntries(
  all.flatMap(({ does, kind, path }) => (does === 'get' ? [[kind, path.replace('{hashid}/', '')]] : [])),
) as ResourcePaths;

export function uncapitalized(name: string): string {
  return name.charAt(0).toLowerCase() + name.slice(1);
}
