import { colours, document, dot, lineColours, polyline, text } from './svg.ts';
import { short } from './tables.ts';

export interface LinePanel {
  title: string;
  xTitle: string;
  lines: { label: string; points: [number, number][] }[];
}

const plotWidth = 220;
const plotHeight = 120;
const margin = { left: 46, right: 22, top: 34, bottom: 42 };
const panelWidth = margin.left + plotWidth + margin.right;
const panelHeight = margin.top + plotHeight + margin.bottom;
const head = 70;

/** Panels of lines over linear scales from 0 on, so that what grows in proportion is straight. */
export function linePlot({ title, columns, panels }: { title: string; columns: number; panels: LinePanel[] }): string {
  const labels = [...new Set(panels.flatMap(({ lines }) => lines.map(({ label }) => label)))];
  const colourOf = (label: string) => lineColours[labels.indexOf(label) % lineColours.length]!;
  const width = Math.max(panelWidth * columns, 40 + 220 * labels.length) + 16;
  const legend = labels.flatMap((label, i) => [
    dot(24 + 220 * i, 48, colourOf(label)),
    text(34 + 220 * i, 52, label, { fill: colourOf(label) }),
  ]);
  const shapes = panels.flatMap((panel, i) =>
    shapesOf(panel, colourOf, 8 + panelWidth * (i % columns), head + panelHeight * Math.floor(i / columns)),
  );
  const height = head + panelHeight * Math.ceil(panels.length / columns);
  return document(width, height, title, [...legend, ...shapes]);
}

function shapesOf({ title, xTitle, lines }: LinePanel, colourOf: (label: string) => string, x: number, y: number) {
  const left = x + margin.left;
  const top = y + margin.top;
  const bottom = top + plotHeight;
  const points = lines.flatMap((line) => line.points);
  const highestX = Math.max(...points.map(([value]) => value));
  const highestY = Math.max(...points.map(([, value]) => value)) * 1.05 || 1;
  const place = ([px, py]: [number, number]): [number, number] => [
    left + (plotWidth * px) / highestX,
    bottom - (plotHeight * py) / highestY,
  ];
  const grid = [0, 0.5, 1].flatMap((share) => {
    const value = highestY * share;
    const at = bottom - plotHeight * share;
    return [
      polyline(
        [
          [left, at],
          [left + plotWidth, at],
        ],
        colours.grid,
        1,
      ),
      text(left - 6, at + 4, share === 0 ? '0' : short(value), { size: 10, anchor: 'end' }),
    ];
  });
  const ticks = [0, 0.5, 1].map((share) => {
    const label = String(Math.round(highestX * share * 10) / 10);
    return text(left + plotWidth * share, bottom + 16, label, { size: 10, anchor: 'middle' });
  });
  const drawn = lines.flatMap((line) => {
    const placed = line.points.map(place);
    const colour = colourOf(line.label);
    return [polyline(placed, colour), ...placed.map(([px, py]) => dot(px, py, colour))];
  });
  return [
    text(left, y + 18, title, { size: 13, weight: 600 }),
    ...grid,
    ...ticks,
    text(left + plotWidth / 2, bottom + 32, xTitle, { size: 11, anchor: 'middle' }),
    ...drawn,
  ];
}
