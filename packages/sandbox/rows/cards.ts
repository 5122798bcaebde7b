import { assignCard, type Card } from '../entity-cards.ts';
import { nullable, object, reference, required, text } from '../framework/fields.ts';
import type { CardRow, EntityCardRow } from '../framework/options.ts';
import type { Store } from '../framework/store.ts';
import { authorFields, authorship } from '../shared/authorship.ts';
import { rowSource } from './row-source.ts';

const cardFields = { card_id: required(text({ min: 1 })), display_id: nullable(text({ max: 100 })), ...authorFields };
const assignmentFields = {
  card: required(reference('card')),
  entity: required(reference('entity')),
  ...authorFields,
};

export const cards = rowSource<CardRow>()({
  table: 'card',
  fields: cardFields,
  field: object(cardFields),
  fill: (_row, { n }) => ({
    card_id: `04${String(n + 1).padStart(12, '0')}`,
    display_id: `SGC ${String(n + 1).padStart(6, '0')}`,
  }),
  add(session, { card_id, display_id = null, ...author }) {
    const id = session.store.nextId('card');
    return session.store.insert('card', { id, card_id, display_id, ...authorship(session, author) });
  },
});

export const entityCards = rowSource<EntityCardRow>()({
  table: 'entity_card',
  fields: assignmentFields,
  field: object(assignmentFields),
  fill: ({ card, entity }, place) => ({
    card: card ?? place.own('cards').id,
    entity: entity ?? place.next('farmers', 'entity').id,
  }),
  add(session, { card, ...assignment }) {
    const { card_id, display_id } = session.store.get('card', card) as Card;
    return assignCard(session, { card: { ...(card_id !== null && { card_id }), display_id }, ...assignment });
  },
});

/** The card that a farmer or a company holds. */
export function cardOf(store: Store, entity: string | undefined): string | null {
  const holder = entity === undefined ? undefined : store.get('entity', entity);
  return holder?.entity_card ? (store.get('entity_card', holder.entity_card)?.card ?? null) : null;
}
