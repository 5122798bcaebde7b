import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { endOfDay } from './elements.ts';
import { daysBetween, type Finding, quietDays, timeOf } from './findings.ts';

/** The evidence that nothing uses an element. The command writes it, and the test of the schema asks for it. */
export interface Removal {
  element: string;
  /** The day of its deprecation. */
  day: string;
  /** The time in which gateways have counted its uses. */
  observed: { from: string; to: string };
  /** Metrics of gateways, and documents of apps. */
  sources: string[];
  /** In the last days of that time. */
  uses: number;
}

export function readRemovals(file: string): Removal[] {
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : [];
}

/** Adds the elements that may go to a file, in place of earlier entries for them. */
export function writeRemovals(file: string, findings: readonly Finding[], sources: readonly string[], now: Date): void {
  const byElement = new Map(readRemovals(file).map((removal) => [removal.element, removal]));
  for (const { element, day, countedSince, reasons } of findings) {
    if (reasons.length > 0 || !day || !countedSince) continue;
    const observed = { from: timeOf(countedSince), to: timeOf(now) };
    byElement.set(element, { element, day, observed, sources: [...sources], uses: 0 });
  }
  const sorted = [...byElement.values()].toSorted((a, b) => (a.element < b.element ? -1 : 1));
  writeFileSync(file, `${JSON.stringify(sorted, null, 2)}\n`);
}

/** Says what is wrong with the evidence for the removal of an element that may go after this day. */
export function faultOf({ day, observed, uses }: Removal, dayOfRelease: string): string | undefined {
  const [from, to] = [new Date(observed.from), new Date(observed.to)];
  if (day !== dayOfRelease) return `The evidence is for the day ${day}, and the deprecation names ${dayOfRelease}.`;
  if (!(to >= endOfDay(day))) return `The evidence ends before ${day} has passed.`;
  if (!(daysBetween(from, to) >= quietDays)) return `The evidence covers less than ${quietDays} days.`;
  return uses === 0 ? undefined : `The evidence shows ${uses} uses.`;
}
