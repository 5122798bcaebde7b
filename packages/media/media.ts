import { counter, gauge } from '@gateway/base';
import type { OpenPart } from '@gateway/graphql-serve';
import type { RestService } from '@gateway/rest-graph';
import type { MediaFilesOptions } from './media-files.ts';
import { mediaPath, partName } from './media-path.ts';

/** Serves the files of the service. Loads all of undici, which only such a gateway needs. */
export function media(service: RestService, upstreamUrl: string, options: MediaFilesOptions): OpenPart {
  return async (host) => {
    const { MediaFiles } = await import('./media-files.ts');
    const { mediaEndpoint } = await import('./media-endpoint.ts');
    const files = new MediaFiles(service.app.contract, new URL(upstreamUrl).origin, options);
    const { queue } = files;
    const requests = counter('media_total', 'Requests for files of the service by outcome.', ['outcome']);
    const bytes = counter('media_bytes_total', 'Bytes of those files that the gateway has sent.');
    return {
      routes: [
        {
          path: mediaPath,
          cors: { headers: ['range', 'if-range'], shown: ['accept-ranges', 'content-range', 'etag'] },
          handle: mediaEndpoint(service, files, host),
        },
      ],
      observer: {
        end({ part, sent }, { outcome }) {
          if (part?.name !== partName) return;
          requests.inc({ outcome });
          bytes.inc({}, sent?.bytes ?? 0);
        },
      },
      metrics: [
        requests,
        bytes,
        gauge('media_in_flight', 'Files of the service that the gateway is sending.', () => queue.running),
        gauge('media_waiting', 'Requests for files that wait for their turn.', () => queue.waiting),
      ],
      close: () => files.close(),
    };
  };
}
