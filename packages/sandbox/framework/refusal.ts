/** The messages of each field, nested as the body. Empty objects stand for items of lists without errors. */
export type FieldErrors = string[] | FieldErrors[] | { [field: string]: FieldErrors };

/** An answer other than success. */
export class Refusal extends Error {
  readonly status: number;
  readonly body: unknown;
  /** Seconds. */
  readonly retryAfter: number | undefined;

  constructor(status: number, body: unknown, retryAfter = status === 429 || status === 503 ? 1 : undefined) {
    super(`refused with ${status}`);
    this.status = status;
    this.body = body;
    this.retryAfter = retryAfter;
  }
}

/** A client mistake that makes the real service crash with a page of HTML. */
export class Crash extends Error {}

/** A path that the service does not route. */
export class UnknownPath extends Error {}

export const refused = (status: number, detail: string) => new Refusal(status, { detail });
export const notFound = () => refused(404, 'Not found.');

/** @throws Refusal 404 */
export function found<Value>(value: Value | null): Value {
  if (value === null) throw notFound();
  return value;
}

export const invalid = (errors: FieldErrors) => new Refusal(400, errors);
