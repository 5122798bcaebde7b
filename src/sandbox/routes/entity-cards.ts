import { created, type Endpoint, ok } from '../endpoint.ts';
import { object } from '../fields.ts';
import { page } from '../page.ts';
import {
  assignCard,
  connectEntityCardFields,
  type EntityCard,
  showEntityCard,
  specEntityCardFields,
} from '../resources/entity-cards.ts';
import type { Session } from '../session.ts';
import type { Condition } from '../store.ts';

const specAssignment = object(specEntityCardFields);
const connectAssignment = object(connectEntityCardFields);

export const entityCards: Endpoint[] = [
  {
    method: 'POST',
    template: '/supply-chains/entity-cards/',
    answer: (session, { body }) => {
      const assignment = session.connect ? connectAssignment : specAssignment;
      return created(showEntityCard(session, assignCard(session, assignment.read(body, session)).id));
    },
  },
  {
    method: 'GET',
    template: '/supply-chains/entity-cards/',
    answer: (session, request) =>
      ok(
        page<EntityCard>(session, request, {
          table: 'entity_card',
          where: [heldBy(session)],
          show: ({ id }) => showEntityCard(session, id),
        }),
      ),
  },
];

/** The real service lists the cards of the active company itself; here those of its farmers are in it too. */
function heldBy(session: Session): Condition {
  const { company } = session.caller;
  if (session.connect) return { sql: 'entity = ?', values: [company] };
  const farmers = "SELECT doc ->> 'id' FROM entity WHERE buyer = ? AND kind = 'farmer'";
  return { sql: `(entity = ? OR entity IN (${farmers}))`, values: [company, company] };
}
