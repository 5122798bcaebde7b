import { NoAnswerError } from './errors.ts';
import type { Interceptor } from './request.ts';

const reasons: readonly [code: RegExp, reason: string][] = [
  [/^(ENOTFOUND|EAI_\w+)$/, 'its name has no address: check the host of UPSTREAM_URL, and DNS'],
  [/^ECONNREFUSED$/, 'nothing listens there: check the host and the port of UPSTREAM_URL'],
  [/^(UND_ERR_CONNECT_TIMEOUT|E(TIMEDOUT|HOSTUNREACH|NETUNREACH))$/, 'its host does not answer: check firewalls'],
  [/^CERT_(HAS_EXPIRED|NOT_YET_VALID)$/, 'its certificate is not valid now'],
  [/^ERR_TLS_CERT_ALTNAME_INVALID$/, 'its certificate is for another host than that of UPSTREAM_URL'],
  [/CERT|SIGNATURE/, 'no authority that the gateway knows has signed its certificate: NODE_EXTRA_CA_CERTS adds one'],
  [/^(EPROTO|ERR_SSL_\w+)$/, 'it does not speak TLS there: UPSTREAM_URL may need http'],
  [/^HPE_/, 'it does not speak HTTP there: UPSTREAM_URL may need https'],
];

/** A service that answers also closes connections now and then. */
const brokenOff = /^(ECONNRESET|EPIPE|UND_ERR_SOCKET)$/;
const neverAnswered = 'it breaks connections off, and has never answered: UPSTREAM_URL may need https';

/** Calls `report` with the reason why a call has reached nobody, for an operator. `cause`: the connection's error. */
export function explainUnreachable(report: (reason: string, cause: Error) => void): Interceptor {
  let hasAnswered = false;
  return (next) => (request, done) => {
    next(request, (error, response) => {
      hasAnswered ||= response !== undefined;
      if (error instanceof NoAnswerError && error.cause instanceof Error) {
        const { code = '' } = error.cause as NodeJS.ErrnoException;
        const reason = reasons.find(([known]) => known.test(code))?.[1];
        const other = !hasAnswered && brokenOff.test(code) ? neverAnswered : undefined;
        if (reason ?? other) report((reason ?? other) as string, error.cause);
      }
      done(error, response);
    });
  };
}
