import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';

const folder = import.meta.dirname;

const library = join(folder, 'node_modules/protobufjs/index.js');

export const missing = existsSync(library) ? '' : ' (not installed: "npm ci" in packages/telemetry/test)';

type Value = string | number | boolean | Value[];
type Attributes = Record<string, Value>;

export interface Link {
  traceId: string;
  spanId: string;
  attributes: Attributes;
}

export interface Span {
  traceId: string;
  spanId: string;
  parentSpanId: string | undefined;
  name: string;
  kind: string;
  /** Nanoseconds. */
  start: bigint;
  end: bigint;
  status: string;
  flags: number;
  attributes: Attributes;
  links: Link[];
  /** Attributes of the process. */
  resource: Attributes;
}

export interface Metric {
  name: string;
  unit: string;
  description: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests read the points of each kind of metric
  [points: string]: any;
}

export interface Collector extends AsyncDisposable {
  url: string;
  /** All spans so far. */
  readonly spans: Span[];
  /** The metrics of the last export. */
  readonly metrics: Metric[];
  readonly requests: { path: string; headers: IncomingHttpHeaders; bytes: Buffer }[];
  /** The status of further answers; `stalled` gives none. */
  answer: number | 'stalled';
  /** Requests without an answer. */
  stalled: number;
  close(): Promise<void>;
}

/** Starts a collector of OpenTelemetry that decodes what it gets by the official .proto files. */
export async function startCollector(): Promise<Collector> {
  const root = await protos();
  const server = createServer(async (request, response) => {
    const body = await buffer(request);
    if (collector.answer === 'stalled') {
      collector.stalled += 1;
      return;
    }
    const bytes = request.headers['content-encoding'] === 'gzip' ? gunzipSync(body) : body;
    const path = request.url ?? '';
    collector.requests.push({ path, headers: request.headers, bytes });
    if (collector.answer === 200) {
      if (path.endsWith('/v1/traces')) collector.spans.push(...spansIn(decode(root, 'trace', bytes)));
      else collector.metrics.splice(0, Number.POSITIVE_INFINITY, ...metricsIn(decode(root, 'metrics', bytes)));
    }
    response.writeHead(collector.answer, { 'content-type': 'application/x-protobuf' }).end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const close = async () => {
    server.closeAllConnections();
    server.close();
  };
  const collector: Collector = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans: [],
    metrics: [],
    requests: [],
    answer: 200,
    stalled: 0,
    close,
    [Symbol.asyncDispose]: close,
  };
  return collector;
}

// biome-ignore lint/suspicious/noExplicitAny: the messages of the .proto files
type Message = any;

interface Root {
  lookupType(name: string): { decode(bytes: Buffer): Message; toObject(message: Message, options: object): Message };
}

/** The .proto files are loaded once. */
let loading: Promise<Root> | undefined;

function protos(): Promise<Root> {
  loading ??= (async () => {
    const { default: protobuf } = await import(library);
    const root = new protobuf.Root();
    root.resolvePath = (_from: string, name: string) => join(folder, 'proto', name);
    const services = ['trace/v1/trace', 'metrics/v1/metrics'];
    await root.load(services.map((service) => `opentelemetry/proto/collector/${service}_service.proto`));
    return root;
  })();
  return loading;
}

/** Other services may export JSON. */
function decode(root: Root, signal: 'trace' | 'metrics', bytes: Buffer): Message {
  if (bytes.toString('latin1', 0, 1) === '{') return JSON.parse(bytes.toString());
  const name = signal === 'trace' ? 'Trace' : 'Metrics';
  const type = root.lookupType(`opentelemetry.proto.collector.${signal}.v1.Export${name}ServiceRequest`);
  return type.toObject(type.decode(bytes), { longs: String, enums: String, bytes: String, arrays: true });
}

function spansIn({ resourceSpans }: Message): Span[] {
  return resourceSpans.flatMap(({ resource, scopeSpans }: Message) =>
    scopeSpans.flatMap(({ spans }: Message) => spans.map((span: Message) => spanOf(span, attributesOf(resource)))),
  );
}

function spanOf(span: Message, resource: Attributes): Span {
  return {
    ...idsOf(span),
    parentSpanId: span.parentSpanId && hex(span.parentSpanId),
    name: span.name,
    kind: span.kind,
    start: BigInt(span.startTimeUnixNano),
    end: BigInt(span.endTimeUnixNano),
    status: span.status?.code,
    flags: span.flags,
    attributes: attributesOf(span),
    links: (span.links ?? []).map((link: Message) => ({ ...idsOf(link), attributes: attributesOf(link) })),
    resource,
  };
}

function idsOf({ traceId, spanId }: Message): { traceId: string; spanId: string } {
  return { traceId: hex(traceId), spanId: hex(spanId) };
}

function metricsIn({ resourceMetrics }: Message): Metric[] {
  return resourceMetrics.flatMap(({ scopeMetrics }: Message) =>
    scopeMetrics.flatMap(({ metrics }: Message) => metrics),
  );
}

export function attributesOf({ attributes }: Message): Attributes {
  return Object.fromEntries(attributes.map(({ key, value }: Message) => [key, attributeOf(value)]));
}

function attributeOf({ arrayValue, intValue, ...other }: Message): Value {
  if (arrayValue) return arrayValue.values.map(attributeOf);
  return intValue === undefined ? (Object.values(other)[0] as Value) : Number(intValue);
}

/** JSON has the digits of an id, in place of its bytes. */
function hex(base64: string): string {
  return base64.length % 16 === 0 ? base64 : Buffer.from(base64, 'base64').toString('hex');
}
