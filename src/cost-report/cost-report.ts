import { type GraphQLSchema, getVariableValues } from 'graphql';
import { ValidDocument } from '../graphql/executor/operation.ts';
import { type MaxCost, maxCost, type Suppositions } from '../graphql/limits/max-calls.ts';
import { rootCallsOf } from '../graphql/limits/root-calls.ts';
import type { ServiceCosts } from '../upstream/service-costs.ts';
import type { Operation } from './documents.ts';
import { sampleFile, sampleVariables } from './sample-variables.ts';
import type { Trial, TrialCost } from './trial.ts';

/** The cost of one operation for the service. */
export interface ReportedOperation {
  name: string;
  file: string;
  /** Measured over the sandbox, with sample variables. */
  usual: Omit<TrialCost, 'errors'>;
  /** The upper bound, with the largest pages that the variables allow. */
  worst: MaxCost;
  /** Codes of errors in the trial, which may make its figures too low. */
  errors: string[];
}

export interface ReportOptions {
  costs: ServiceCosts;
  schema: GraphQLSchema;
  trial: Trial;
  suppositions: Suppositions;
  /** Rows that a page argument may ask for. */
  maxPageSize: number;
  /** Values for the variables of an operation, by its name, in place of samples. */
  variables: Readonly<Record<string, Record<string, unknown>>>;
}

export async function reportOf(operation: Operation, options: ReportOptions): Promise<ReportedOperation> {
  const { costs, schema, trial, suppositions, maxPageSize } = options;
  const { name, file, document, definition } = operation;
  const given = options.variables[name] ?? {};
  const variables = { ...sampleVariables(schema, operation, trial.ids), ...given };
  const { errors, ...usual } = await trial.run(operation, variables);
  const most = { pageSize: maxPageSize };
  const largest = { ...variables, ...sampleVariables(schema, operation, trial.ids, { most }), ...given };
  const variableValues = coercedFor(operation, schema, largest);
  const compiled = new ValidDocument(schema, document).operation(definition);
  const args = { operation: compiled, tree: compiled.tree(variableValues), variableValues, contextValue: undefined };
  return { name, file, usual, worst: maxCost(rootCallsOf(args, maxPageSize), costs, suppositions), errors };
}

/** Coerces all variables but files, whose content does not change the cost. */
function coercedFor({ definition }: Operation, schema: GraphQLSchema, values: Record<string, unknown>) {
  const files = Object.entries(values).filter(([, value]) => value === sampleFile);
  const names = new Set(files.map(([name]) => name));
  const definitions = definition.variableDefinitions?.filter(({ variable }) => !names.has(variable.name.value)) ?? [];
  const { coerced, errors } = getVariableValues(schema, definitions, values);
  if (!coerced) throw errors[0];
  return { ...coerced, ...Object.fromEntries(files) };
}
