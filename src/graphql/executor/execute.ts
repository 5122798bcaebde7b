import type { ExecutionResult, GraphQLError } from 'graphql';
import { compile, type RootField } from './compile.ts';
import type { ExecutionArgs } from './operation.ts';
import { Run } from './run.ts';

/**
 * Gives the answer that graphql-js gives. Fields of the root may be promises, and overlap unless the operation writes.
 * Their values are complete, so the executor reads everything below synchronously. It pauses in long lists at the top, and
 * other requests have their turn.
 *
 * A resolver of a mutation checks its input, and returns its write as a function. The executor starts the first write after
 * the last check. If a check fails, no write starts, and all fields are null.
 */
export async function execute(args: ExecutionArgs): Promise<ExecutionResult> {
  const run = new Run(args);
  const data: Record<string, unknown> = Object.create(null);
  try {
    const fields = compile(args.tree);
    // Keys keep the order of the document, whichever field is resolved first.
    for (const { field } of fields) data[field.key] = undefined;
    const settleInto = async (root: RootField, resolve: Resolve = root.resolve): Promise<void> => {
      data[root.field.key] = await settle(root, run, resolve);
    };
    if (args.operation.definition.operation === 'mutation') {
      for (const root of fields) await settleInto(root);
      const writes = fields.filter(({ field }) => typeof data[field.key] === 'function');
      const isRefused = run.errors.length > 0;
      if (isRefused && writes.some(({ isNonNull }) => isNonNull)) return { data: null, errors: run.errors };
      for (const root of writes) await settleInto(root, isRefused ? () => null : (data[root.field.key] as Resolve));
    } else await Promise.all(fields.map((root) => settleInto(root)));
  } catch (error) {
    run.errors.push(error as GraphQLError);
    return { data: null, errors: [...run.errors] };
  }
  return run.errors.length > 0 ? { data, errors: run.errors } : { data };
}

type Resolve = RootField['resolve'];

async function settle({ field, isNonNull, complete }: RootField, run: Run, resolve: Resolve): Promise<unknown> {
  try {
    const value = await resolve(run);
    if (typeof value === 'function') return value;
    run.moveTo([field.key]);
    return await complete(value, run);
  } catch (error) {
    run.moveTo([field.key]);
    return run.fail(error, field.nodes, isNonNull);
  }
}
