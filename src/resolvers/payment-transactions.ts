import type { Resolvers } from '../generated/graph.ts';
import { invoiceMistakes } from './guards.ts';
import { refuseMistakes } from './prepare-write.ts';
import { mutate } from './root.ts';

export const paymentTransactions: Resolvers = {
  Mutation: {
    uploadInvoice: mutate('PaymentTransaction', async ({ payment_transaction, invoice }, context) => {
      const { filename, mimetype, size, createReadStream } = await invoice;
      await refuseMistakes(context, 'uploadInvoice', () => invoiceMistakes(filename));
      const write = context.writes.prepare('uploadInvoice', { id: payment_transaction });
      return () => write({ file: { filename, mimetype, size, stream: createReadStream() } });
    }),
  },
};
