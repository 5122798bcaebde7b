import type { Logger } from 'pino';
import { currentRequest } from '../request/current-request.ts';

/**
 * Logs uncaught errors. The process goes on after an unhandled rejection, which leaves other requests unharmed; otherwise
 * one client could end all requests. An uncaught exception leaves code in an unknown state. Therefore `stop` has to answer
 * the requests in flight, whose writes need an outcome, and to end the process.
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
