import type { ExecutionResult, GraphQLError } from 'graphql';
import type { CompiledOperation, RootField } from './compile.ts';
import { Run, type RunParts } from './run.ts';

/**
 * Runs a compiled operation. Fields of the root may be promises, and overlap unless the operation writes; what they give
 * is complete, so everything below them is read synchronously.
 */
export async function execute({ isSerial, fields }: CompiledOperation, parts: RunParts): Promise<ExecutionResult> {
  const run = new Run(parts);
  const data: Record<string, unknown> = Object.create(null);
  // Answers keep the order of the document, whatever comes first.
  for (const { key } of fields) data[key] = undefined;
  try {
    if (isSerial) for (const field of fields) data[field.key] = await settle(field, run);
    else {
      await Promise.all(
        fields.map(async (field) => {
          data[field.key] = await settle(field, run);
        }),
      );
    }
  } catch (error) {
    run.errors.push(error as GraphQLError);
    return { data: null, errors: [...run.errors] };
  }
  return run.errors.length > 0 ? { data, errors: run.errors } : { data };
}

async function settle(field: RootField, run: Run): Promise<unknown> {
  const { path } = run;
  try {
    path.length = 0;
    path.push(field.key);
    const value = await field.resolve(run);
    path.length = 0;
    path.push(field.key);
    return field.complete(value, run);
  } catch (error) {
    path.length = 0;
    path.push(field.key);
    return run.fail(error, field.fieldNodes, field.isNonNull);
  }
}
