/** The bound of a memory, and the time after which its entries end. Without the time, they stay. */
export interface MemoryRule<Value> {
  /** By default none, for names that are few. */
  max?: number;
  ttlMs?: number;
  /** The part of the bound that a value takes; by default 1. */
  weigh?: (value: Value) => number;
}

/**
 * Values that were learnt a while ago, by name. The memory may outgrow its bound while somebody needs the entries, so its owner asks
 * `isFull` at a better time. A map without an order of use is cheap: an operation learns hundreds of entries.
 */
export class Memory<Value> {
  readonly #rule: MemoryRule<Value>;
  // Most memories stay empty, and an empty map takes 200 bytes.
  #values: Map<string, Value> | undefined;
  /** Milliseconds of performance.now(). */
  #ends: Map<string, number> | undefined;
  #weight = 0;

  constructor(rule: MemoryRule<Value>) {
    this.#rule = rule;
  }

  get weight(): number {
    return this.#weight;
  }

  get isFull(): boolean {
    return this.#weight > (this.#rule.max ?? Number.POSITIVE_INFINITY);
  }

  /** An empty memory under the same rule. */
  anew(): Memory<Value> {
    return new Memory(this.#rule);
  }

  get(name: string): Value | undefined {
    const end = this.#ends?.get(name);
    if (end !== undefined && end <= performance.now()) this.delete(name);
    return this.#values?.get(name);
  }

  /** The latest value counts. `ttlMs`: where this one ends at another time than the others. */
  set(name: string, value: Value, ttlMs = this.#rule.ttlMs): void {
    this.#values ??= new Map();
    this.#weigh(this.#values.get(name), -1);
    this.#weigh(value, 1);
    this.#values.set(name, value);
    if (ttlMs === undefined) return;
    this.#ends ??= new Map();
    this.#ends.set(name, performance.now() + ttlMs);
  }

  delete(name: string): void {
    this.#weigh(this.#values?.get(name), -1);
    this.#values?.delete(name);
    this.#ends?.delete(name);
  }

  #weigh(value: Value | undefined, times: number): void {
    const { weigh } = this.#rule;
    if (value !== undefined) this.#weight += times * (weigh ? weigh(value) : 1);
  }
}
