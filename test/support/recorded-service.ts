import type { RequestOptions } from './client.ts';
import { type Reply, startFakeUpstream } from './fake-upstream.ts';
import { type Gateway, startGateway } from './harness.ts';
import type { Json } from './rest.ts';
import type { Settings } from './settings.ts';

/** A gateway before a service that gives recorded answers of a real deployment. */
export interface RecordedService {
  gateway: Gateway;
  /** Sets the answers, by "GET /supply-chains/farmers/". Other paths get a page of HTML with 404. */
  answerWith(answers: Record<string, Reply>): void;
  /** A gateway's `query`, with the calls to this service. */
  query(document: string, variables?: object, options?: RequestOptions): Promise<Awaited<ReturnType<Gateway['query']>>>;
  /** Headers of the latest call. */
  headers(): Json;
  close(): Promise<void>;
}

const html = { 'content-type': 'text/html' };
const notFound: Reply = { status: 404, headers: html, body: '<h1>Not Found</h1>' };

export async function startRecordedService(settings: Settings = {}): Promise<RecordedService> {
  const proxy = await startFakeUpstream({ target: 'http://127.0.0.1:1/connect/v1' });
  const gateway = await startGateway({
    upstreamUrl: proxy.url,
    settings: { UPSTREAM_DIALECT: 'connect', ...settings },
  });
  return {
    gateway,
    answerWith(answers) {
      proxy.respond = ({ method, path }) => answers[`${method} ${path.split('?')[0]}`] ?? notFound;
    },
    async query(document, variables, options) {
      proxy.requests.length = 0;
      const answer = await gateway.query(document, variables, { key: 'Bearer token', ...options });
      return { ...answer, calls: proxy.requests.map(({ method, path }) => `${method} ${path}`) };
    },
    headers: () => proxy.requests.at(-1)?.headers,
    async close() {
      await gateway.close();
      await proxy.close();
    },
  };
}

export function success(data: unknown, status = 200): Reply {
  return { status, body: JSON.stringify({ success: true, detail: 'Success', code: status, data }) };
}

export function page(results: object[], count = results.length): Reply {
  const url = 'http://10.0.0.7:8900/connect/v1/anywhere/?limit=1&offset=1';
  return success({ count, next: count > results.length ? url : null, previous: null, results });
}

export function failure(status: number, message: unknown, headers = {}): Reply {
  return { status, headers, body: JSON.stringify({ success: false, message, detail: '', code: status, data: {} }) };
}

export function htmlPage(status: number, title: string, headers = {}): Reply {
  return { status, headers: { ...html, ...headers }, body: `<html><h1>${title}</h1></html>` };
}
