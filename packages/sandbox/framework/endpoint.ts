import type { Dialect } from './dialect.ts';
import type { ReceivedFile } from './invoices.ts';
import type { ListQuery } from './page.ts';
import type { Session } from './session.ts';

/** One call, as endpoints read it. */
export interface EndpointRequest extends ListQuery {
  /** `{hashid}` of the path, or the empty text. */
  id: string;
  body: unknown;
  /** Reads the file part `name` of a multipart body, once. */
  receiveFile(name: string): Promise<ReceivedFile>;
}

export interface Answer {
  status: number;
  data: unknown;
  /** The text `detail` of the envelope; by default `Success`. */
  detail?: string;
}

/** One endpoint. A write runs in one transaction of the store, unless it `streams`. */
export interface Endpoint {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** Below the base path, with `{hashid}` for the id. */
  template: string;
  answer(session: Session, request: EndpointRequest): Answer | Promise<Answer>;
  streams?: true;
  /** Only services of this dialect have it. The interface specification lacks it. */
  dialect?: Dialect;
}

/** The endpoints of a resource, by the names that tests fail them by. */
export type Endpoints = Record<string, Endpoint>;

export const ok = (data: unknown): Answer => ({ status: 200, data });
export const created = (data: unknown): Answer => ({ status: 201, data });

/** Shows a row after the write is stored: the real service stores some rows that it then fails to show. */
export const createdThenShown = (show: () => unknown): Answer => ({
  status: 201,
  get data() {
    return show();
  },
});
