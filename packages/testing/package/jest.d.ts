import type { CostLimits } from './testing.js';

interface CostMatchers {
  /** Fails if the calls of the service are more, or cost more, than the limits. */
  toCostAtMost(limits: CostLimits): Promise<void>;
}

declare global {
  namespace jest {
    // biome-ignore lint/complexity/noBannedTypes: Jest declares it so
    interface Matchers<R, T = {}> extends CostMatchers {}
  }
}

declare module '@jest/expect' {
  interface Matchers<R extends void | Promise<void>, T = unknown> extends CostMatchers {}
}
