/** In the package, build.ts puts a file without imports in its place. */

export type { EndpointName } from '@gateway/contract';
export type * from '@gateway/sandbox';
