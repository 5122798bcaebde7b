/** In the package, build.ts puts a file without imports in its place. */
export type * from '../sandbox/framework/options.ts';
export type { EndpointName } from '../upstream/endpoints.ts';
