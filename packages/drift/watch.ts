import { readCounter } from '@gateway/base';
import type { Part } from '@gateway/graphql-serve';
import type { RestService } from '@gateway/rest-graph';
import { ContractDrift, watchDrift } from './contract-drift.ts';

/** Counts where the answers of the service differ from the contract. */
export function drift({ upstream: { contract, dialect, events } }: RestService): () => Part {
  const found = new ContractDrift(contract, dialect);
  watchDrift(found, events);
  const help = 'Fields of sampled answers that are unknown, missing or of another type than the contract says.';
  const counts = readCounter('upstream_drift_total', help, () =>
    Array.from(found.counts(), ({ count, ...of }) => ({ labels: of, value: count })),
  );
  return () => ({ metrics: [counts] });
}
