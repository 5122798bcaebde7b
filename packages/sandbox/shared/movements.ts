import { currencyField } from '../catalogs.ts';
import { dateTime, nullable, number, reference, text } from '../framework/fields.ts';
import type { Session } from '../framework/session.ts';
import { type Condition, either, equal, type Row } from '../framework/store.ts';

/** Write fields that product and payment transactions share. */
export const movementFields = {
  currency: currencyField,
  number: nullable(text({ max: 10 })),
  date: dateTime,
  invoice_number: text({ max: 100 }),
  verification_latitude: number,
  verification_longitude: number,
  card: nullable(reference('card')),
};

/** Product and payment transactions are two kinds of one thing, and share one space of ids. */
export interface Movement extends Row {
  source: string;
  destination: string;
  currency: string;
  number: string;
  date: string;
  invoice: string | null;
  invoice_number: string;
  verification_latitude: number;
  verification_longitude: number;
  card: string | null;
  creator: string;
  updater: string;
}

export function nextNumber({ store }: Pick<Session, 'store'>): string {
  return String(store.nextNumber('movement') + 1000);
}

/** The side of the caller. It is not stored, because both parties see one transaction differently. */
export function direction(session: Session, { source }: Movement): 'OUTGOING' | 'INCOMING' {
  return source === session.caller.company ? 'OUTGOING' : 'INCOMING';
}

export function method({ card, invoice }: Movement): 'CARD' | 'INVOICE' | 'NONE' {
  if (card) return 'CARD';
  return invoice ? 'INVOICE' : 'NONE';
}

export function isVisible(session: Session, { source, destination }: Movement): boolean {
  return source === session.caller.company || destination === session.caller.company;
}

export function visibleTo(session: Session): Condition {
  const { company } = session.caller;
  return either(equal('source', company), equal('destination', company));
}
