import type { ReceivedFile } from './invoices.ts';
import type { ListQuery } from './page.ts';
import type { Session } from './session.ts';

/** What an endpoint sees of a call. */
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
  /** What the real service says about itself in the envelope. */
  detail?: string;
}

/** One endpoint of the interface specification. Writes run in one transaction of the store, those that stream open their own. */
export interface Endpoint {
  method: 'GET' | 'POST' | 'PATCH';
  /** Below the base path, with `{hashid}` for the id. */
  template: string;
  answer(session: Session, request: EndpointRequest): Answer | Promise<Answer>;
  streams?: true;
}

export const ok = (data: unknown): Answer => ({ status: 200, data });
export const created = (data: unknown): Answer => ({ status: 201, data });
