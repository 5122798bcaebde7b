export type { FileEnd, FileFormat } from './file-format.ts';
export type { FileKind, OpenFile } from './file-kind.ts';
export { files } from './files.ts';
export { ListFile } from './list-file.ts';
export type { ErrorPath, ListWindow, RowPlace, RowSource } from './row-source.ts';
export type { FileSettings } from './window-reader.ts';
