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
