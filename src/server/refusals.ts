import type { ServerResponse } from 'node:http';
import { overloaded, retryAfterSeconds } from '../graphql/errors/overloaded.ts';
import { refusalType } from '../graphql/media-types.ts';
import { guarding } from './response.ts';
import type { UntakenAnswers } from './untaken-answers.ts';

const { message, extensions } = overloaded();
const { code, retryable } = extensions;

interface Refusal {
  response: ServerResponse;
  id: string;
}

/**
 * Sends the answer of a thrown `overloaded` for less CPU. At 2.5 times the load that the gateway can serve, refusals would take
 * all of its time. At the end of a turn of the event loop, all its refusals are written together. They wake a proxy on
 * the same machine once, which costs more than the rest of a refusal.
 */
export class Refusals {
  readonly #answers: UntakenAnswers;
  #inTurn: Refusal[] = [];

  constructor(answers: UntakenAnswers) {
    this.#answers = answers;
  }

  /** Node discards the body of the request. */
  add(refusal: Refusal): void {
    if (this.#inTurn.push(refusal) === 1) setImmediate(() => this.#send());
  }

  #send(): void {
    const refusals = this.#inTurn;
    this.#inTurn = [];
    for (const { response, id } of refusals) {
      if (response.destroyed) continue;
      const retry_after = retryAfterSeconds();
      const error = { message, extensions: { retryable, code, retry_after, request_id: id } };
      const text = JSON.stringify({ errors: [error] });
      response.writeHead(503, {
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
