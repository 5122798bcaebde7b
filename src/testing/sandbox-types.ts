/** In the package, build.ts puts a file without imports in its place. */

export type { EndpointName } from '../contract/endpoint.ts';
export type * from '../sandbox/framework/options.ts';
