import { lookup } from 'node:dns/promises';
import { type IncomingMessage, request as requestByHttp } from 'node:http';
import { request as requestByHttps } from 'node:https';
import { isIP } from 'node:net';
import { connect, type PeerCertificate } from 'node:tls';
import type { Finding } from './checks.ts';

/** Milliseconds that a server has for an answer. */
const patienceMs = 10_000;
/** Days before its end in which a certificate is a warning. */
const warnedDays = 14;
/** Seconds that the clocks of two machines may differ. Tokens and cursors bear that much. */
const toleratedSeconds = 5;

/** The form of the URL, its name in DNS, and that something answers there. */
export async function checkAddress(url: string): Promise<Finding> {
  const { hostname, pathname } = new URL(url);
  if (!/\/v\d+\/?$/.test(pathname)) {
    const advice = 'The URL ends with the version segment, such as https://service.example/connect/v1.';
    return { state: 'failed', found: `${url} has no version at its end`, advice };
  }
  try {
    await lookup(hostname.replace(/^\[|\]$/g, ''));
  } catch (error) {
    const advice = 'Correct the name, or ask who runs the DNS of this network.';
    return { state: 'failed', found: `${hostname} has no address: ${(error as Error).message}`, advice };
  }
  const start = performance.now();
  try {
    const { statusCode } = await answerOf(url);
    return { state: 'ok', found: `${url} answers ${statusCode} after ${Math.round(performance.now() - start)} ms` };
  } catch (error) {
    const reason = reasonOf(error);
    if (/CERT|SIGNATURE/.test(reason)) {
      const found = `${url} has a certificate that this machine refuses`;
      return { state: 'failed', found, advice: 'See the next check.' };
    }
    const advice = 'Is the service running, and may this machine reach it? Try curl with the same URL.';
    return { state: 'failed', found: `${url} does not answer: ${reason}`, advice };
  }
}

/** The chain, the name and the end of a certificate, by Node's own trust. */
export async function checkCertificate(url: string): Promise<Finding> {
  const { protocol, hostname, port } = new URL(url);
  if (protocol !== 'https:') return { state: 'skipped', found: 'The URL is http.' };
  const host = hostname.replace(/^\[|\]$/g, '');
  return new Promise((resolve) => {
    // A server of several names gives the certificate of the one that it is asked for.
    const servername = isIP(host) ? '' : host;
    // The finding says more than a refused connection. No request is sent over it.
    const socket = connect({ host, port: Number(port || 443), servername, rejectUnauthorized: false });
    const end = (finding: Finding) => {
      socket.destroy();
      resolve(finding);
    };
    const fail = (reason: string) =>
      end({
        state: 'failed',
        found: `There is no TLS connection: ${reason}`,
        advice: 'Does the port speak TLS, or does the URL need http?',
      });
    socket.setTimeout(patienceMs, () => fail('no answer in time'));
    socket.once('error', (error) => fail(reasonOf(error)));
    socket.once('secureConnect', () => {
      const certificate = socket.getPeerCertificate();
      if (!socket.authorized)
        return end({ state: 'failed', ...untrusted(String(socket.authorizationError), certificate) });
      const days = Math.floor((Date.parse(certificate.valid_to) - Date.now()) / 86_400_000);
      const found = `${certificate.subject.CN ?? host}, ${days} days left`;
      if (days > warnedDays) return end({ state: 'ok', found });
      end({ state: 'warning', found, advice: 'Renew the certificate of the service.' });
    });
  });
}

function untrusted(reason: string, { valid_from, valid_to }: PeerCertificate): Pick<Finding, 'found' | 'advice'> {
  const isNow = Date.parse(valid_from) <= Date.now() && Date.now() <= Date.parse(valid_to);
  if (!isNow || /^CERT_(HAS_EXPIRED|NOT_YET_VALID)$/.test(reason)) {
    return {
      found: `This certificate, or one of its authorities, is not valid now: ${valid_from} to ${valid_to}.`,
      advice: 'Renew the certificate of the service, or set the clock of this machine.',
    };
  }
  if (/ALTNAME|Hostname/i.test(reason)) {
    return {
      found: `The certificate is for another name (${reason}).`,
      advice: 'Use the name of the certificate in the URL.',
    };
  }
  const advice = 'Name the file of its authority in NODE_EXTRA_CA_CERTS, which Node reads at its start.';
  return { found: `This machine does not trust it (${reason}).`, advice };
}

/** The clock of the service, by the header Date. */
export async function checkClock(url: string): Promise<Finding> {
  try {
    const start = Date.now();
    const { date } = (await answerOf(url)).headers;
    if (date === undefined) return { state: 'skipped', found: 'The service sends no Date.' };
    // The header has whole seconds.
    const seconds = Math.round((Date.parse(date) + 500 - (start + Date.now()) / 2) / 1_000);
    if (Math.abs(seconds) <= toleratedSeconds) return { state: 'ok', found: 'The clocks agree.' };
    const advice = 'Set both clocks by NTP: tokens end, and syncs begin, at another time otherwise.';
    return {
      state: 'failed',
      found: `The service is ${Math.abs(seconds)} s ${seconds > 0 ? 'ahead' : 'behind'}.`,
      advice,
    };
  } catch {
    return { state: 'skipped', found: 'The service does not answer.' };
  }
}

/** `fetch` refuses some ports that the gateway takes. */
function answerOf(url: string): Promise<IncomingMessage> {
  const request = url.startsWith('https:') ? requestByHttps : requestByHttp;
  return new Promise((resolve, reject) => {
    const options = { method: 'HEAD', agent: false, signal: AbortSignal.timeout(patienceMs) };
    request(url, options, (response) => resolve(response.resume()))
      .once('error', reject)
      .end();
  });
}

/** The code of an error, because the message of OpenSSL names files of its source. That of a timeout is its cause. */
function reasonOf(error: unknown): string {
  const { cause = error } = error as Error;
  const { code, message } = cause as NodeJS.ErrnoException;
  return typeof code === 'string' ? code : message;
}
