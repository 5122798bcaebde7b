import { EventEmitter } from 'node:events';
import type { Caller } from '@gateway/base';
import type { DialectName, EndpointName } from '@gateway/contract';
import type { Call, UpstreamResponse } from './request.ts';

interface EventMap {
  /** A call waits for its turn. */
  callBegin: [call: Call];
  /** A call has its answer or has failed. An answer that stands for an error comes with that error. */
  callEnd: [call: Call, error: unknown, response: UpstreamResponse | undefined];
  /** Too many calls have failed; `cause` is the error of the last one, or the status of its answer. */
  circuitOpen: [endpoint: EndpointName, cause: Error | number];
  /** The service has answered a call of an endpoint whose circuit was open. */
  circuitClose: [];
  /** A call has reached nobody, for a reason that an operator understands. `cause`: the connection's error. */
  unreachable: [reason: string, cause: Error];
  /** An answer has shown the dialect, which the settings leave open. */
  dialectFound: [dialect: DialectName];
  /** Answers show another dialect than the one that the gateway speaks. Emitted once. */
  dialectContradicted: [advice: string, dialects: { configured: string; used?: DialectName; seen?: DialectName }];
  /** The service no longer accepts the token of a caller. */
  callerRefused: [caller: Caller];
  /**
   * Reads that began before are old, for callers of the key; for all callers where the digest is empty. Without an endpoint,
   * any write may have been made.
   */
  invalidate: [keyDigest: string, endpoint: EndpointName | undefined];
  /** The service does not check the signatures of tokens, so that claims make no caller. */
  claimsForgeable: [];
}

/** The events on the way to the service. Metrics, log and drift subscribe, and so does everything that learns from answers. */
export class UpstreamEvents extends EventEmitter<EventMap> {
  /** An exception of a subscriber is uncaught, as that of a subscriber to a diagnostics channel. The call goes on. */
  override emit: EventEmitter<EventMap>['emit'] = (name, ...values) => {
    try {
      return super.emit(name, ...values);
    } catch (error) {
      process.nextTick(() => {
        throw error;
      });
      return true;
    }
  };
}
