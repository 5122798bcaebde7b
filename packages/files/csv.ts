import type { Field } from '@gateway/base';
import type { GraphQLFormattedError } from 'graphql';
import { getNullableType, isLeafType, isListType } from 'graphql';
import type { FileFormat } from './file-format.ts';

/** The keys that lead to the value of a column. */
type Path = readonly string[];

/**
 * CSV (RFC 4180). Each leaf of the selection is a column, and a list is JSON in one cell. A record that begins with `# ` is no
 * row: the last one says whether the file is whole.
 */
export function csvFormat(rows: Field): FileFormat {
  const columns = columnsOf(rows);
  /** A record of the gateway has as many cells as a row. */
  const note = (text: string) => record([text, ...columns.map(() => '')]);
  return {
    extension: 'csv',
    contentType: 'text/csv; charset=utf-8; header=present',
    head: record([...columns.map((path) => path.join('.')), '$errors']),
    row(row, errors = []) {
      const cells = columns.map((path) => cell(valueAt(row, path)));
      return record([...cells, quoted(errors.map(errorText).join('; '))]);
    },
    error: (error) => note(quoted(`# error ${errorText(error)}`)),
    window: () => '',
    end({ rows, errors, complete, cursor, error }) {
      const reason = error ? ` error=${String(error.extensions?.code)}` : '';
      return note(`# end rows=${rows} errors=${errors} complete=${complete} cursor=${cursor ?? ''}${reason}`);
    },
  };
}

function columnsOf(rows: Field): Path[] {
  const columns = new Map<string, Path>();
  const add = (field: Field, path: Path): void => {
    const type = getNullableType(field.definition.type);
    if (isLeafType(type) || isListType(type)) columns.set(path.join('.'), path);
    else addBelow(field, path);
  };
  // The objects of a field may have several types, whose fields of one key share a column.
  const addBelow = (field: Field, path: Path): void => {
    for (const type of field.objectTypes) {
      for (const below of field.select(type).fields) add(below, [...path, below.key]);
    }
  };
  addBelow(rows, []);
  return [...columns.values()];
}

function valueAt(row: unknown, path: Path): unknown {
  let value = row;
  for (const key of path) value = (value as Record<string, unknown> | null | undefined)?.[key];
  return value;
}

/** Null is an empty cell, and an empty text is `""`. */
function cell(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value !== 'string') return quoted(JSON.stringify(value));
  if (value === '') return '""';
  return quoted(isDangerous(value) ? `'${value}` : value);
}

/**
 * A spreadsheet would run such a text as a formula. A reader would take `# ` for a record of the gateway. Numbers and
 * telephone numbers are harmless. A text that has the `'` itself gets another one, so that a reader can take one away.
 */
function isDangerous(text: string): boolean {
  return /^'*([=@#\t\r\n＝＋－＠]|[+-](?![\d. ]*(e[+-]?\d+)?$))/.test(text);
}

/** Spreadsheets of many countries take `;` or a tab for the end of a cell. */
function quoted(text: string): string {
  return /[",;\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

function record(cells: readonly string[]): string {
  return `${cells.join(',')}\r\n`;
}

function errorText({ message, path = [], extensions }: GraphQLFormattedError): string {
  const place = path.length > 0 ? `${path.join('.')}: ` : '';
  return `${place}${String(extensions?.code)}: ${message}`;
}
