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

/** Goods go from left to right: of an origin, the deepest boxes stand left. */
export function traceLayout({ boxes }: Trace): TraceLayout {
  const depths = new Map(boxes.map(({ key, depth }) => [key, depth]));
  const isOrigin = boxes.some(({ depth, from }) => from.some((key) => (depths.get(key) ?? 0) > depth));
  const deepest = Math.max(...boxes.map(({ depth }) => depth));
  const columns: Box[][] = Array.from({ length: deepest + 1 }, () => []);
  for (const box of boxes) columns[isOrigin ? deepest - box.depth : box.depth]?.push(box);
  const placed = new Map<string, PlacedBox>();
  // The columns nearest to the lot that the trace begins at come first, and the next ones stand beside them.
  for (const column of isOrigin ? [...columns.keys()].reverse() : columns.keys()) {
    const rowOf = ({ from, to }: Box) => {
      const near = (isOrigin ? to : from).flatMap((key) => placed.get(key)?.y ?? []);
      return near.reduce((sum, y) => sum + y, 0) / near.length;
    };
    const sorted = (columns[column] ?? [])
      .map((box) => ({ box, row: rowOf(box) || 0 }))
      .toSorted((a, b) => a.row - b.row);
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
