import { kinds as contract } from '../generated/contract.ts';
import { type EndpointName, endpoints, type ListEndpointName } from '../upstream/endpoints.ts';

type Contract = typeof contract;

/** Types of the graph that show objects of the service. */
export type Kind = keyof Contract;

/** `Entity`: a farmer or a company; the reference does not say which. */
export type Target = Kind | 'Entity';

/** Kinds that the service gives by id. */
export type ByIdKind = { [K in Kind]: Contract[K] extends { get: EndpointName } ? K : never }[Kind];

/** Kinds that are rows of a list. */
type RowKind = { [K in Kind]: Contract[K] extends { list: ListEndpointName } ? K : never }[Kind];

/** Kinds that the service gives by id and as rows of a list. */
export type ListedKind = ByIdKind & RowKind;

/** Kinds that the service gives only as rows of a list. */
export type ListOnlyKind = Exclude<RowKind, ByIdKind>;

const kinds: Readonly<Record<string, { get?: EndpointName; list?: ListEndpointName }>> = contract;

export function isById(target: Target): target is ByIdKind {
  return kinds[target]?.get !== undefined;
}

/** Every service gives this kind by id. */
export function isAlwaysById(target: Target): boolean {
  return isById(target) && endpoints[getEndpoint(target)].dialect === undefined;
}

export function isListed(target: Target): target is ListedKind {
  const { get, list } = kinds[target] ?? {};
  return get !== undefined && list !== undefined;
}

export function isListOnly(target: Target): target is ListOnlyKind {
  const { get, list } = kinds[target] ?? {};
  return get === undefined && list !== undefined;
}

export function getEndpoint(kind: ByIdKind): EndpointName {
  return contract[kind].get;
}

export function listEndpoint(kind: RowKind): ListEndpointName {
  return contract[kind].list;
}
