/** A row is found by the key. */
export interface Entry {
  key: string;
  /** The object to find. */
  id: string;
  /** Seconds since 1970: of the entries of one key, the newest counts. */
  newest: number;
  /** Decides between entries of one time, so that every reading finds the same object. */
  tie: string;
}

/** Finds rows of a list by values in them. Holds ids and keys alone. */
export class RowIndex {
  readonly #byRow = new Map<string, readonly Entry[]>();
  readonly #byKey = new Map<string, Entry[]>();
  #entries = 0;

  /** Entries, and rows with any. */
  get weight(): number {
    return this.#entries + this.#byRow.size;
  }

  /** The entries of a row, in place of its earlier ones. */
  set(row: string, entries: readonly Entry[]): void {
    for (const entry of this.entriesOf(row)) this.#drop(entry);
    if (entries.length === 0) this.#byRow.delete(row);
    else this.#byRow.set(row, entries);
    for (const entry of entries) {
      const others = this.#byKey.get(entry.key);
      if (others) others.push(entry);
      else this.#byKey.set(entry.key, [entry]);
    }
    this.#entries += entries.length;
  }

  entriesOf(row: string): readonly Entry[] {
    return this.#byRow.get(row) ?? none;
  }

  find(key: string): readonly Entry[] {
    return this.#byKey.get(key) ?? none;
  }

  #drop(entry: Entry): void {
    const others = this.find(entry.key).filter((other) => other !== entry);
    if (others.length > 0) this.#byKey.set(entry.key, others);
    else this.#byKey.delete(entry.key);
    this.#entries -= 1;
  }
}

/** The entry that counts. */
export function newestOf(entries: readonly Entry[]): Entry | undefined {
  const [first, ...others] = entries;
  return others.reduce((newest, entry) => (isNewer(entry, newest as Entry) ? entry : newest), first);
}

function isNewer(entry: Entry, other: Entry): boolean {
  return entry.newest === other.newest ? entry.tie > other.tie : entry.newest > other.newest;
}

const none: readonly Entry[] = [];
