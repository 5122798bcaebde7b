import type { EventEmitter } from 'node:events';
import { withResolvers } from '@gateway/base';
import type { MetricsReport } from '@gateway/graphql-serve';

/** Requests from a worker to the primary process. */
interface RequestsToPrimary {
  /** Asks for the options of the worker. */
  start(): object;
  /** Gives the URL at which the worker serves. */
  ready(url: string): void;
  /** Gives the reason why the worker cannot start. */
  failed(reason: string): void;
  /** Announces that the worker takes messages of other workers from now on, at this address. */
  listen(id: string): void;
  /** Sends a message to all other workers, or to one. Answered with how many get it. */
  send(message: { text: string; to?: string | undefined }): number;
  /** Asks for the sums over the metrics of all workers, as text. */
  metrics(): string;
}

/** Requests from the primary process to a worker. */
interface RequestsToWorker {
  /** Gives a message of another worker. */
  message(text: string): void;
  /** Asks for the metrics of the worker. */
  metrics(): MetricsReport;
}

export type ChannelToPrimary = Channel<RequestsToPrimary, RequestsToWorker>;
export type ChannelToWorker = Channel<RequestsToWorker, RequestsToPrimary>;

/** Functions of at most one argument, which survives JSON as their answers do. */
type Requests<All> = Record<keyof All, (argument: never) => unknown>;

type Message =
  | { request: string; id: number; argument: unknown }
  | { answerTo: number; answer?: unknown; error?: string };

/** One end of the pipe between the primary process and a worker. */
interface Pipe extends EventEmitter {
  /** Absent where the other process has disconnected. */
  send?(message: Message, done: (error: Error | null) => void): unknown;
}

const disconnected = 'The other process has disconnected.';

/** Sends requests to another process as JSON, and answers its requests. */
export class Channel<Sent extends Requests<Sent>, Received extends Requests<Received>> {
  /** Resolves when the other process has disconnected. */
  readonly closed: Promise<unknown>;
  readonly #pipe: Pipe;
  readonly #handlers = new Map<string, (...given: never) => unknown>();
  readonly #unanswered = new Map<number, PromiseWithResolvers<never>>();
  #count = 0;

  constructor(pipe: EventEmitter & { send?: (...given: never[]) => unknown }) {
    this.#pipe = pipe as Pipe;
    pipe.on('message', (message: Message) => {
      if ('request' in message) void this.#answer(message.request, message.id, message.argument);
      else this.#settle(message.answerTo, message);
    });
    this.closed = new Promise((resolve) => pipe.once('disconnect', resolve));
    this.closed.then(() => {
      for (const id of this.#unanswered.keys()) this.#settle(id, { error: disconnected });
    });
  }

  /** Rejects where the other process answers with an error, or disconnects before it answers. */
  request<Name extends keyof Sent & string>(
    name: Name,
    ...[argument]: Parameters<Sent[Name]>
  ): Promise<ReturnType<Sent[Name]>> {
    this.#count += 1;
    const id = this.#count;
    const answer = withResolvers<never>();
    this.#unanswered.set(id, answer);
    this.#send({ request: name, id, argument }, (error) => this.#settle(id, { error: error.message }));
    return answer.promise;
  }

  /** Answers the requests of this name. */
  handle<Name extends keyof Received & string>(
    name: Name,
    handler: (...given: Parameters<Received[Name]>) => ReturnType<Received[Name]> | Promise<ReturnType<Received[Name]>>,
  ): void {
    this.#handlers.set(name, handler);
  }

  async #answer(name: string, id: number, argument: unknown): Promise<void> {
    // A process that disconnects while it waits for the answer needs none.
    const ignore = () => {};
    try {
      const handler = this.#handlers.get(name);
      if (!handler) throw new Error(`No process answers "${name}" here.`);
      const answer = await handler(...([argument] as never));
      this.#send({ answerTo: id, answer }, ignore);
    } catch (error) {
      this.#send({ answerTo: id, error: (error as Error).message }, ignore);
    }
  }

  #settle(id: number, { answer, error }: { answer?: unknown; error?: string }): void {
    const request = this.#unanswered.get(id);
    this.#unanswered.delete(id);
    if (error === undefined) request?.resolve(answer as never);
    else request?.reject(new Error(error));
  }

  // Without a callback, `send` to a process that has just ended would be an uncaught exception.
  #send(message: Message, onError: (error: Error) => void): void {
    if (this.#pipe.send) this.#pipe.send(message, (error) => error && onError(error));
    else onError(new Error(disconnected));
  }
}
