import { type GraphQLSchema, getVariableValues } from 'graphql';
import { Operation as CompiledOperation } from '../graphql/executor/operation.ts';
import { type MaxCost, maxCost, type Suppositions } from '../graphql/limits/max-calls.ts';
import { rootCallsOf } from '../graphql/root-calls.ts';
import type { Operation } from './documents.ts';
import { sampleFile, sampleVariables } from './sample-variables.ts';
import type { Trial } from './trial.ts';

/** What one operation costs the service. */
export interface BillItem {
  name: string;
  file: string;
  /** What it took of the sandbox, with sample variables. */
  usual: MaxCost;
  /** The most that it can take, with the largest pages that its variables allow. */
  worst: MaxCost;
  /** Codes of errors in the trial: its figures may be too low. */
  errors: string[];
}

export interface BillOptions {
  schema: GraphQLSchema;
  trial: Trial;
  suppositions: Suppositions;
  /** Rows that a page argument may ask for. */
  maxPageSize: number;
  /** Values for the variables of an operation, by its name, in place of samples. */
  variables: Readonly<Record<string, Record<string, unknown>>>;
}

export async function billOf(operation: Operation, options: BillOptions): Promise<BillItem> {
  const { schema, trial, suppositions, maxPageSize } = options;
  const { name, file, document, definition } = operation;
  const given = options.variables[name] ?? {};
  const variables = { ...sampleVariables(schema, operation, trial.ids), ...given };
  const { errors, ...usual } = await trial.run(operation, variables);
  const most = { pageSize: maxPageSize };
  const largest = { ...variables, ...sampleVariables(schema, operation, trial.ids, { most }), ...given };
  const variableValues = coercedFor(operation, schema, largest);
  const compiled = new CompiledOperation(schema, document, definition);
  const args = { operation: compiled, tree: compiled.tree(variableValues), variableValues, contextValue: undefined };
  return { name, file, usual, worst: maxCost(rootCallsOf(args, maxPageSize), suppositions), errors };
}

/** A file costs what it costs, whatever is in it: it stays as it is. */
function coercedFor({ definition }: Operation, schema: GraphQLSchema, values: Record<string, unknown>) {
  const files = Object.entries(values).filter(([, value]) => value === sampleFile);
  const names = new Set(files.map(([name]) => name));
  const definitions = definition.variableDefinitions?.filter(({ variable }) => !names.has(variable.name.value)) ?? [];
  const { coerced, errors } = getVariableValues(schema, definitions, values);
  if (!coerced) throw errors[0];
  return { ...coerced, ...Object.fromEntries(files) };
}
