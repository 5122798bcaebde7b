import type { RecordLimits, RecordStore, Write } from './record-store.ts';

/** The records of one key, which expire together. */
interface Entry {
  request: string;
  caller: string;
  /** By field. */
  texts: Map<string, string>;
  expires: number;
}

/** Records that end with this process. */
export function memoryStore({ ttlMs, writes, writesPerCaller }: RecordLimits): RecordStore {
  /** By key. The key that was put last is the last one, so that the first expire first. */
  const entries = new Map<string, Entry>();
  /** The writes of each caller. */
  const counts = new Map<string, number>();
  let count = 0;

  function add(more: number, caller: string): void {
    count += more;
    const ofCaller = (counts.get(caller) ?? 0) + more;
    if (ofCaller > 0) counts.set(caller, ofCaller);
    else counts.delete(caller);
  }

  function put({ key, field, request, caller }: Write, text: string): void {
    const { texts } = entries.get(key) ?? { texts: new Map<string, string>() };
    if (!texts.has(field)) add(1, caller);
    texts.set(field, text);
    entries.delete(key);
    entries.set(key, { request, caller, texts, expires: Date.now() + ttlMs });
  }

  function hasLease({ key, field }: Write, token: string): boolean {
    return entries.get(key)?.texts.get(field)?.startsWith(token) === true;
  }

  function removeExpired(): void {
    const now = Date.now();
    for (const [key, { caller, texts, expires }] of entries) {
      if (expires > now) return;
      entries.delete(key);
      add(-texts.size, caller);
    }
  }

  return {
    async claim(write, lease) {
      removeExpired();
      const entry = entries.get(write.key);
      if (entry && entry.request !== write.request) return { is: 'of another request' };
      const found = entry?.texts.get(write.field);
      if (found !== undefined) return { is: 'found', text: found };
      if ((counts.get(write.caller) ?? 0) >= writesPerCaller) return { is: 'refused', setting: 'writesPerCaller' };
      if (count >= writes) return { is: 'refused', setting: 'writes' };
      put(write, lease);
      return { is: 'granted' };
    },
    async set(write, text, token) {
      if (token === undefined || hasLease(write, token)) put(write, text);
    },
    async remove(write, token) {
      if (!hasLease(write, token)) return;
      const { texts } = entries.get(write.key) as Entry;
      texts.delete(write.field);
      if (texts.size === 0) entries.delete(write.key);
      add(-1, write.caller);
    },
    ping: async () => {},
    close: async () => {},
  };
}
