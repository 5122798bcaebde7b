import type { ExecutionResult, GraphQLError } from 'graphql';
import { compile, type RootField } from './compile.ts';
import type { ExecutionArgs } from './operation.ts';
import { Run } from './run.ts';

/**
 * Gives the answer that graphql-js gives. Fields of the root may be promises, and overlap unless the operation writes.
 * Their values are complete, so the executor reads everything below synchronously.
 */
export async function execute(args: ExecutionArgs): Promise<ExecutionResult> {
  const run = new Run(args);
  const data: Record<string, unknown> = Object.create(null);
  try {
    const fields = compile(args.tree);
    // Keys keep the order of the document, whichever field is resolved first.
    for (const { field } of fields) data[field.key] = undefined;
    const settleInto = async (root: RootField): Promise<void> => {
      data[root.field.key] = await settle(root, run);
    };
    if (args.operation.definition.operation === 'mutation') for (const field of fields) await settleInto(field);
    else await Promise.all(fields.map(settleInto));
  } catch (error) {
    run.errors.push(error as GraphQLError);
    return { data: null, errors: [...run.errors] };
  }
  return run.errors.length > 0 ? { data, errors: run.errors } : { data };
}

async function settle({ field, isNonNull, resolve, complete }: RootField, run: Run): Promise<unknown> {
  const { path } = run;
  try {
    const value = await resolve(run);
    // Another field of the root may have moved the path meanwhile.
    path.length = 0;
    path.push(field.key);
    return complete(value, run);
  } catch (error) {
    path.length = 0;
    path.push(field.key);
    return run.fail(error, field.nodes, isNonNull);
  }
}
