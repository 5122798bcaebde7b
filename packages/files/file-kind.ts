import type { ExecutionArgs } from '@gateway/base';
import type { RestService } from '@gateway/rest-graph';
import { csvFormat } from './csv.ts';
import { type FileFormat, jsonLines } from './file-format.ts';
import { ListFile } from './list-file.ts';
import type { RowSource } from './row-source.ts';

/** The rows of an operation, and how the file writes them. */
export interface OpenFile {
  rows: RowSource;
  format: FileFormat;
}

/** A kind of file that clients ask for by a media type. */
export interface FileKind {
  /** The first is its own name, the others are common aliases. */
  mediaTypes: readonly [string, ...string[]];
  /** @throws GraphQLError for an operation that such a file cannot show. */
  open(service: RestService, args: ExecutionArgs, mediaType: string): OpenFile;
}

export const jsonLinesFile: FileKind = {
  mediaTypes: ['application/jsonl', 'application/x-ndjson', 'application/ndjson'],
  open: (service, args, contentType) => ({
    rows: new ListFile(service, args),
    format: { ...jsonLines, contentType },
  }),
};

export const csvFile: FileKind = {
  mediaTypes: ['text/csv'],
  open(service, args) {
    const list = new ListFile(service, args);
    return { rows: list, format: csvFormat(list.rows) };
  },
};
