import type { ServerResponse } from 'node:http';
import type { Refusal } from '../errors/overloaded.ts';
import { refusalType } from '../graphql/media-types.ts';
import { retryAfterSeconds } from '../lib/retry-after.ts';
import { guarding } from './response.ts';
import type { UntakenAnswers } from './untaken-answers.ts';

interface RefusedRequest {
  response: ServerResponse;
  id: string;
  refusal: Refusal;
}

/**
 * Sends the answer of a thrown refusal for less CPU. At 2.5 times the load that the gateway can serve, refusals would take
 * all of its time. At the end of a turn of the event loop, all its refusals are written together. They wake a proxy on
 * the same machine once, which costs more than the rest of a refusal.
 */
export class Refusals {
  readonly #answers: UntakenAnswers;
  #inTurn: RefusedRequest[] = [];

  constructor(answers: UntakenAnswers) {
    this.#answers = answers;
  }

  /** Node discards the body of the request. */
  add(request: RefusedRequest): void {
    if (this.#inTurn.push(request) === 1) setImmediate(() => this.#send());
  }

  #send(): void {
    const requests = this.#inTurn;
    this.#inTurn = [];
    for (const { response, id, refusal } of requests) {
      if (response.destroyed) continue;
      const { message, code, status } = refusal;
      const retry_after = retryAfterSeconds();
      const error = { message, extensions: { retryable: true, code, retry_after, request_id: id } };
      const text = JSON.stringify({ errors: [error] });
      response.writeHead(status, {
        ...guarding,
        'content-type': refusalType(response.req.headers.accept),
        'retry-after': String(retry_after),
        'x-request-id': id,
        'content-length': text.length,
      });
      response.end(text, 'latin1');
      this.#answers.watch(response);
    }
  }
}
