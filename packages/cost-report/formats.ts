import type { ReportedOperation } from './cost-report.ts';

/** A report as `--format json` writes it, and `--against` reads it. */
export interface CostReport {
  operations: ReportedOperation[];
}

export const formats = ['table', 'markdown', 'json'] as const;
export type Format = (typeof formats)[number];

/** The figures of an operation, by their heading. */
export const figures = {
  calls: ({ usual }) => usual.calls,
  waves: ({ usual }) => usual.waves,
  rows: ({ usual }) => usual.rows,
  'service ms': ({ usual }) => usual.workMs,
  ms: ({ usual }) => usual.ms,
} satisfies Record<string, (item: ReportedOperation) => number>;
const headings = ['operation', ...Object.keys(figures), ''];

/** `against`: an earlier report, for a comparison of each figure. */
export function textOf({ operations }: CostReport, format: Format, against?: CostReport): string {
  if (format === 'json') return JSON.stringify({ operations }, null, 2);
  const before = new Map(against?.operations.map((item) => [item.name, item]));
  const rows = operations.map((item) => {
    const earlier = before.get(item.name);
    return [
      item.name,
      ...Object.values(figures).map((figureOf) => {
        const now = figureOf(item);
        // A report of an earlier version may lack a figure.
        const then = (earlier && figureOf(earlier)) ?? now;
        return then === now ? String(now) : `${then} → ${now}`;
      }),
      [against && !earlier ? 'new' : '', ...item.errors].filter(Boolean).join(', '),
    ];
  });
  return format === 'markdown' ? markdown(rows) : table(rows);
}

function table(rows: string[][]): string {
  const widths = headings.map((_, column) => Math.max(...[headings, ...rows].map((row) => row[column]?.length ?? 0)));
  const line = (cells: string[]) =>
    cells
      .map((cell, column) => (column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0)))
      .join('  ')
      .trimEnd();
  return [headings, ...rows].map(line).join('\n');
}

function markdown(rows: string[][]): string {
  const line = (cells: string[]) => `| ${cells.join(' | ')} |`;
  const rule = `|---|${'--:|'.repeat(headings.length - 2)}---|`;
  return [line(headings), rule, ...rows.map(line)].join('\n');
}
