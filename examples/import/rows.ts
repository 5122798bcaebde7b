import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { parse } from 'csv-parse/sync';
import { ask, type Gateway } from './gateway.ts';

/** A row of the spreadsheet. */
export interface Row {
  /** As a spreadsheet counts: the header is 1. */
  number: number;
  cells: Record<string, string>;
  input: Record<string, unknown>;
  /** The same for the same cells, so that a row is written once however often the file is sent. */
  key: string;
  /** Why the row is not written. */
  reason?: string;
  /** The service has the row already, such as after a cut. */
  isThere?: boolean;
}

/** Columns of a file of rows that were not written. */
const ownColumns = new Set(['row', 'reason']);

interface InputField {
  name: string;
  type: { name: string | null; ofType: { name: string } | null };
}

/**
 * Reads a file whose first line names the fields of the farmer, with commas, semicolons or tabs.
 * @throws Error for a column that no farmer has.
 */
export async function readRows(file: string, gateway: Gateway): Promise<{ columns: string[]; rows: Row[] }> {
  const text = readFileSync(file, 'utf8');
  const [first = ''] = text.split('\n', 1);
  const delimiter = [';', '\t', ','].find((each) => first.includes(each)) ?? ',';
  const [header = [], ...records]: string[][] = parse(text, {
    bom: true,
    delimiter,
    trim: true,
    skip_empty_lines: true,
  });
  const types = await fieldTypes(gateway);
  const columns = header.filter((column) => !ownColumns.has(column));
  const unknown = columns.filter((column) => !types.has(column));
  if (unknown.length > 0) {
    throw new Error(
      `A farmer has no field ${unknown.join(', ')}. The first line names fields: ${[...types.keys()].join(', ')}.`,
    );
  }
  const rows = records.map((record, index): Row => {
    const cells = Object.fromEntries(header.map((column, at) => [column, record[at] ?? '']));
    for (const column of ownColumns) delete cells[column];
    const given = Object.entries(cells).filter(([, cell]) => cell !== '');
    const input = Object.fromEntries(given.map(([column, cell]) => [column, inputValue(cell, types.get(column))]));
    const key = `import-${createHash('sha256').update(JSON.stringify(given)).digest('base64url')}`;
    return { number: index + 2, cells, input, key };
  });
  return { columns, rows };
}

/** The types of the fields of a new farmer that one cell can give. */
async function fieldTypes(gateway: Gateway): Promise<Map<string, string>> {
  const { __type } = await ask<{ __type: { inputFields: InputField[] } }>(
    gateway,
    '{ __type(name: "CreateFarmerInput") { inputFields { name type { name ofType { name } } } } }',
  );
  const fields = __type.inputFields.map(({ name, type }) => [name, type.name ?? type.ofType?.name ?? ''] as const);
  return new Map(fields.filter(([name, type]) => type !== '' && name !== 'id'));
}

/** A cell that is no number stays a text, which the gateway refuses with the name of the field. */
function inputValue(cell: string, type: string | undefined): unknown {
  if ((type === 'Float' || type === 'Int') && Number.isFinite(Number(cell))) return Number(cell);
  if (type === 'Boolean' && /^(true|false)$/i.test(cell)) return cell.toLowerCase() === 'true';
  return cell;
}
