export { subgraphSdl } from './sdl.ts';
export { subgraphFields } from './subgraph.ts';
