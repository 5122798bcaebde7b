import type { FieldError } from '@gateway/base';
import type { RequestContext } from '@gateway/rest-graph';
import { pageSize } from '@gateway/upstream';
import { settingsOf } from '../app-settings.ts';
import type { CreatePaymentTransactionInput, CreateProductTransactionInput } from '../generated/graph.ts';
import { companiesOf, PartLookup, type Source } from './part-lookup.ts';

interface Choice {
  premium?: string | null;
  selected_option?: string | null;
}

/** Ids of the service are upper case, without I, L, O, 0 and 1. An internal number of an option breaks the row. */
const idShape = /^[A-HJKMNP-Z2-9]{10,}$/;

/** Most milliseconds that the service may work for a page of this lookup. */
const mostWorkMs = 600;
const fewestRows = 20;

const lists = ['listPaymentTransactions', 'listProductTransactions'] as const;

/** Refuses an option that is none of its premium. Real deployments store the payment, and fail on every page that has it. */
export function optionMistakes(input: CreatePaymentTransactionInput, context: RequestContext): Promise<FieldError[]> {
  return mistakesOf(input, ['input'], context, lookup(context, input.source, input.destination));
}

/** The same for the payments of a product transaction. Without a premium they are refused as a whole. */
export async function nestedOptionMistakes(
  { transaction_payments, source, destination }: CreateProductTransactionInput,
  context: RequestContext,
): Promise<FieldError[]> {
  const premiums = lookup(context, destination, source);
  const found = (transaction_payments ?? []).map((payment, index) => {
    const path = ['input', 'transaction_payments', index];
    return payment.premium ? mistakesOf(payment, path, context, premiums) : [];
  });
  return (await Promise.all(found)).flat();
}

/** The companies of a payment show its premium, or the latest payments do. The service may give no premium by its id. */
function lookup(context: RequestContext, ...parties: (string | null | undefined)[]): PartLookup {
  return new PartLookup(context, 'Premium', 'selected_option', [
    ...companiesOf(context, 'selected_option', ...parties),
    ...latestPayments(context),
  ]);
}

async function mistakesOf(
  { premium, selected_option: option }: Choice,
  path: (string | number)[],
  context: RequestContext,
  premiums: PartLookup,
): Promise<FieldError[]> {
  if (option == null) return [];
  const message = !premium
    ? 'Needs the premium that it belongs to.'
    : !idShape.test(option)
      ? 'Must be the id of an option.'
      : await whyRefused(premium, option, context, premiums);
  return message === undefined ? [] : [{ path: [...path, 'selected_option'], message }];
}

async function whyRefused(
  premium: string,
  option: string,
  context: RequestContext,
  premiums: PartLookup,
): Promise<string | undefined> {
  const maySend = settingsOf(context).unknownOptions === 'send';
  const options = await premiums.partsOf(premium, option).catch((error) => {
    if (!maySend) throw error;
  });
  if (options?.has(option)) return undefined;
  if (options) {
    return options.size > 0
      ? `None of the premium's options, which are ${[...options.keys()].slice(0, 10).join(', ')}.`
      : 'The premium has no options.';
  }
  if (maySend) return undefined;
  return `Cannot be checked: ${context.loaders.givesById('Premium') ? unknownId : notShown} ${risk}`;
}

const unknownId = 'the service gives no premium of this id.';
const notShown = 'the companies of the payment and the latest payments do not show the options of this premium.';
const risk = [
  'A wrong option would break the lists of the service.',
  'The setting upstream.unknownOptions lets it through.',
].join(' ');

/** One page of each list whose rows embed premiums, the cheaper list first. */
function latestPayments({ loaders, service }: RequestContext): Source[] {
  const origin = { reason: 'list scan', fields: () => ['selected_option'] } as const;
  return lists
    .map((endpoint) => {
      const { callMs, rowMs } = service.upstream.costs.of(endpoint);
      const limit = Math.max(fewestRows, Math.min(pageSize, Math.floor((mostWorkMs - callMs) / rowMs)));
      return { endpoint, limit, workMs: callMs + limit * rowMs };
    })
    .toSorted((a, b) => a.workMs - b.workMs)
    .map(({ endpoint, limit }) => async () => {
      const page = await loaders.lists.of(endpoint).page({ offset: 0, limit }, { origin });
      return page.rows;
    });
}
