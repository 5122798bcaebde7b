import type { IncomingHttpHeaders } from 'node:http';
import { type ErrorCode, randomHex, type ValidDocument } from '@gateway/base';
import {
  type CurrentRequest,
  type Ended,
  OperationSpan,
  type Spans,
  spanIdOf,
  traceParentOf,
} from '@gateway/graphql-serve';
import { type NotedCall, traceOf } from '@gateway/rest-graph';
import { type Attributes, type HrTime, type Link, SpanKind, SpanStatusCode, TraceFlags } from '@opentelemetry/api';
import type { ReadableSpan } from '@opentelemetry/sdk-trace';
import type { Sampler } from './sampler.ts';
import type { SpanQueue } from './span-queue.ts';

export interface SpanOptions {
  /** URL of the REST service. */
  upstreamUrl: string;
  /** Operations that take as long are exported. */
  slowMs: number;
  /** The id of a trusted document. */
  idOf: (document: ValidDocument) => string | undefined;
  resource: ReadableSpan['resource'];
  scope: ReadableSpan['instrumentationScope'];
}

/** Faults of the service or of the gateway. Other errors are about the request of the client. */
const faults: ReadonlySet<ErrorCode> = new Set([
  'RATE_LIMITED',
  'UPSTREAM_ERROR',
  'UPSTREAM_UNAVAILABLE',
  'UPSTREAM_TIMEOUT',
  'UPSTREAM_INVALID_RESPONSE',
  'OUTCOME_UNKNOWN',
  'INPUT_NOT_STORED',
  'OVERLOADED',
  'INTERNAL_SERVER_ERROR',
]);

const overBudget: readonly ErrorCode[] = ['UPSTREAM_BUDGET_EXCEEDED', 'QUERY_TOO_COMPLEX'];

const maxNameLength = 100;
/** The usual limit of SDKs. */
const maxLinks = 128;
/** The system's clock was set where it differs by more. */
const clockErrorMs = 2;

const nothing = { events: [], ended: true, droppedAttributesCount: 0, droppedEventsCount: 0 };

/** Makes the spans of operations of what their traces have noted, once they have ended. */
export class OperationSpans implements Spans {
  readonly #sampler: Sampler;
  readonly #queue: SpanQueue;
  readonly #options: SpanOptions;
  readonly #server: Attributes;
  readonly #basePath: string;

  constructor(sampler: Sampler, queue: SpanQueue, options: SpanOptions) {
    this.#sampler = sampler;
    this.#queue = queue;
    this.#options = options;
    const { hostname, port, protocol, pathname } = new URL(options.upstreamUrl);
    this.#server = { 'server.address': hostname, 'server.port': Number(port) || (protocol === 'https:' ? 443 : 80) };
    this.#basePath = pathname.replace(/\/+$/, '');
  }

  begin({ traceparent }: IncomingHttpHeaders): OperationSpan {
    const parent = traceParentOf(traceparent);
    const traceId = parent?.traceId ?? randomHex(32);
    return new OperationSpan(traceId, parent, this.#sampler.samples(traceId, parent));
  }

  endWindow({ span }: CurrentRequest): void {
    const trace = span && traceOf(span);
    if (!trace) return;
    const { calls } = trace;
    span.trace = undefined;
    if (span.isSampled) this.#queue.add(calls.length, () => this.#callSpans(span, calls));
  }

  end(request: CurrentRequest, ended: Ended): void {
    const { span } = request;
    if (!span || !(span.isSampled || this.#matters(request))) return;
    const calls = traceOf(span)?.calls ?? [];
    const spans = () => [this.#operationSpan(request, span, ended), ...this.#callSpans(span, calls)];
    this.#queue.add(1 + calls.length, spans);
  }

  /** Slow, failed and over-budget operations are exported, whatever the sampler says. */
  #matters({ kind, errors, begin, fileBytes }: CurrentRequest): boolean {
    // A file takes as long as its client does.
    const isTimed = kind !== 'file' && fileBytes === undefined;
    if (isTimed && performance.now() - begin >= this.#options.slowMs) return true;
    if (!errors) return false;
    if (overBudget.some((code) => errors.has(code))) return true;
    // Refusals come by thousands where the gateway has too much to do.
    return kind === 'refused' ? errors.has('INTERNAL_SERVER_ERROR') : faultOf(errors) !== undefined;
  }

  #operationSpan(request: CurrentRequest, span: OperationSpan, { method, status, outcome }: Ended): ReadableSpan {
    const { kind, operationName, errors = new Map(), client, calls, begin } = request;
    const fault = status !== undefined && status >= 500 ? String(status) : faultOf(errors);
    const type = kind === 'refused' ? undefined : kind === 'mutation' ? 'mutation' : 'query';
    const links = linksOf(span);
    const trace = traceOf(span);
    return {
      ...nothing,
      ...this.#own,
      name: type ?? 'GraphQL Operation',
      kind: SpanKind.SERVER,
      ...contextsOf(span, span.spanId, span.parent && { ...span.parent, isRemote: true }),
      ...timesOf(span, begin, performance.now()),
      status: { code: fault === undefined ? SpanStatusCode.UNSET : SpanStatusCode.ERROR },
      attributes: defined({
        'graphql.operation.type': type,
        'graphql.operation.name': operationName?.slice(0, maxNameLength),
        'http.request.method': method,
        'http.route': '/graphql',
        'http.response.status_code': status,
        'error.type': fault,
        'gateway.kind': kind,
        'gateway.outcome': outcome,
        'gateway.error.codes': errors.size > 0 ? [...errors.keys()] : undefined,
        'gateway.client.name': client.name,
        'gateway.client.version': client.version,
        'gateway.document.id': span.document && this.#options.idOf(span.document),
        'gateway.cost': trace?.estimate?.cost,
        'gateway.upstream.calls': calls,
        'gateway.upstream.saved': trace?.saved.length,
      }),
      links: links.slice(0, maxLinks),
      droppedLinksCount: Math.max(0, links.length - maxLinks),
    };
  }

  *#callSpans(span: OperationSpan, calls: readonly NotedCall[]): Generator<ReadableSpan> {
    const names = new Map(span.tree?.fields.map(({ key, name }) => [key, name]));
    const parent = { traceId: span.traceId, spanId: span.spanId };
    const now = performance.now();
    for (const call of calls) {
      const { described, endpoint, reason, fields, attempt, begin, end = now, rows, traceparent = span.next() } = call;
      const { method, path } = described;
      const status = call.status ?? undefined;
      const failure = failureOf(call);
      yield {
        ...nothing,
        ...this.#own,
        name: `${method} ${this.#basePath}${path}`,
        kind: SpanKind.CLIENT,
        ...contextsOf(span, spanIdOf(traceparent), parent),
        ...timesOf(span, begin, end),
        status: { code: failure === undefined ? SpanStatusCode.UNSET : SpanStatusCode.ERROR },
        attributes: defined({
          'http.request.method': method,
          'url.template': this.#basePath + path,
          ...this.#server,
          'http.response.status_code': status,
          'http.request.resend_count': attempt > 1 ? attempt - 1 : undefined,
          'error.type': failure,
          'gateway.call.endpoint': endpoint,
          'gateway.call.reason': reason,
          // The client chose the keys of root fields.
          'gateway.call.fields': fields().map((field) => names.get(field) ?? field),
          'gateway.call.rows': rows,
        }),
        links: [],
        droppedLinksCount: 0,
      };
    }
  }

  get #own(): Pick<ReadableSpan, 'resource' | 'instrumentationScope'> {
    return { resource: this.#options.resource, instrumentationScope: this.#options.scope };
  }
}

function faultOf(errors: ReadonlyMap<ErrorCode, number>): ErrorCode | undefined {
  for (const code of errors.keys()) if (faults.has(code)) return code;
  return undefined;
}

/** Undefined also for a call that the gateway has cancelled, because no client waited any more. */
function failureOf({ status, failure }: NotedCall): string | undefined {
  return status !== null && status >= 400 ? String(status) : failure;
}

/** Links to the reads of other operations that this one has joined. */
function linksOf(span: OperationSpan): Link[] {
  const own = span.traceparent.slice(0, -9);
  return (traceOf(span)?.saved ?? []).flatMap(({ joined, origin }) => {
    const parent = traceParentOf(joined);
    if (!parent || joined?.startsWith(own)) return [];
    const { traceId, spanId, isSampled } = parent;
    const context = { traceId, spanId, traceFlags: isSampled ? TraceFlags.SAMPLED : TraceFlags.NONE };
    return { context, attributes: { 'gateway.call.reason': origin.reason } };
  });
}

/** All spans of an operation that is exported are sampled, as exporters ask for. */
function contextsOf(
  { traceId }: OperationSpan,
  spanId: string,
  parent: { traceId: string; spanId: string; isRemote?: boolean } | undefined,
): Pick<ReadableSpan, 'spanContext' | 'parentSpanContext'> {
  const context = { traceId, spanId, traceFlags: TraceFlags.SAMPLED };
  return {
    spanContext: () => context,
    ...(parent && { parentSpanContext: { ...parent, traceFlags: TraceFlags.SAMPLED } }),
  };
}

/** Unix milliseconds where performance.now() is 0. */
let latestOrigin = performance.timeOrigin;

function currentOrigin(): number {
  // Date.now() is cut to the millisecond.
  const now = Date.now() - performance.now();
  if (Math.abs(now - latestOrigin) > clockErrorMs) latestOrigin = now;
  return latestOrigin;
}

function timesOf(
  span: OperationSpan,
  begin: number,
  end: number,
): Pick<ReadableSpan, 'startTime' | 'endTime' | 'duration'> {
  // Calls would lie outside of their operation if the clock was set, or this process stood still, between two spans.
  span.origin ??= currentOrigin();
  const { origin } = span;
  return { startTime: timeOf(origin + begin), endTime: timeOf(origin + end), duration: timeOf(end - begin) };
}

function timeOf(ms: number): HrTime {
  const seconds = Math.floor(ms / 1000);
  return [seconds, Math.floor((ms - seconds * 1000) * 1e6)];
}

function defined(attributes: Attributes): Attributes {
  for (const name of Object.keys(attributes)) if (attributes[name] === undefined) delete attributes[name];
  return attributes;
}
