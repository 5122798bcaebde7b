import { type KeyboardEvent, type RefObject, useRef, useState } from 'react';

interface MarkedItem<Element extends HTMLElement | SVGElement> {
  /** The place of the marked item in its list. */
  marked: number | undefined;
  mark(place: number): void;
  /** The drawing, whose items have `data-item`. */
  drawing: RefObject<Element | null>;
  /** Moves the focus, where `next` knows a place for the key. */
  move(event: KeyboardEvent): void;
}

/** Marks one item of a drawing. The drawing is one stop of the Tab key, and keys lead from item to item. */
export function useMarkedItem<Element extends HTMLElement | SVGElement>(
  next: (key: string, from: number) => number | undefined,
): MarkedItem<Element> {
  const [marked, mark] = useState<number>();
  const drawing = useRef<Element>(null);
  function move(event: KeyboardEvent) {
    const place = next(event.key, marked ?? 0);
    if (place === undefined) return;
    event.preventDefault();
    drawing.current?.querySelectorAll<SVGElement>('[data-item]')[place]?.focus();
  }
  return { marked, mark, drawing, move };
}

/** Through a list with arrows, Home and End. */
export function listKeys(count: number): (key: string, from: number) => number | undefined {
  return (key, from) => {
    const last = count - 1;
    const forth = Math.min(from + 1, last);
    const back = Math.max(from - 1, 0);
    return new Map([
      ['ArrowRight', forth],
      ['ArrowDown', forth],
      ['ArrowLeft', back],
      ['ArrowUp', back],
      ['Home', 0],
      ['End', last],
    ]).get(key);
  };
}
