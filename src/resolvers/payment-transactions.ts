import type { Resolvers } from '../generated/graph.ts';
import { needsNothing, planOf } from '../loaders/plan.ts';
import { unresolved } from '../loaders/sweep.ts';
import { isObject } from '../rest/json.ts';
import { byId, list, mutate, write } from './root.ts';

export const paymentTransactions: Resolvers = {
  Query: { paymentTransactions: list('listPaymentTransactions'), paymentTransaction: byId('PaymentTransaction') },
  Mutation: {
    createPaymentTransaction: write('createPaymentTransaction', 'PaymentTransaction'),
    uploadInvoice: mutate('PaymentTransaction', async ({ payment_transaction, invoice }, context) => {
      const { filename, mimetype, size, createReadStream } = await invoice;
      const file = { filename, mimetype, size, stream: createReadStream() };
      return context.write('uploadInvoice', { id: payment_transaction, file });
    }),
  },
  PaymentTransaction: {
    // The option is embedded in the premium: an id among its options, never a call.
    selected_option: ({ selected_option: id, premium_details }, _args, _context, info) => {
      if (!id) return null;
      const option = premium_details?.options?.find((candidate) => candidate.id === id);
      if (option) return option;
      if (needsNothing(planOf(info, info.returnType, info.fieldNodes))) return { id };
      throw unresolved('PremiumOption', id);
    },
    // Newer versions of the service embed the submissions whose ids older ones give.
    submissions: ({ submissions }) =>
      submissions?.map((value: unknown) => (isObject(value) ? String(value.id) : String(value))),
    selected_option_id: ({ selected_option }) => selected_option || null,
  },
};
