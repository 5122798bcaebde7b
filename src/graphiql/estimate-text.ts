import { aboutMs, counted } from './figures.ts';
import type { Estimate } from './upstream-report.ts';

/** A bound that is so many times the expected number says nothing, such as the limit of calls. */
const farOff = 4;

/** One sentence about an estimate. Empty where the gateway said nothing about time. */
export function estimateText({ least, most, expected }: Estimate): string {
  if (!expected) return '';
  if (expected.calls === 0) return 'Estimate: no call of the service.';
  const bounds = most <= farOff * expected.calls ? `${least} to ${most}` : `at least ${least}`;
  const calls = least === most ? counted(most, 'call') : `about ${counted(expected.calls, 'call')} (${bounds})`;
  return `Estimate without caches: ${calls}, ${aboutMs(expected.ms)} until the answer, ${aboutMs(expected.workMs)} of the service’s work.`;
}
