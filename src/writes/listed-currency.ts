import { type FieldError, isObject } from '@gateway/base';
import type { ListReader, RequestContext } from '@gateway/rest-graph';
import { pageSize } from '@gateway/upstream';

/**
 * Refuses a currency, by id or code, that the service does not list, or that is in lower case. Mostly the list is cached.
 * Otherwise the check takes one call, or two for a currency on the second page. A currency that the cached list lacks is
 * searched in the list as it is now. If the list fails, the currency passes.
 */
export async function currencyMistakes(
  currency: string | null | undefined,
  context: RequestContext,
): Promise<FieldError[]> {
  // Internal numbers are in no list.
  if (currency == null || context.loaders.contract.isInternalNumber(currency)) return [];
  const path = ['input', 'currency'];
  const upper = currency.toUpperCase();
  if (currency !== upper) return [{ path, message: `Ids and codes of currencies are in upper case: "${upper}".` }];
  if (await isListed(currency, context).catch(() => true)) return [];
  return [{ path, message: 'The service knows no currency of this id or code.' }];
}

async function isListed(currency: string, { loaders }: RequestContext): Promise<boolean> {
  const list = loaders.lists.of('listCurrencies');
  if (await isIn(list, currency)) return true;
  return list.usedCache && isIn(loaders.uncachedLists.of('listCurrencies'), currency);
}

async function isIn(list: ListReader, currency: string): Promise<boolean> {
  const origin = { reason: 'list scan', fields: () => ['currency'] } as const;
  for (let offset = 0, count = Number.POSITIVE_INFINITY; offset < count; ) {
    const page = await list.page({ offset, limit: pageSize }, { origin });
    if (page.rows.some((row) => isObject(row) && (row.id === currency || row.code === currency))) return true;
    // A page without rows is the end, even if the count says otherwise.
    if (page.rows.length === 0) return false;
    count = page.count;
    offset += page.rows.length;
  }
  return false;
}
