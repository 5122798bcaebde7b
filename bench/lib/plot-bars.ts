import { colours, document, rectangle, text } from './svg.ts';
import { short } from './tables.ts';

export interface BarPanel {
  title: string;
  bars: { label: string; value: number; isOurs: boolean }[];
}

const barHeight = 16;
const barPitch = 22;
const panelHead = 34;
const labelWidth = 120;
const barWidth = 190;
const panelWidth = labelWidth + barWidth + 70;
const columns = 2;

/** One panel of horizontal bars for each operation, each with its own scale from 0 on. */
export function barPlot({ title, unit, panels }: { title: string; unit: string; panels: BarPanel[] }): string {
  const panelHeight = panelHead + barPitch * Math.max(0, ...panels.map(({ bars }) => bars.length)) + 14;
  const height = 44 + panelHeight * Math.ceil(panels.length / columns);
  const shapes = panels.flatMap((panel, i) =>
    shapesOf(panel, unit, 16 + panelWidth * (i % columns), 44 + panelHeight * Math.floor(i / columns)),
  );
  return document(16 + panelWidth * columns, height, title, shapes);
}

function shapesOf({ title, bars }: BarPanel, unit: string, left: number, top: number): string[] {
  const longest = Math.max(...bars.map(({ value }) => value));
  const shapes = bars.flatMap(({ label, value, isOurs }, i) => {
    const y = top + panelHead + barPitch * i;
    const width = (barWidth * value) / longest;
    const fill = isOurs ? colours.ours : colours.others;
    const weight = isOurs ? 600 : 400;
    return [
      text(left + labelWidth - 8, y + 12, label, { anchor: 'end', weight }),
      rectangle(left + labelWidth, y, width, barHeight, fill),
      text(left + labelWidth + width + 6, y + 12, short(value), { weight }),
    ];
  });
  return [text(left, top + 20, `${title}, ${unit}`, { size: 13, weight: 600 }), ...shapes];
}
