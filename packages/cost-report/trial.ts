import type { ServiceCosts } from '@gateway/upstream';
import type { Operation } from './documents.ts';
import type { SampleIds } from './sample-variables.ts';
import type { ServiceTime } from './service-time.ts';

/** The cost of an operation over a service that answers at once. */
export interface TrialCost extends ServiceTime {
  calls: number;
  rows: number;
  waves: number;
  /** Codes of the errors in its answer. */
  errors: string[];
}

export interface Trial {
  ids: SampleIds;
  /** Sends an operation to a new gateway, whose caches are empty. */
  run(operation: Operation, variables: Record<string, unknown>): Promise<TrialCost>;
  close(): Promise<void>;
}

/** Starts gateways that plan for `costs`, over a service of its own. */
export type StartTrial = (costs: ServiceCosts, dialect: string) => Promise<Trial>;
