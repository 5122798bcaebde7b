export { withNumbers } from './answer-ids.ts';
export { Contract, contractOf } from './contract.ts';
export type { ContractData, Evidence, WayBack } from './data.ts';
export type { DialectName, DialectTraits } from './dialect-traits.ts';
export { conditionIn, type Endpoint, type EndpointName, type FilterCheck, type ListEndpointName } from './endpoint.ts';
export { isEmbedded, type Kind, type Reference, rootFieldOf, type Target } from './reference.ts';
export { isRunByBrowsers } from './run-by-browsers.ts';
export { anyUnion, type EmbeddedTypes, type Heirs, type Shown, TypeTables } from './type-tables.ts';
export { Wire } from './wire.ts';
