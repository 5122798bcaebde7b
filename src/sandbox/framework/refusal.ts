/** Per field its messages, nested as the body was; positions in lists are kept by empty objects. */
export type FieldErrors = string[] | FieldErrors[] | { [field: string]: FieldErrors };

/** An answer other than success, thrown from wherever the reason is found. */
export class Refusal extends Error {
  readonly status: number;
  readonly body: unknown;

  constructor(status: number, body: unknown) {
    super(`refused with ${status}`);
    this.status = status;
    this.body = body;
  }
}

/** A client mistake that makes the real service crash with a page of HTML. */
export class Crash extends Error {}

/** A path that the service does not route. */
export class UnknownPath extends Error {}

export const refused = (status: number, detail: string) => new Refusal(status, { detail });
export const notFound = () => refused(404, 'Not found.');
export const invalid = (errors: FieldErrors) => new Refusal(400, errors);
