import type { Registry } from 'prom-client';
import type { Service } from '../../graphql/context.ts';
import { counter, gauge, gauges, histogram } from './read.ts';

/** What the service is asked for, and what need not be asked. */
export function measureUpstream(register: Registry, { upstream, rest, saved, batches }: Service): void {
  const { calls, listCache: catalogs, drift } = upstream;
  const ended = { name: 'upstream_calls_total', help: 'Calls of the service by why they were made and their status.' };
  counter(register, { ...ended, labels: ['endpoint', 'reason', 'status'] }, function* () {
    for (const { endpoint, ended } of calls.byOperation()) {
      for (const [reason, status = 'none', count] of ended.counts()) yield [{ endpoint, reason, status }, count];
    }
  });
  const took = {
    name: 'upstream_call_seconds',
    help: 'From a call, its wait for a connection included, to its answer.',
  };
  histogram(register, { ...took, labels: ['endpoint'] }, function* () {
    for (const { endpoint, took } of calls.byOperation()) yield [{ endpoint }, took];
  });
  const inFlight = { name: 'upstream_calls_in_flight', help: 'Calls of the service that are not answered yet.' };
  gauge(register, inFlight, () => calls.inFlight);
  const withheld = { name: 'upstream_not_sent_total', help: 'Calls that were not sent, by the code of the error.' };
  counter(register, { ...withheld, labels: ['endpoint', 'code'] }, function* () {
    for (const [endpoint, code, count] of calls.notSent.counts()) yield [{ endpoint, code }, count];
  });
  const broken = {
    name: 'upstream_circuit_open',
    help: '1 where nothing is sent but probes, because too many calls fail.',
  };
  const brokenNow = function* (): Iterable<[{ endpoint: string }, number]> {
    for (const [endpoint, isBroken] of rest.openCircuits()) yield [{ endpoint }, isBroken ? 1 : 0];
  };
  gauges(register, { ...broken, labels: ['endpoint'] }, brokenNow, 'max');
  const used = { name: 'upstream_connections_in_use', help: 'Connections to the service with a call on them.' };
  gauge(register, used, () => rest.connections.inUse);
  const waiting = { name: 'upstream_calls_waiting', help: 'Calls that wait for a connection.' };
  gauge(register, waiting, () => rest.connections.waiting);
  const spared = { name: 'upstream_saved_total', help: 'Calls that were not needed, by where the answer came from.' };
  counter(register, { ...spared, labels: ['endpoint', 'by'] }, function* () {
    for (const [endpoint, by, count] of saved.counts()) yield [{ endpoint, by }, count];
  });
  const sizes = { name: 'batch_size', help: 'Keys that were loaded together, by what they are loaded as.' };
  histogram(register, { ...sizes, labels: ['loader'] }, function* () {
    for (const [loader, distribution] of batches.all()) yield [{ loader }, distribution];
  });
  const kept = { name: 'list_cache_reads_total', help: 'Ranges of catalogs by whether they were kept.' };
  counter(register, { ...kept, labels: ['endpoint', 'result'] }, function* () {
    for (const [endpoint, result, count] of catalogs.reads.counts()) yield [{ endpoint, result }, count];
  });
  gauge(register, { name: 'list_cache_lists', help: 'Lists of catalogs that are kept.' }, () => catalogs.entries);
  gauge(register, { name: 'list_cache_bytes', help: 'Bytes of JSON that are kept of catalogs.' }, () => catalogs.bytes);
  const drifted = {
    name: 'upstream_drift_total',
    help: 'Fields of answers that are unknown, missing or of another type than the contract says, as far as looked at.',
  };
  counter(register, { ...drifted, labels: ['endpoint', 'field', 'kind'] }, function* () {
    for (const { count, ...labels } of drift.counts()) yield [labels, count];
  });
}
