import type { MaxCost } from '../graphql/limits/max-calls.ts';
import type { ReportedOperation } from './cost-report.ts';

/** A report as `--format json` writes it, and `--against` reads it. */
export interface CostReport {
  operations: ReportedOperation[];
}

export const formats = ['table', 'markdown', 'json'] as const;
export type Format = (typeof formats)[number];

const headings = ['operation', 'calls', 'waves', 'rows', 'calls at most', 'waves at most', 'rows at most', ''];

/** `against`: an earlier report, for a comparison of each figure. */
export function textOf({ operations }: CostReport, format: Format, against?: CostReport): string {
  if (format === 'json') return JSON.stringify({ operations }, null, 2);
  const before = new Map(against?.operations.map((item) => [item.name, item]));
  const rows = operations.map((item) => {
    const earlier = before.get(item.name);
    return [
      item.name,
      ...figuresOf(item.usual, earlier?.usual),
      ...figuresOf(item.worst, earlier?.worst),
      [against && !earlier ? 'new' : '', ...item.errors].filter(Boolean).join(', '),
    ];
  });
  return format === 'markdown' ? markdown(rows) : table(rows);
}

function figuresOf(cost: MaxCost, before?: MaxCost): string[] {
  return (['calls', 'waves', 'rows'] as const).map((figure) => {
    const now = cost[figure];
    const then = before?.[figure] ?? now;
    return then === now ? String(now) : `${then} → ${now}`;
  });
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
