import type { endpoints } from '../generated/contract.ts';

export type * from '../sandbox/framework/options.ts';
/** An endpoint of the service, by its name in the contract. */
export type EndpointName = keyof typeof endpoints;
