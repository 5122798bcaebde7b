import { isUtf8 } from 'node:buffer';
import { isObject, type Json, UpstreamError } from '@gateway/base';
import type { Contract } from '@gateway/contract';
import type { Dialect } from './dialect.ts';
import { errorFromAnswer } from './errors.ts';
import type { UpstreamEvents } from './events.ts';
import type { Interceptor, UpstreamRequest, UpstreamResponse } from './request.ts';
import type { RequestPaths } from './request-path.ts';

interface Answers {
  contract: Contract;
  dialect: Dialect;
  paths: RequestPaths;
  events: UpstreamEvents;
}

/** Takes the data out of an answer, or the error that it stands for. Emits the events of the call. */
export function readBody(answers: Answers): Interceptor {
  const { events, dialect } = answers;
  return (next) => (call, done) => {
    const { request } = call;
    const observer = request.observer?.begin(call);
    events.emit('callBegin', call);
    return next(call, (connectionError, response) => {
      let error = connectionError;
      if (response) {
        try {
          response.data = dataOf(response, request, answers);
        } catch (reason) {
          error = request.write ? withAdvice(reason, dialect) : reason;
        }
      }
      observer?.finish(error, response);
      events.emit('callEnd', call, error, response);
      if (error === undefined) return done(undefined, response);
      if (error instanceof UpstreamError && error.code === 'UNAUTHENTICATED') {
        events.emit('callerRefused', request.caller);
      }
      done(error, undefined);
    });
  };
}

/** @throws UpstreamError for every outcome but a documented success. */
function dataOf(
  { status, body, cut, retryAfter, total }: UpstreamResponse,
  request: UpstreamRequest,
  { contract, dialect, paths }: Answers,
): Json {
  const { wire } = contract;
  const answer = { status };
  const json = body.parse();
  // Lists and creations are always there: 404 says that the path is wrong.
  const isById = request.subject.id !== undefined;
  // A page after the last one may be 404. The endpoint is there.
  const isPastEnd = status === 404 && wire.numbersPages && Boolean(request.subject.query?.offset);
  if (!isPastEnd) paths.hear(request.endpoint, { status, isById, json });
  if (status === 404 && !isById && !contract.endpoint(request.endpoint).path.includes('{')) {
    throw new UpstreamError('UPSTREAM_INVALID_RESPONSE', 'The service knows no such path; check UPSTREAM_URL.', answer);
  }
  const documented = contract.dataOf(request.endpoint, json, total);
  if (!dialect.isSettled) {
    const { response } = contract.endpoint(request.endpoint);
    dialect.hear({ enveloped: wire.dialectOf(json), data: status < 300 ? documented : undefined, shape: response });
  }
  const asked = { contract, isWrite: request.write !== undefined, caller: request.caller, times: dialect.traits.times };
  if (status >= 300) throw errorFromAnswer(status, json, retryAfter, asked);
  const unreadable = (message: string, details = {}) => {
    if (!asked.isWrite) return new UpstreamError('UPSTREAM_INVALID_RESPONSE', message, details);
    return new UpstreamError('OUTCOME_UNKNOWN', `${message} The service may have stored the write.`, details);
  };
  if (cut) throw asked.isWrite ? unreadable(cut.message) : cut;
  if (contract.endpoint(request.endpoint).answersNothing && (json === undefined || wire.failureOf(json) === undefined))
    return {};
  if (json === undefined) throw unreadable(`The service answered ${status} with ${kindOf(body.text)}.`, answer);
  const failure = wire.failureOf(json);
  if (failure !== undefined) throw errorFromAnswer(failure, json, retryAfter, asked);
  // An app could write lost letters back. People alone read those of an error.
  if (!isUtf8(body.bytes)) throw unreadable(`The service answered ${status} with bytes that are not UTF-8.`, answer);
  if (!isObject(documented)) throw unreadable('The service answered something that is no object.', answer);
  return documented;
}

/** A page of HTML is that of a proxy or of another server. */
function kindOf(text: string): string {
  if (text.trim() === '') return 'nothing';
  return text.trimStart().startsWith('<') ? 'a page of HTML; check UPSTREAM_URL' : 'something that is not JSON';
}

/** Names the setting in an error that may come of the wrong dialect. */
function withAdvice(error: unknown, { advice }: Dialect): unknown {
  if (!advice || !(error instanceof UpstreamError) || (error.status !== 400 && error.status !== 500)) return error;
  const { code, message, status, fields, retryAfter } = error;
  if (message.includes('UPSTREAM_DIALECT')) return error;
  return new UpstreamError(code, `${message} ${advice}`, { status, fields, retryAfter });
}
