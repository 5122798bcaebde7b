export { media } from './media.ts';
export type { MediaFilesOptions } from './media-files.ts';
