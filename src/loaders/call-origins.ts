/** The fields of the operation that need an object or a page, so that the trace can explain each call. */
export class CallOrigins {
  readonly #fields = new Map<string, string[]>();

  /** `name`: an id, or the name of a page. */
  note(name: string, field: string): void {
    const fields = this.#fields.get(name);
    if (!fields) this.#fields.set(name, [field]);
    else if (!fields.includes(field)) fields.push(field);
  }

  of(names: readonly string[]): string[] {
    return [...new Set(names.flatMap((name) => this.#fields.get(name) ?? []))];
  }
}

/**
 * The reason of a call. `root`: a field of Query. `write`: a field of Mutation. `by id`: a GET for one reference. `list scan`:
 * a page of a list that may contain references. `bisect`: a part of a page, to find the row that the service fails on.
 * `reread`: rows of a list whose pages did not fit together. `dialect`: a read that shows the dialect of the service.
 * `filter check`: a row that shows whether the service applies a filter. `token`: a read that shows whether it accepts a token.
 */
export interface CallOrigin {
  reason: 'root' | 'write' | 'by id' | 'list scan' | 'bisect' | 'reread' | 'dialect' | 'filter check' | 'token';
  /** The fields that need the answer, as far as the gateway knows them by now. */
  fields: () => string[];
}
