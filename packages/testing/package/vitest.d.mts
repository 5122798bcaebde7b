import type { CostLimits } from './testing.js';
import 'vitest';

declare module 'vitest' {
  interface Matchers<R extends void | Promise<void> = void | Promise<void>, T = unknown> {
    /** Fails if the calls of the service are more, or cost more, than the limits. */
    toCostAtMost(limits: CostLimits): Promise<void>;
  }
}
