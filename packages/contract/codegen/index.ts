export { argumentOf, type Contract, type Endpoint, isWhole, type Reference, type ResourceType } from './contract.ts';
export type { ContractPart } from './contract-part.ts';
export { type Description, type Generated, generatedFrom } from './generated-files.ts';
export { ContractError, type Schema } from './openapi.ts';
export { readContract } from './read-contract.ts';
export { schemaPage } from './schema-page.ts';
export { argument, conditionArgument, described, filterArgument, scalarOf, words } from './sdl.ts';
export { rowKindsOf } from './ways-back.ts';
export { writeFiles } from './write-files.ts';
