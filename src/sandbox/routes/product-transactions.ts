import { created, type Endpoint, ok } from '../endpoint.ts';
import { type Filters, page, time } from '../page.ts';
import { notFound } from '../refusal.ts';
import { isVisible, visibleTo } from '../resources/movements.ts';
import {
  addProductTransaction,
  connectProductTransactionField,
  type ProductTransaction,
  productTransactionField,
  showProductTransaction,
} from '../resources/product-transactions.ts';
import type { Session } from '../session.ts';
import { type Condition, equal } from '../store.ts';

const filters: Filters = {
  updated_after: time('updated >='),
  created_after: time('created >='),
  updated_before: time('updated <'),
};

/** Anything but `true` filters nothing. */
function available(session: Session, query: URLSearchParams): Condition[] {
  if (query.get('only_quantity_available')?.toLowerCase() !== 'true') return [];
  const sql = "destination = ? AND CAST(doc ->> 'current_quantity' AS REAL) > 0";
  return [{ sql, values: [session.caller.company] }];
}

/** The newest real service shows nobody the transactions of a colleague, unless asked with `filter_by=all`. */
const showsColleagues = (session: Session, query: URLSearchParams) =>
  !session.connect || query.get('filter_by') === 'all';

export const productTransactions: Endpoint[] = [
  {
    method: 'POST',
    template: '/transactions/product-transactions/',
    answer: (session, { body }) => {
      const field = session.connect ? connectProductTransactionField : productTransactionField;
      return created(showProductTransaction(session, addProductTransaction(session, field.read(body, session))));
    },
  },
  {
    method: 'GET',
    template: '/transactions/product-transactions/',
    answer: (session, request) =>
      ok(
        page<ProductTransaction>(session, request, {
          table: 'movement',
          where: [
            equal('kind', 'product'),
            visibleTo(session),
            ...available(session, request.query),
            ...(showsColleagues(session, request.query) ? [] : [equal('creator', session.caller.user)]),
          ],
          filters,
          show: (row) => showProductTransaction(session, row),
        }),
      ),
  },
  {
    method: 'GET',
    template: '/transactions/product-transactions/{hashid}/',
    answer: (session, { id, query }) => {
      const found = session.store.get('movement', id, 'product') as ProductTransaction | undefined;
      if (!found || !isVisible(session, found)) throw notFound();
      if (!showsColleagues(session, query) && found.creator !== session.caller.user) throw notFound();
      return ok(showProductTransaction(session, found));
    },
  },
];
