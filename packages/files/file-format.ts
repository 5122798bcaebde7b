import type { GraphQLFormattedError } from 'graphql';

/** The last line of a file. Without it, the file was cut. */
export interface FileEnd {
  rows: number;
  errors: number;
  /** The file has all rows that the client asks for. */
  complete: boolean;
  /** The place to go on from. Null at the end of the list. */
  cursor: string | null;
  /** The reason to stop before the end. */
  error?: GraphQLFormattedError;
}

/** Writes the lines of a file. Each text ends with a line break, or is empty. */
export interface FileFormat {
  /** The end of the file's name. */
  extension: string;
  contentType: string;
  head: string;
  /** The paths of the errors begin at the row. */
  row(row: unknown, errors?: readonly GraphQLFormattedError[]): string;
  /** An error about rows that are not in the file. */
  error(error: GraphQLFormattedError): string;
  /** The end of a window: the place to go on from, and the trace if the client wants it. */
  window(cursor: string | null, trace?: object): string;
  end(end: FileEnd): string;
}

/** Keys of the gateway begin with `$`, which no key of a client can. */
export const jsonLines: Omit<FileFormat, 'contentType'> = {
  extension: 'jsonl',
  head: '',
  row(row, errors) {
    const text = JSON.stringify(row);
    if (!errors) return `${text}\n`;
    const start = row === null || text === '{}' ? '{' : `${text.slice(0, -1)},`;
    return `${start}"$errors":${JSON.stringify(errors)}}\n`;
  },
  error: (error) => line({ $errors: [error] }),
  window: (cursor, trace) => (cursor === null ? '' : line({ $cursor: cursor, $upstream: trace })),
  end: (end) => line({ $end: end }),
};

function line(value: object): string {
  return `${JSON.stringify(value)}\n`;
}
