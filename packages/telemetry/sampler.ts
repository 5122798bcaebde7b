import type { TraceParent } from '@gateway/graphql-serve';
import { SamplingDecision, TraceIdRatioBasedSampler } from '@opentelemetry/sdk-trace';

export interface SamplerSettings {
  isParentBased: boolean;
  root: 'always_on' | 'always_off' | 'traceidratio';
  ratio: number;
}

/** Decides at the beginning of an operation, as `OTEL_TRACES_SAMPLER` says, whether its spans are exported. */
export class Sampler {
  readonly #isParentBased: boolean;
  readonly #ratio: TraceIdRatioBasedSampler;

  constructor({ isParentBased, root, ratio }: SamplerSettings) {
    this.#isParentBased = isParentBased;
    this.#ratio = new TraceIdRatioBasedSampler(root === 'traceidratio' ? ratio : Number(root === 'always_on'));
  }

  samples(traceId: string, parent: TraceParent | undefined): boolean {
    if (parent && this.#isParentBased) return parent.isSampled;
    return this.#ratio.shouldSample(undefined, traceId).decision === SamplingDecision.RECORD_AND_SAMPLED;
  }
}
