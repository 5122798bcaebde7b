/** Counts by two labels: cheap to add to, and read when somebody asks. */
export class Tally<First, Second> {
  readonly #counts = new Map<First, Map<Second, number>>();

  add(first: First, second: Second, by = 1): void {
    let counts = this.#counts.get(first);
    if (!counts) {
      counts = new Map();
      this.#counts.set(first, counts);
    }
    counts.set(second, (counts.get(second) ?? 0) + by);
  }

  *counts(): Iterable<[First, Second, number]> {
    for (const [first, counts] of this.#counts) for (const [second, count] of counts) yield [first, second, count];
  }
}
