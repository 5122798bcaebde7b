/** Which fields of the operation asked for what, so that every upstream call can be explained. */
export class CallOrigins {
  readonly #fields = new Map<string, Set<string>>();

  /** `what`: any name for it, such as "User 7QX…" or the name of a page. */
  note(what: string, field: string): void {
    const fields = this.#fields.get(what);
    if (fields) fields.add(field);
    else this.#fields.set(what, new Set([field]));
  }

  of(whats: readonly string[]): string[] {
    return [...new Set(whats.flatMap((what) => [...(this.#fields.get(what) ?? [])]))];
  }
}

/**
 * Why a call is made. `root`: a field of Query; `write`: a field of Mutation; `by id`: one GET for one reference;
 * `list scan`: a page of a list in which references are looked for.
 */
export interface CallOrigin {
  reason: 'root' | 'write' | 'by id' | 'list scan';
  /** The fields that asked, as far as they are known by now. */
  fields: () => string[];
}
