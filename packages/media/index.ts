export { mediaEndpoint } from './media-endpoint.ts';
export { MediaFiles } from './media-files.ts';
