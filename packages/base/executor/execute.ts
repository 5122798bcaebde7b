import type { ExecutionResult, GraphQLError } from 'graphql';
import { compile, type RootField } from './compile.ts';
import { type ExecutionArgs, Run } from './run.ts';

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
  let data: Data;
  try {
    const { fields, newObject } = compile(args.tree);
    data = newObject();
    // Keys keep the order of the document, whichever field is resolved first.
    for (const { field } of fields) data[field.key] = undefined;
    if (args.operation.definition.operation === 'mutation') {
      for (const root of fields) await settle(root, run, data);
      const writes = fields.filter(({ field }) => typeof data[field.key] === 'function');
      const isRefused = run.errors.length > 0;
      if (isRefused && writes.some(({ isNonNull }) => isNonNull)) return { data: null, errors: run.errors };
      for (const root of writes)
        await settle(root, run, data, isRefused ? () => null : (data[root.field.key] as Resolve));
    } else if (fields.length === 1) await settle(fields[0] as RootField, run, data);
    else await Promise.all(fields.map((root) => settle(root, run, data)));
  } catch (error) {
    run.errors.push(error as GraphQLError);
    return { data: null, errors: [...run.errors] };
  }
  return run.errors.length > 0 ? { data, errors: run.errors } : { data };
}

type Data = Record<string, unknown>;
type Resolve = RootField['resolve'];

async function settle(
  { field, isNonNull, complete, resolve: ofField }: RootField,
  run: Run,
  data: Data,
  resolve: Resolve = ofField,
): Promise<void> {
  try {
    const value = await resolve(run);
    if (typeof value === 'function') {
      data[field.key] = value;
      return;
    }
    run.moveTo([field.key]);
    data[field.key] = await complete(value, run);
  } catch (error) {
    run.moveTo([field.key]);
    data[field.key] = run.fail(error, field.nodes, isNonNull);
  }
}
