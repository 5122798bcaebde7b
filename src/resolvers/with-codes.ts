import { fromUpstreamError, UpstreamError } from '../upstream/errors.ts';

/** Throws errors of the service as the client sees them. */
export async function withCodes<T>(
  run: () => Promise<T>,
  details: Parameters<typeof fromUpstreamError>[1] = {},
): Promise<T> {
  try {
    return await run();
  } catch (error) {
    // `answerOf` decides whether an object that was there is an error.
    throw error instanceof UpstreamError && !error.existing ? fromUpstreamError(error, details) : error;
  }
}
