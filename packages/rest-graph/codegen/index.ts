export type { Contract, Endpoint } from './contract.ts';
export { openApiFile } from './openapi.ts';
export { conditionArgument, words } from './sdl.ts';
