export type { Contract, Endpoint, Reference, ResourceType } from './contract.ts';
export type { ContractPart } from './contract-part.ts';
export { type Description, generatedFrom } from './generated-files.ts';
export { ContractError } from './openapi.ts';
export { readContract } from './read-contract.ts';
export { schemaPage } from './schema-page.ts';
export { argument, described, words } from './sdl.ts';
export { rowKindsOf } from './ways-back.ts';
export { writeFiles } from './write-files.ts';
