import type { Registry } from 'prom-client';
import type { Service } from '../../graphql/context.ts';
import { counter, gauge, gauges, histogram } from './read.ts';

/** What the service is asked for, and what need not be asked. */
export function measureUpstream(register: Registry, { reads, rest, saved, batches }: Service): void {
  const { calls, catalogs, drift } = reads;
  const ended = { name: 'upstream_calls_total', help: 'Calls of the service by why they were made and their status.' };
  counter(register, { ...ended, labels: ['operation', 'rung', 'status'] }, function* () {
    for (const { operation, ended } of calls.byOperation()) {
      for (const [rung, status = 'none', count] of ended.counts()) yield [{ operation, rung, status }, count];
    }
  });
  const took = {
    name: 'upstream_call_seconds',
    help: 'From a call, its wait for a connection included, to its answer.',
  };
  histogram(register, { ...took, labels: ['operation'] }, function* () {
    for (const { operation, took } of calls.byOperation()) yield [{ operation }, took];
  });
  const inFlight = { name: 'upstream_calls_in_flight', help: 'Calls of the service that are not answered yet.' };
  gauge(register, inFlight, () => calls.inFlight);
  const withheld = { name: 'upstream_withheld_total', help: 'Calls that were not sent, by the code of the error.' };
  counter(register, { ...withheld, labels: ['operation', 'code'] }, function* () {
    for (const [operation, code, count] of calls.withheld.counts()) yield [{ operation, code }, count];
  });
  const broken = { name: 'upstream_broken', help: '1 where nothing is sent but probes, because too many calls fail.' };
  const brokenNow = function* (): Iterable<[{ operation: string }, number]> {
    for (const [operation, isBroken] of rest.brokenEndpoints()) yield [{ operation }, isBroken ? 1 : 0];
  };
  gauges(register, { ...broken, labels: ['operation'] }, brokenNow, 'max');
  const used = { name: 'upstream_connections_in_use', help: 'Connections to the service with a call on them.' };
  gauge(register, used, () => rest.connections.inUse);
  const waiting = { name: 'upstream_calls_waiting', help: 'Calls that wait for a connection.' };
  gauge(register, waiting, () => rest.connections.waiting);
  const spared = { name: 'upstream_saved_total', help: 'Calls that were not needed, by where the answer came from.' };
  counter(register, { ...spared, labels: ['operation', 'by'] }, function* () {
    for (const [operation, by, count] of saved.counts()) yield [{ operation, by }, count];
  });
  const sizes = { name: 'batch_size', help: 'Keys that were loaded together, by what they are loaded as.' };
  histogram(register, { ...sizes, labels: ['loader'] }, function* () {
    for (const [loader, distribution] of batches.all()) yield [{ loader }, distribution];
  });
  const kept = { name: 'catalog_reads_total', help: 'Ranges of catalogs by whether they were kept.' };
  counter(register, { ...kept, labels: ['operation', 'result'] }, function* () {
    for (const [operation, result, count] of catalogs.reads.counts()) yield [{ operation, result }, count];
  });
  gauge(register, { name: 'catalog_lists', help: 'Lists of catalogs that are kept.' }, () => catalogs.entries);
  gauge(register, { name: 'catalog_bytes', help: 'Bytes of JSON that are kept of catalogs.' }, () => catalogs.bytes);
  const drifted = {
    name: 'upstream_drift_total',
    help: 'Fields of answers that are unknown, missing or of another type than the contract says, as far as looked at.',
  };
  counter(register, { ...drifted, labels: ['operation', 'field', 'kind'] }, function* () {
    for (const { count, ...labels } of drift.counts()) yield [labels, count];
  });
}
