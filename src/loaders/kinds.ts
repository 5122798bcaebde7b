import { serviceContract as contract } from '../contract/service-contract.ts';
import type { EndpointName, ListEndpointName } from '../upstream/endpoints.ts';

/** Name of a type of the graph that shows objects of the service. */
export type Kind = string;

/** The target of a reference: a kind, or a union where the reference does not name the kind. */
export type Target = string;

export const isById = (target: Target): boolean => contract.isById(target);
export const isAlwaysById = (target: Target): boolean => contract.isAlwaysById(target);
export const isListed = (target: Target): boolean => contract.isListed(target);
export const isListOnly = (target: Target): boolean => contract.isListOnly(target);
export const getEndpoint = (kind: Kind): EndpointName => contract.getEndpoint(kind);
export const listEndpoint = (kind: Kind): ListEndpointName => contract.listEndpoint(kind);
