import { created, type Endpoint, ok } from '../endpoint.ts';
import { object, partial } from '../fields.ts';
import { notFound, Refusal } from '../refusal.ts';
import {
  addCompany,
  type Company,
  changeCompany,
  companyFields,
  showCompany,
  showCompanyDetail,
} from '../resources/companies.ts';
import type { Session } from '../session.ts';
import { equal } from '../store.ts';

const company = object(companyFields);
const changes = partial(companyFields);

export const companies: Endpoint[] = [
  {
    method: 'POST',
    template: '/supply-chains/companies/',
    answer: (session, { body }) => {
      const sent = company.read(named(session, body), session);
      const [existing] = session.connect
        ? session.store.list<Company>('entity', [equal('kind', 'company'), equal("doc ->> 'name'", sent.name)])
        : [];
      // The newest real service answers a name that exists, of any tenant, with the company that has it.
      if (existing) return ok(showCompanyDetail(session, existing));
      return created(showCompany(session, addCompany(session, sent)));
    },
  },
  {
    method: 'GET',
    template: '/supply-chains/companies/{hashid}/',
    answer: (session, { id }) => ok(showCompanyDetail(session, find(session, id))),
  },
  {
    method: 'PATCH',
    template: '/supply-chains/companies/{hashid}/',
    answer: (session, { id, body }) => {
      const found = find(session, id);
      return ok(showCompany(session, changeCompany(session, found, changes.read(body, session))));
    },
  },
];

function find(session: Session, id: string): Company {
  const found = session.store.get('entity', id, 'company') as Company | undefined;
  if (!found) throw notFound();
  return found;
}

/** The one field error that the newest real service does not put into a list. */
function named(session: Session, body: unknown): unknown {
  const isNameless = typeof body === 'object' && body !== null && !('name' in body);
  if (session.connect && isNameless) throw new Refusal(400, { name: 'This field is required.' });
  return body;
}
