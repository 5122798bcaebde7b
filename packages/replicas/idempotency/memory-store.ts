import { type Lease, leaseText, type RecordLimits, type RecordStore, recordOf, type Write } from './record-store.ts';

interface Row {
  write: Write;
  text: string;
  expires: number;
}

/** Records that end with this process. */
export function memoryStore({ ttlMs, writes, writesPerCaller }: RecordLimits): RecordStore {
  /** By the key of the write, then by its field. The key that was put last is the last one, so that the first expire first. */
  const records = new Map<string, Map<string, Row>>();
  /** The writes of each caller. */
  const counts = new Map<string, number>();
  let count = 0;

  function add(more: number, { caller }: Write): void {
    count += more;
    const ofCaller = (counts.get(caller) ?? 0) + more;
    if (ofCaller > 0) counts.set(caller, ofCaller);
    else counts.delete(caller);
  }

  function put(write: Write, text: string): void {
    const { key, field } = write;
    const rows = records.get(key) ?? new Map<string, Row>();
    if (!rows.has(field)) add(1, write);
    rows.set(field, { write, text, expires: Date.now() + ttlMs });
    records.delete(key);
    records.set(key, rows);
  }

  function remove(write: Write): void {
    const rows = records.get(write.key);
    if (!rows?.delete(write.field)) return;
    if (rows.size === 0) records.delete(write.key);
    add(-1, write);
  }

  function hasLease({ key, field }: Write, { token }: Lease): boolean {
    return records.get(key)?.get(field)?.text.startsWith(token) === true;
  }

  /** Removes the expired rows of one key, and those of the keys that were put first. */
  function removeExpired(key: string): void {
    const now = Date.now();
    const removeOf = (rows: Map<string, Row> | undefined) => {
      for (const { write, expires } of rows?.values() ?? []) if (expires <= now) remove(write);
    };
    removeOf(records.get(key));
    for (const rows of records.values()) {
      removeOf(rows);
      if (rows.size > 0) return;
    }
  }

  return {
    async claim(write, lease) {
      removeExpired(write.key);
      const rows = [...(records.get(write.key)?.values() ?? [])];
      if (rows.some((row) => row.write.request !== write.request)) return { is: 'of another request' };
      const found = rows.find((row) => row.write.field === write.field);
      if (found) return { is: 'found', record: recordOf(found.text) };
      if ((counts.get(write.caller) ?? 0) >= writesPerCaller) return { is: 'refused', setting: 'writesPerCaller' };
      if (count >= writes) return { is: 'refused', setting: 'writes' };
      put(write, leaseText(lease));
      return { is: 'granted' };
    },
    async renew(write, lease) {
      if (hasLease(write, lease)) put(write, leaseText(lease));
    },
    set: async (write, outcome) => put(write, JSON.stringify(outcome)),
    async remove(write, lease) {
      if (hasLease(write, lease)) remove(write);
    },
    ping: async () => {},
    close: async () => {},
  };
}
