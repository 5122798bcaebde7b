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

/** The client may set `created_on` and `creator`. The real service always takes the caller as the updater. */
export function authorship(session: Session, sent: Sent) {
  const now = session.now();
  return {
    updated_on: now,
    created_on: sent.created_on ?? now,
    creator: sent.creator ?? session.caller.user,
    updater: (session.connect ? undefined : sent.updater) ?? session.caller.user,
  };
}

/** The properties that every PATCH changes. */
export function revision(session: Session, sent: Sent) {
  const { updated_on, updater } = authorship(session, sent);
  return { updated_on, updater };
}
