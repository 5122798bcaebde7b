import { created, type Endpoints, ok } from './framework/endpoint.ts';
import { type Body, nullable, object, reference, required, text } from './framework/fields.ts';
import { type Filters, type ListQuery, page, time } from './framework/page.ts';
import { Crash, Refusal } from './framework/refusal.ts';
import type { Session } from './framework/session.ts';
import { type Condition, either, equal, type Row, type TableIndexes } from './framework/store.ts';
import { authorFields, authorship, datedAuthorFields, revision } from './shared/authorship.ts';

declare module './framework/store.ts' {
  interface Tables {
    card: Card;
    entity_card: EntityCard;
  }
}

export const tables: TableIndexes = { card: ['card_id'], entity_card: ['card', 'entity'] };

export const endpoints: Endpoints = {
  createEntityCard: {
    method: 'POST',
    template: '/supply-chains/entity-cards/',
    answer: (session, { body }) => {
      const assignment = session.connect ? connectAssignment : specAssignment;
      return created(showEntityCard(session, assignCard(session, assignment.read(body, session)).id));
    },
  },
  listEntityCards: {
    method: 'GET',
    template: '/supply-chains/entity-cards/',
    answer: (session, request) =>
      ok(
        page(session, request, {
          table: 'entity_card',
          where: [heldBy(session)],
          connectFilters,
          newerFilters,
          ...(isByTime(session, request) && { order: 'updated, n' }),
          show: ({ id }) => showEntityCard(session, id),
        }),
      ),
  },
};

/** The older version of the real service compares `created_after` with the time of the last change. */
const connectFilters: Filters = {
  card_id: (part) => ({
    sql: "icontains((SELECT card.doc ->> 'card_id' FROM card WHERE card.doc ->> 'id' = entity_card.doc ->> 'card'), ?)",
    values: [part],
  }),
  created_after: time('updated >'),
};
const newerFilters: Filters = { created_after: time('created >'), updated_after: time('updated >') };

/** A filter by time orders the list by its last changes, the oldest first. */
function isByTime({ connect }: Session, { query }: Pick<ListQuery, 'query'>): boolean {
  return connect && ['created_after', 'updated_after'].some((name) => query.get(name));
}

const cardFields = { card_id: text({ min: 1 }), display_id: nullable(text({ max: 100 })), ...datedAuthorFields };
const specCardFields = { ...cardFields, card_id: required(cardFields.card_id) };

/** The real service also finds a card by its `display_id`. */
export const entityCardFields = { entity: required(reference('entity')), ...authorFields };
export const specEntityCardFields = { ...entityCardFields, card: required(object(specCardFields)) };
export const connectEntityCardFields = { ...entityCardFields, card: required(object(cardFields)) };

export interface Card extends Row {
  card_id: string | null;
  display_id: string | null;
  creator: string;
  updater: string;
}

export interface EntityCard extends Row {
  card: string;
  entity: string;
  is_active: boolean;
  creator: string;
  updater: string;
}

/** A card has one holder, and a holder one card. A new assignment ends the earlier assignments of both. */
export function assignCard(session: Session, body: Body<typeof connectEntityCardFields>): EntityCard {
  const { store } = session;
  const card = findOrAddCard(session, body.card);
  const isReplaced = [equal('is_active', 1), either(equal('card', card.id), equal('entity', body.entity))];
  for (const previous of store.list('entity_card', isReplaced)) {
    store.update('entity_card', { ...previous, is_active: false, ...revision(session, body) });
    const holder = store.get('entity', previous.entity)!;
    if (holder.entity_card === previous.id) store.update('entity', { ...holder, entity_card: null });
  }
  const assignment = store.insert('entity_card', {
    id: store.nextId('entity_card'),
    card: card.id,
    entity: body.entity,
    is_active: true,
    ...authorship(session, body),
  });
  const holder = store.get('entity', body.entity)!;
  store.update('entity', { ...holder, entity_card: assignment.id, updated_on: assignment.updated_on });
  return assignment;
}

function findOrAddCard(session: Session, body: Body<typeof cardFields>): Card {
  const { store } = session;
  const { card_id, display_id } = body;
  // The real service stores at most 100 characters, and crashes on more.
  if (session.connect && [...(card_id ?? '')].length > 100) throw new Crash();
  if (!card_id && !display_id) throw new Refusal(400, ["Either 'display_id' or 'card_id' must be provided."]);
  const [column, key] = card_id ? ['card_id', card_id] : ['display_id', display_id as string];
  const [found] = store.list('card', [equal(column, key)]);
  if (!found) {
    const named = { card_id: card_id ?? null, display_id: display_id ?? null };
    return store.insert('card', { id: store.nextId('card'), ...named, ...authorship(session, body) });
  }
  if (display_id === undefined || display_id === found.display_id) return found;
  return store.update('card', { ...found, display_id, ...revision(session, body) });
}

export function showCard(session: Session, id: string | null) {
  return session.view('card', id, (card) => (session.connect ? { ...card, is_active: true } : card));
}

export function showEntityCard(session: Session, id: string | null) {
  return session.view('entity_card', id, (assignment) => ({
    ...assignment,
    card: showCard(session, assignment.card),
  }));
}

const specAssignment = object(specEntityCardFields);
const connectAssignment = object(connectEntityCardFields);

/** The real service lists the cards of the active company alone, the specification those of its farmers too. */
function heldBy(session: Session): Condition {
  const { company } = session.caller;
  const ofCompany = equal('entity', company);
  if (session.connect) return ofCompany;
  const farmers = "SELECT doc ->> 'id' FROM entity WHERE kind = 'farmer' AND doc ->> 'buyer' = ?";
  return either(ofCompany, { sql: `doc ->> 'entity' IN (${farmers})`, values: [company] });
}
