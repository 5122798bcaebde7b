import { dateTime, nullable, reference } from '../framework/fields.ts';
import type { Session } from '../framework/session.ts';

/** Write fields that most resources share. */
export const authorFields = { creator: nullable(reference('user')), updater: nullable(reference('user')) };
export const datedAuthorFields = { ...authorFields, created_on: dateTime };

interface Sent {
  creator?: string | null;
  updater?: string | null;
  created_on?: string;
}

/** `created_on` and `creator` may be set by the client; the real service always takes the caller as the updater. */
export function authorship(session: Session, sent: Sent) {
  const now = session.now();
  return {
    updated_on: now,
    created_on: sent.created_on ?? now,
    creator: sent.creator ?? session.caller.user,
    updater: (session.connect ? undefined : sent.updater) ?? session.caller.user,
  };
}

/** What a PATCH changes besides the fields it names. */
export function revision(session: Session, sent: Sent) {
  const { updated_on, updater } = authorship(session, sent);
  return { updated_on, updater };
}
