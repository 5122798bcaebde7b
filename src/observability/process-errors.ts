import type { Logger } from 'pino';
import { currentRequest } from './current-request.ts';

/**
 * What nobody has caught, logged once. A promise that fails and that nobody waits for changes nothing for anybody else:
 * who could bring one about would otherwise end all requests. An exception leaves the code that it passed through in a
 * state that nobody knows: `stop` is to answer what is in flight, whose writes could not be accounted for otherwise, and
 * to end the process.
 */
export function watchProcessErrors(logger: Logger, stop: () => void): void {
  process.on('unhandledRejection', (err) => {
    logger.error({ err, request_id: currentRequest.getStore()?.id }, 'Unforeseen error that nobody waits for');
  });
  process.on('uncaughtException', (err) => {
    logger.fatal(
      { err, request_id: currentRequest.getStore()?.id },
      'Unforeseen error that nobody catches: the gateway stops',
    );
    stop();
  });
}
