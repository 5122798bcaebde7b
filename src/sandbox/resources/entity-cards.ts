import { type Body, nullable, object, reference, required, text } from '../fields.ts';
import { Refusal } from '../refusal.ts';
import type { Session } from '../session.ts';
import { equal, type Row } from '../store.ts';
import { authorFields, authorship, revision } from './authorship.ts';

const cardFields = { card_id: text({ min: 1 }), display_id: nullable(text({ max: 100 })), ...authorFields };
const specCardFields = { ...cardFields, card_id: required(cardFields.card_id) };

/** The newest real service also finds a card by its `display_id`. */
export const entityCardFields = { entity: required(reference('entity')), ...authorFields };
export const specEntityCardFields = { ...entityCardFields, card: required(object(specCardFields)) };
export const connectEntityCardFields = { ...entityCardFields, card: required(object(cardFields)) };

export interface Card extends Row {
  card_id: string;
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

type Holder = Row & { entity_card: string | null };

/** A card has one holder and a holder one card: both lose what they had. */
export function assignCard(session: Session, body: Body<typeof connectEntityCardFields>): EntityCard {
  const { store } = session;
  const card = findOrAddCard(session, body.card);
  const others = {
    sql: "doc ->> 'is_active' = 1 AND (doc ->> 'card' = ? OR entity = ?)",
    values: [card.id, body.entity],
  };
  for (const previous of store.list<EntityCard>('entity_card', [others])) {
    store.update('entity_card', { ...previous, is_active: false, ...revision(session, body) });
    const holder = store.get('entity', previous.entity) as Holder;
    if (holder.entity_card === previous.id) store.update('entity', { ...holder, entity_card: null });
  }
  const assignment = store.insert('entity_card', 'entity_card', {
    id: store.nextId('entity_card'),
    card: card.id,
    entity: body.entity,
    is_active: true,
    ...authorship(session, body),
  });
  const holder = store.get('entity', body.entity) as Holder;
  store.update('entity', { ...holder, entity_card: assignment.id, updated_on: assignment.updated_on });
  return assignment;
}

function findOrAddCard(session: Session, body: Body<typeof cardFields>): Card {
  const { store } = session;
  const { card_id, display_id } = body;
  if (!card_id && !display_id) throw new Refusal(400, ["Either 'display_id' or 'card_id' must be provided."]);
  const [column, key] = card_id ? ['card_id', card_id] : ['display_id', display_id as string];
  const [found] = store.list<Card>('card', [equal(`doc ->> '${column}'`, key)]);
  if (!found) {
    const named = { card_id: card_id ?? '', display_id: display_id ?? null };
    return store.insert('card', 'card', { id: store.nextId('card'), ...named, ...authorship(session, body) });
  }
  if (display_id === undefined || display_id === found.display_id) return found;
  return store.update('card', { ...found, display_id, ...revision(session, body) });
}

export function showCard(session: Session, id: string | null) {
  return session.view<Card, unknown>('card', id, (card) => (session.connect ? { ...card, is_active: true } : card));
}

export function showEntityCard(session: Session, id: string | null) {
  return session.view<EntityCard, unknown>('entity_card', id, (assignment) => ({
    ...assignment,
    card: showCard(session, assignment.card),
  }));
}
