import type { IncomingHttpHeaders } from 'node:http';
import { clientNameHeaders, clientVersionHeaders } from '../graphql/header-names.ts';

/** The app that sends a request, as the app names itself. */
export interface Client {
  name: string | undefined;
  version: string | undefined;
}

const maxLength = 64;

/** Reads the first header that the request has. Anyone may send any text, so the text is short and fits logs and metrics. */
export function clientOf(headers: IncomingHttpHeaders): Client {
  return { name: first(headers, clientNameHeaders), version: first(headers, clientVersionHeaders) };
}

function first(headers: IncomingHttpHeaders, names: readonly string[]): string | undefined {
  for (const name of names) {
    const value = headers[name];
    if (typeof value === 'string' && value !== '') return value.slice(0, maxLength).replace(/[^\w .@/+:-]/g, '_');
  }
  return undefined;
}
