import { anyOf } from '@gateway/base';
import type { OpenPart } from '@gateway/graphql-serve';
import type { RestService } from '@gateway/rest-graph';
import { fileEndpoint, totalHeader } from './file-endpoint.ts';
import { csvFile, type FileKind, jsonLinesFile } from './file-kind.ts';
import type { FileSettings } from './window-reader.ts';

/** Sends an operation with one list as JSONL, CSV or another kind of file, where `Accept` prefers that. */
export function files(service: RestService, settings: FileSettings, others: readonly FileKind[] = []): OpenPart {
  const kinds = [jsonLinesFile, csvFile, ...others];
  const byType = new Map(kinds.flatMap((kind) => kind.mediaTypes.map((type) => [type, kind] as const)));
  const names = anyOf(kinds.map(({ mediaTypes: [name] }) => name));
  return (host) => ({
    formats: [
      {
        mediaTypes: [...byType.keys()],
        shown: [totalHeader, 'content-disposition'],
        refusedAs: `for one list also ${names}`,
        run: fileEndpoint(service, host, settings, byType),
      },
    ],
  });
}
