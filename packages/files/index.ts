export { files } from './files.ts';
export type { FileSettings } from './window-reader.ts';
