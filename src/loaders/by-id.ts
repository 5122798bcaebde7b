import type { Operation } from '../rest/endpoints.ts';
import { RestError } from '../rest/errors.ts';
import type { Json } from '../rest/json.ts';
import { type Loader, loadEach } from './batch.ts';
import type { IdentityMap, Known } from './identity-map.ts';
import { isRow, type Target } from './references.ts';

/** One call of the service for the caller of this request. */
export type Call = (
  operation: Operation,
  input: { id?: string; query?: Readonly<Record<string, string | number>> },
) => Promise<Json>;

/** Kinds that the service gives by id. */
const operations = {
  Farmer: 'getFarmer',
  Company: 'getCompany',
  User: 'getUser',
  ProductTransaction: 'getProductTransaction',
  PaymentTransaction: 'getPaymentTransaction',
} as const satisfies Partial<Record<Target, Operation>>;

export type ByIdKind = keyof typeof operations;

export function isById(target: Target): target is ByIdKind {
  return target in operations;
}

/** The service has no batch endpoint: a batch is one GET for each distinct id, all in parallel. */
export function byIdLoader(kind: ByIdKind, call: Call, seen: IdentityMap): Loader<string, Known> {
  return loadEach(
    async (id) => {
      const data = await call(operations[kind], { id });
      if (!isRow(data)) {
        throw new RestError('UPSTREAM_INVALID_RESPONSE', `The service answered a ${kind} without an id.`);
      }
      seen.add(kind, data, true);
      return { data, complete: true };
    },
    (id) => id,
  );
}
