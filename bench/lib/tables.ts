/** A Markdown table, columns aligned for the terminal, numbers to the right. */
export function table(headings: string[], rows: string[][]): string {
  const widths = headings.map((_, column) => Math.max(...[headings, ...rows].map((row) => row[column]?.length ?? 0)));
  const line = (cells: string[]) =>
    `| ${cells.map((cell, i) => (i === 0 ? cell.padEnd(widths[i]!) : cell.padStart(widths[i]!))).join(' | ')} |`;
  const rule = `|${widths.map((width, i) => (i === 0 ? '-'.repeat(width + 2) : `${'-'.repeat(width + 1)}:`)).join('|')}|`;
  return [line(headings), rule, ...rows.map(line)].join('\n');
}

/** Three significant digits or so: 0.123, 1.23, 12.3, 123. */
export function short(value: number | undefined): string {
  if (value === undefined || Number.isNaN(value)) return '-';
  return value.toFixed(value >= 100 ? 0 : value >= 10 ? 1 : value >= 1 ? 2 : 3);
}
