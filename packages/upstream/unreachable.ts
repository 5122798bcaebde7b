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

/** Why a call has reached nobody, for an operator. `cause`: the connection's error. */
export function whyUnreachable(cause: Error, hasAnswered: boolean): string | undefined {
  const { code = '' } = cause as NodeJS.ErrnoException;
  const reason = reasons.find(([known]) => known.test(code))?.[1];
  return reason ?? (!hasAnswered && brokenOff.test(code) ? neverAnswered : undefined);
}
