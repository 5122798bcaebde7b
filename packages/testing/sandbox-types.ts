/** In the package, build.ts puts a file without imports in its place. */

export type { EndpointName } from '@gateway/rest-graph';
export type * from '@gateway/sandbox';
