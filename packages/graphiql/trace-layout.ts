import type { Box, Trace } from './trace-in-answer.ts';

export interface PlacedBox extends Box {
  x: number;
  y: number;
  column: number;
}

export interface TraceLayout {
  width: number;
  height: number;
  /** Column by column from the left, and downwards in each. */
  boxes: PlacedBox[];
  /** Each from the box that goods came from to the one that they went to. */
  arrows: { key: string; from: PlacedBox; to: PlacedBox }[];
}

export const boxSize = { width: 148, height: 42 };
const gap = { x: 56, y: 14 };
const margin = 8;

/** Goods go from left to right. */
export function traceLayout({ boxes }: Trace): TraceLayout {
  const steps = boxes.map(({ step }) => step);
  const [first, last] = [Math.min(...steps), Math.max(...steps)];
  const columns: Box[][] = Array.from({ length: last - first + 1 }, () => []);
  for (const box of boxes) columns[box.step - first]?.push(box);
  const placed = new Map<string, PlacedBox>();
  // From the lot that the trace begins at to both sides: boxes stand beside those that are placed already.
  const sides = [
    [...columns.keys()].filter((column) => column + first >= 0),
    [...columns.keys()].reverse().filter((column) => column + first < 0),
  ];
  for (const column of sides.flat()) {
    const rowOf = ({ from, to }: Box) => {
      const near = [...from, ...to].flatMap((key) => placed.get(key)?.y ?? []);
      return near.length === 0 ? 0 : near.reduce((sum, y) => sum + y, 0) / near.length;
    };
    const sorted = (columns[column] ?? []).map((box) => ({ box, row: rowOf(box) })).toSorted((a, b) => a.row - b.row);
    for (const [row, { box }] of sorted.entries()) {
      const x = margin + column * (boxSize.width + gap.x);
      const y = margin + row * (boxSize.height + gap.y);
      placed.set(box.key, { ...box, x, y, column });
    }
  }
  const all = [...placed.values()].toSorted((a, b) => a.column - b.column || a.y - b.y);
  const arrows = all.flatMap((from) =>
    from.to.flatMap((key) => {
      const to = placed.get(key);
      return to ? [{ key: `${from.key} ${key}`, from, to }] : [];
    }),
  );
  return {
    width: 2 * margin + columns.length * (boxSize.width + gap.x) - gap.x,
    height: Math.max(...all.map(({ y }) => y)) + boxSize.height + margin,
    boxes: all,
    arrows,
  };
}

/** Arrow keys follow the goods to the right and back to the left, and go through a column. */
export function traceKeys(boxes: readonly PlacedBox[]): (key: string, from: number) => number | undefined {
  const placeOf = (key: string | undefined) => {
    const place = boxes.findIndex((box) => box.key === key);
    return place < 0 ? undefined : place;
  };
  return (key, from) => {
    const box = boxes[from];
    if (!box) return undefined;
    const inColumn = (place: number) => (boxes[place]?.column === box.column ? place : from);
    switch (key) {
      case 'ArrowRight':
        return placeOf(box.to[0]);
      case 'ArrowLeft':
        return placeOf(box.from[0]);
      case 'ArrowDown':
        return inColumn(from + 1);
      case 'ArrowUp':
        return inColumn(from - 1);
      case 'Home':
        return 0;
      case 'End':
        return boxes.length - 1;
      default:
        return undefined;
    }
  };
}
