import type { GraphQLSchema } from 'graphql';
import type { Operation } from './documents.ts';
import { sampleVariables } from './sample-variables.ts';
import type { Trial, TrialCost } from './trial.ts';

/** The cost of one operation for the service. */
export interface ReportedOperation {
  name: string;
  file: string;
  /** Measured over the sandbox, with sample variables. */
  usual: Omit<TrialCost, 'errors'>;
  /** Codes of errors in the trial, which may make its figures too low. */
  errors: string[];
}

export interface ReportOptions {
  schema: GraphQLSchema;
  trial: Trial;
  /** Values for the variables of an operation, by its name, in place of samples. */
  variables: Readonly<Record<string, Record<string, unknown>>>;
}

export async function reportOf(operation: Operation, options: ReportOptions): Promise<ReportedOperation> {
  const { schema, trial, variables } = options;
  const { name, file } = operation;
  const sent = { ...sampleVariables(schema, operation, trial.ids), ...variables[name] };
  const { errors, ...usual } = await trial.run(operation, sent);
  return { name, file, usual, errors };
}
