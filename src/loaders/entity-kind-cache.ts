/**
 * Which ids are farmers and which are companies, remembered across requests: a reference does not say, and asking the
 * wrong endpoint costs a call. Holds kinds only, so that nothing of one caller's data can reach another.
 */
export class EntityKindCache {
  readonly #kinds = new Map<string, 'Farmer' | 'Company'>();
  readonly #capacity: number;

  constructor(capacity = 100_000) {
    this.#capacity = capacity;
  }

  get(id: string): 'Farmer' | 'Company' | undefined {
    return this.#kinds.get(id);
  }

  /** The latest word wins, so a wrong entry heals with the next answer; the oldest entries make room. */
  learn(id: string, kind: 'Farmer' | 'Company'): void {
    if (this.#kinds.get(id) === kind) return;
    this.#kinds.delete(id);
    this.#kinds.set(id, kind);
    if (this.#kinds.size > this.#capacity) {
      for (const oldest of this.#kinds.keys()) {
        this.#kinds.delete(oldest);
        break;
      }
    }
  }
}
