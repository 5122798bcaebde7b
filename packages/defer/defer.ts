import type { ServerResponse } from 'node:http';
import type { ExecutionArgs } from '@gateway/base';
import {
  type AnswerFormat,
  askedDocument,
  type CurrentRequest,
  clientLeft,
  contextOptions,
  type OpenPart,
  send,
  stringifyInSlices,
} from '@gateway/graphql-serve';
import type { RequestContext, RestService } from '@gateway/rest-graph';
import { framingOf, typeForParts } from './framing.ts';
import { PartsOfAnswer } from './parts-of-answer.ts';
import { type Split, splitOf } from './split.ts';

/** Answers queries with `@defer` in parts, where the client accepts that. */
export function defer(service: RestService): OpenPart {
  return (host) => {
    const { pipeline, callerOf, operations, unshared, stream: begin, formatError } = host;

    const takes: AnswerFormat['takes'] = (asked) => {
      const type = typeForParts(asked.headers.accept);
      if (!type) return undefined;
      const { text = '' } = askedDocument(asked);
      return text.includes('@defer') ? type : undefined;
    };

    const run: AnswerFormat['run'] = async (request, response, current, asked, mediaType, whole) => {
      const place = await operations.enter(response, callerOf(request, current).share);
      if (!place) return;
      const context = service.open(callerOf(request, current), contextOptions(request, current));
      response.once('close', () => {
        if (!response.writableFinished) context.scope.leave(clientLeft());
      });
      try {
        const opened = await pipeline.open(asked, context, (args) => {
          const split = splitOf(args);
          if (split) service.admit(args, context);
          return { args, split };
        });
        if ('refusal' in opened) {
          const { status, headers, body: text } = opened.refusal;
          return send(response, status, { ...Object.fromEntries(headers), ...unshared }, text);
        }
        const { args, split } = opened.admitted;
        if (!split) return await whole(request, response, current, asked);
        if (context.isEstimate) {
          const estimate = estimateOf({ args, split }, context);
          const headers = { ...unshared, 'content-type': 'application/json; charset=utf-8' };
          return send(response, 200, headers, JSON.stringify(estimate));
        }
        await sendParts({ args, split }, context, response, current, mediaType);
      } catch (error) {
        if (!response.destroyed) throw error;
      } finally {
        current.calls = Math.max(current.calls, context.calls);
        context.end();
        operations.leave(place);
      }
    };

    /** The estimate of the whole operation, with that of its first part. */
    function estimateOf({ args, split }: { args: ExecutionArgs; split: Split }, context: RequestContext): object {
      const upstream = context.extensions()?.upstream;
      const first = service.estimate({ ...args, ...split.initial }, context.caller)?.expected;
      const deferred = split.deferred.map(({ keys, label }) => ({ path: keys, ...(label !== undefined && { label }) }));
      const errors = context.errors.list.map(formatError);
      return {
        ...(errors.length > 0 && { errors }),
        data: null,
        extensions: { upstream: { ...upstream, estimate: { ...upstream?.estimate, first }, deferred } },
      };
    }

    async function sendParts(
      { args, split }: { args: ExecutionArgs; split: Split },
      context: RequestContext,
      response: ServerResponse,
      current: CurrentRequest,
      mediaType: string,
    ): Promise<void> {
      current.kind = 'query';
      current.operationName = args.operation.definition.name?.value;
      current.span?.run(args);
      await service.begin(args, context);
      const parts = new PartsOfAnswer(args, context, formatError);
      const { part: first, expected } = await parts.first(split);
      context.scope.requireClient();
      current.hasData = Object.values(first.data ?? {}).some((value) => value !== null) || !first.errors;
      const framing = framingOf(mediaType);
      const stream = begin(response, current, { 'content-type': framing.contentType });
      let left = expected.length;
      const deferred: object[] = [];
      // Later parts add to the data of the first one.
      let sending = stream.write(await bytesOf({ ...first, hasNext: left > 0, ...extensions() }, true));

      await Promise.all(
        expected.map(async (each) => {
          const part = await parts.later(each);
          left -= 1;
          const ms = Math.round(performance.now() - context.startedAt);
          const { label, keys } = each.fragment;
          deferred.push({ path: keys, ...(label !== undefined && { label }), objects: each.pending.length, ms });
          const json = { ...part, hasNext: left > 0, ...extensions() };
          sending = sending.then(async () => stream.write(await bytesOf(json)));
          // The end of this function reports a client that has left.
          sending.catch(() => {});
        }),
      );
      await sending;
      await stream.end();

      /** The trace stands in the last part, which has all of it. */
      function extensions(): { extensions?: object } {
        const own = left === 0 ? context.extensions() : undefined;
        return own ? { extensions: { upstream: { ...own.upstream, deferred } } } : {};
      }

      async function bytesOf(part: { hasNext: boolean }, isFirst = false): Promise<Buffer> {
        const [before, after] = framing.around(isFirst, !part.hasNext);
        const json = (await stringifyInSlices(part, Number.POSITIVE_INFINITY)) as Buffer;
        return Buffer.concat([Buffer.from(before), json.subarray(0, -1), Buffer.from(after)]);
      }
    }

    return { formats: [{ mediaTypes: ['multipart/mixed', 'text/event-stream'], takes, run }] };
  };
}
