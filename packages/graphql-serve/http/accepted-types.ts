import type { IncomingMessage } from 'node:http';
import { badRequest, madeOnce } from '@gateway/base';
import { LRUCache } from 'lru-cache';
import Negotiator from 'negotiator';
import type { GraphQLHttpRequest } from '../operations/operation-request.ts';
import type { AnswerFormat } from '../part.ts';
import { answerType, answerTypes } from '../request/accept.ts';
import { longestParsedHeader } from '../request/header-names.ts';
import { isMultipart } from './body.ts';

interface AcceptedFormat {
  format: AnswerFormat;
  mediaType: string;
}

const inUtf8 = '; charset=utf-8';

/** The media types in which requests can be answered, those of parts among them. */
export function acceptedFormats(formats: readonly AnswerFormat[]) {
  const taking = formats.filter(({ takes }) => takes);
  const preferred = formats.filter(({ takes }) => !takes);
  const byType = new Map<string, AnswerFormat>();
  // A client may name the charset.
  for (const format of preferred) for (const type of format.mediaTypes) byType.set(type + inUtf8, format);
  const types = [...answerTypes, ...byType.keys()];
  const mediaTypes = preferred.flatMap((format) => format.mediaTypes);
  /** Formats, and their ranges such as text/*. */
  const named = [...new Set(mediaTypes.flatMap((type) => [type, type.replace(/[^/]*$/, '*')]))];
  const others = formats.flatMap(({ refusedAs }) => refusedAs ?? []);
  const names = [answerTypes.join(' or '), ...others].join('; ');
  /** More values than requests are in flight, so that each request is parsed once. */
  const known = new LRUCache<string, { accepted: AcceptedFormat | undefined }>({ max: 1_000 });

  function preferredBy({ headers: { accept } }: Pick<IncomingMessage, 'headers'>): AcceptedFormat | undefined {
    if (!accept || accept.length > longestParsedHeader || !mayPrefer(accept)) return undefined;
    return madeOnce(known, accept, () => {
      const [type = ''] = new Negotiator({ headers: { accept } }).mediaTypes(types);
      const format = byType.get(type);
      return { accepted: format && { format, mediaType: type.replace(inUtf8, '') } };
    }).accepted;
  }

  /** Only a header that names a format, or has no answer, is worth a second parsing. */
  function mayPrefer(accept: string): boolean {
    return named.some((name) => accept.includes(name)) || (byType.size > 0 && !answerType(accept));
  }

  return {
    /** The format that takes the request, or that its client prefers to an answer; undefined where there is none. */
    formatFor(asked: GraphQLHttpRequest): AcceptedFormat | undefined {
      const { accept = '' } = asked.headers;
      for (const format of taking) {
        const isNamed = format.mediaTypes.some((type) => accept.toLowerCase().includes(type));
        const mediaType = isNamed && format.takes?.(asked);
        if (mediaType) return { format, mediaType };
      }
      return preferredBy(asked);
    },
    /** Refuses before anything runs: Apollo Server would negotiate after a write. @throws BAD_REQUEST (406) */
    require(request: IncomingMessage): void {
      if (answerType(request.headers.accept) || (preferredBy(request) && !isMultipart(request))) return;
      throw badRequest(`Accept must allow ${names}.`, 406);
    },
  };
}
