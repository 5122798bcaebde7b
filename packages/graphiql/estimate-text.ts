import { aboutMs, counted } from './figures.ts';
import type { Estimate } from './upstream-report.ts';

/** One sentence about an estimate. Empty where the gateway said nothing about time. */
export function estimateText({ least, expected, first }: Estimate): string {
  if (!expected) return '';
  if (expected.calls === 0) return 'Estimate: no call of the service.';
  const calls = counted(expected.calls, 'call');
  const estimated = least === expected.calls ? calls : `about ${calls} (at least ${least})`;
  const early = first ? `${aboutMs(first.ms)} until the first part, ` : '';
  return `Estimate without caches: ${estimated}, ${early}${aboutMs(expected.ms)} until the answer, ${aboutMs(expected.workMs)} of the service’s work.`;
}
