import {
  type Claim,
  type Lease,
  leaseText,
  type RecordLimits,
  type RecordStore,
  recordOf,
  type Write,
} from './record-store.ts';

interface Row {
  write: Write;
  text: string;
  expires: number;
}

/** Records that end with this process. */
export function memoryStore(limits: RecordLimits): RecordStore {
  const records = new MemoryRecords(limits);
  return {
    claim: async (write, lease) => records.claim(write, leaseText(lease)),
    async renew(write, lease) {
      if (records.hasLease(write, lease)) records.put(write, leaseText(lease));
    },
    set: async (write, outcome) => records.put(write, JSON.stringify(outcome)),
    async remove(write, lease) {
      if (records.hasLease(write, lease)) records.remove(write);
    },
    ping: async () => {},
    close: async () => {},
  };
}

class MemoryRecords {
  readonly #limits: RecordLimits;
  /** By the key of the write, then by its field. The key that was put last is the last one, so that the first expire first. */
  readonly #rows = new Map<string, Map<string, Row>>();
  /** The writes of each caller. */
  readonly #counts = new Map<string, number>();
  #count = 0;

  constructor(limits: RecordLimits) {
    this.#limits = limits;
  }

  claim(write: Write, text: string): Claim {
    this.#removeExpired(write.key);
    const rows = this.#rows.get(write.key);
    for (const row of rows?.values() ?? [])
      if (row.write.request !== write.request) return { is: 'of another request' };
    const found = rows?.get(write.field);
    if (found) return { is: 'found', record: recordOf(found.text) };
    const { writes, writesPerCaller } = this.#limits;
    if ((this.#counts.get(write.caller) ?? 0) >= writesPerCaller) return { is: 'refused', setting: 'writesPerCaller' };
    if (this.#count >= writes) return { is: 'refused', setting: 'writes' };
    this.put(write, text);
    return { is: 'granted' };
  }

  hasLease({ key, field }: Write, { token }: Lease): boolean {
    return this.#rows.get(key)?.get(field)?.text.startsWith(token) ?? false;
  }

  put(write: Write, text: string): void {
    const { key, field, caller } = write;
    const rows = this.#rows.get(key) ?? new Map<string, Row>();
    if (!rows.has(field)) this.#add(caller, 1);
    rows.set(field, { write, text, expires: Date.now() + this.#limits.ttlMs });
    this.#rows.delete(key);
    this.#rows.set(key, rows);
  }

  remove({ key, field }: Write): void {
    const rows = this.#rows.get(key);
    const row = rows?.get(field);
    if (!rows || !row) return;
    rows.delete(field);
    if (rows.size === 0) this.#rows.delete(key);
    this.#add(row.write.caller, -1);
  }

  /** Removes the expired rows of one key, and those of the keys that were put first. */
  #removeExpired(key: string): void {
    const now = Date.now();
    const removeOf = (rows: Map<string, Row> | undefined) => {
      for (const { write, expires } of rows?.values() ?? []) if (expires <= now) this.remove(write);
    };
    removeOf(this.#rows.get(key));
    for (const rows of this.#rows.values()) {
      removeOf(rows);
      if (rows.size > 0) return;
    }
  }

  #add(caller: string, writes: number): void {
    this.#count += writes;
    const count = (this.#counts.get(caller) ?? 0) + writes;
    if (count > 0) this.#counts.set(caller, count);
    else this.#counts.delete(caller);
  }
}
