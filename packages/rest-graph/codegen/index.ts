export type { Contract, Endpoint } from './contract.ts';
export { openApiFile } from './openapi.ts';
export { words } from './sdl.ts';
