import { gauge } from '@gateway/base';
import type { OpenPart } from '@gateway/graphql-serve';
import type { RestService } from '@gateway/rest-graph';
import type { MediaFilesOptions } from './media-files.ts';
import { mediaPath } from './media-path.ts';

/** Serves the files of the service. Loads all of undici, which only such a gateway needs. */
export function media(service: RestService, upstreamUrl: string, options: MediaFilesOptions): OpenPart {
  return async (host) => {
    const { MediaFiles } = await import('./media-files.ts');
    const { mediaEndpoint } = await import('./media-endpoint.ts');
    const files = new MediaFiles(service.app.contract, new URL(upstreamUrl).origin, options);
    const { queue } = files;
    return {
      routes: [
        {
          path: mediaPath,
          cors: { headers: ['range', 'if-range'], shown: ['accept-ranges', 'content-range', 'etag'] },
          handle: mediaEndpoint(service, files, host),
        },
      ],
      metrics: [
        gauge('media_in_flight', 'Files of the service that the gateway is sending.', () => queue.running),
        gauge('media_waiting', 'Requests for files that wait for their turn.', () => queue.waiting),
      ],
      close: () => files.close(),
    };
  };
}
