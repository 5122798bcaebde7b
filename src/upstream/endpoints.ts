import { endpoints as contract, type kinds } from '../generated/contract.ts';

type Contract = typeof contract;

export type EndpointName = keyof Contract;

/** Endpoints that answer a page of rows. */
export type ListEndpointName = {
  [Name in EndpointName]: Contract[Name]['does'] extends 'list' ? Name : never;
}[EndpointName];

export interface Endpoint {
  does: 'list' | 'get' | 'write';
  /** Field of Query or Mutation. */
  rootField: string;
  method: 'GET' | 'POST' | 'PATCH';
  /** Below the base URL; `{hashid}` stands for the id. */
  path: string;
  /** Type of the graph that shows the object of the answer, or each of its rows. */
  kind: keyof typeof kinds;
  /** Name of the answer among the shapes of the contract. */
  response: string;
  /** The service answers 201 for a new object. */
  creates?: true;
  /** Arguments of a list → query parameters. Settings can rename the parameters. */
  filters?: Readonly<Record<string, string>>;
  /** The rows of the list are in order of `created_on`, the newest first. Rows of one time have no order. */
  isNewestFirst?: boolean;
  /** The list is the only way to its objects, so the gateway caches it. */
  isCached?: boolean;
  /** Cached lists that a write may change. */
  invalidates?: readonly ListEndpointName[];
  /** Milliseconds that the service is busy with a call and with each row of its answer. */
  cost?: { callMs: number; rowMs?: number };
}

export const endpoints: Readonly<Record<EndpointName, Endpoint>> = contract;

/** Rows of a page. A product transaction costs the service 12 ms, so the gateway reads the pages of a list in parallel. */
export const pageSize = 100;
