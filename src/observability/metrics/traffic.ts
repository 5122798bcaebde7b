import type { Registry } from 'prom-client';
import type { Idempotency } from '../../idempotency/idempotency.ts';
import type { Traffic } from '../traffic.ts';
import { counter, gauge, histogram } from './read.ts';

/** What the clients ask for, and what they get. */
export function measureTraffic(register: Registry, traffic: Traffic, { counts }: Idempotency): void {
  const operations = { name: 'operations_total', help: 'Operations by what they are and how they ended.' };
  counter(register, { ...operations, labels: ['kind', 'outcome'] }, function* () {
    for (const [kind, outcome, count] of traffic.operations.counts()) yield [{ kind, outcome }, count];
  });
  const took = { name: 'operation_seconds', help: 'From the head of a request to the end of its answer.' };
  histogram(register, { ...took, labels: ['kind'] }, function* () {
    for (const [kind, distribution] of traffic.took.all()) yield [{ kind }, distribution];
  });
  const inFlight = { name: 'operations_in_flight', help: 'Operations that are not answered yet.' };
  gauge(register, inFlight, () => traffic.inFlight);
  const queued = { name: 'operations_queued', help: 'Operations that wait until they may run.' };
  gauge(register, queued, () => traffic.queue.waiting);
  const errors = { name: 'errors_total', help: 'Errors in answers by their code.' };
  counter(register, { ...errors, labels: ['code'] }, function* () {
    for (const [code, count] of traffic.errors) yield [{ code }, count];
  });
  const answers = { name: 'http_answers_total', help: 'Answers to HTTP requests of all kinds by their status.' };
  counter(register, { ...answers, labels: ['status'] }, function* () {
    for (const [status, count] of traffic.answers) yield [{ status }, count];
  });
  const uploads = { name: 'uploads_total', help: 'Requests with a file by how their operation ended.' };
  counter(register, { ...uploads, labels: ['outcome'] }, function* () {
    for (const [outcome, count] of traffic.uploads) yield [{ outcome }, count];
  });
  const bytes = { name: 'upload_bytes_total', help: 'Bytes of files that clients have sent.' };
  counter(register, bytes, () => [[{}, traffic.uploadedBytes]]);
  const writes = { name: 'idempotent_writes_total', help: 'Writes with an Idempotency-Key by what became of them.' };
  counter(register, { ...writes, labels: ['result'] }, function* () {
    for (const [result, count] of Object.entries(counts)) yield [{ result }, count];
  });
}
