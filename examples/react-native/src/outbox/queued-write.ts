import type { PushMutation, Write } from '../gql/graphql.ts';

export type WriteResult = PushMutation['push'][number];

/** A write that the user has made, as it lies on the device. */
export interface QueuedWrite {
  position: number;
  /** Idempotency key: the service gets the write once, however often the page sends it. */
  key: string;
  /** Later writes say `$ref` where they need the id of the object that this one makes. */
  ref: string;
  write: Write;
  /** Text for the user. */
  title: string;
  state: 'pending' | 'done' | 'refused' | 'unknown';
  madeAt: number;
  /** When the page first sent it under its key. A pending write with this time may have happened. */
  sentAt?: number;
  /** Id for later writes, once the write is done: of the object, or of the card of an assignment. */
  id?: string;
  error?: WriteResult['error'];
}

export type NewWrite = Pick<QueuedWrite, 'ref' | 'write' | 'title'>;

export const newRef = () => `w_${crypto.randomUUID().replaceAll('-', '_')}`;

/** Another text with a `$` is the user's. */
const refPattern = /^\$(w_[0-9a-f]{8}(?:_[0-9a-f]{4}){3}_[0-9a-f]{12})$/;

/** The refs of the writes that this one needs and that are not done. */
export function refsIn(write: Write): string[] {
  const refs: string[] = [];
  mapRefs(write, (ref) => {
    refs.push(ref);
    return undefined;
  });
  return refs;
}

/** A copy of a write with ids in the place of refs. */
export function mapRefs(write: Write, idOf: (ref: string) => string | undefined): Write {
  return JSON.parse(JSON.stringify(write), (_name, value) => {
    const [, ref] = (typeof value === 'string' && refPattern.exec(value)) || [];
    return ref === undefined ? value : (idOf(ref) ?? value);
  });
}
