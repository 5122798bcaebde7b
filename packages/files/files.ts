import type { OpenPart } from '@gateway/graphql-serve';
import type { RestService } from '@gateway/rest-graph';
import { fileEndpoint } from './file-endpoint.ts';
import type { FileSettings } from './window-reader.ts';

/** The first of each format is its own name, the others are common aliases. */
const mediaTypes = ['application/jsonl', 'application/x-ndjson', 'application/ndjson', 'text/csv'];

/** Sends an operation with one list as JSONL or CSV, where `Accept` prefers that. */
export function files(service: RestService, settings: FileSettings): OpenPart {
  return (host) => ({
    formats: [
      {
        mediaTypes,
        refusedAs: 'for one list also application/jsonl or text/csv',
        run: fileEndpoint(service, host, settings),
      },
    ],
  });
}
