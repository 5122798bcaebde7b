import type { IncomingMessage } from 'node:http';
import { badRequest, madeOnce } from '@gateway/base';
import { LRUCache } from 'lru-cache';
import Negotiator from 'negotiator';
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
export class AcceptedTypes {
  readonly #taking: readonly AnswerFormat[];
  readonly #formats = new Map<string, AnswerFormat>();
  readonly #types: string[];
  readonly #names: string;
  /** Formats, and their ranges such as text/*. */
  readonly #named: readonly string[];
  /** More values than requests are in flight, so that each request is parsed once. */
  readonly #known = new LRUCache<string, { accepted: AcceptedFormat | undefined }>({ max: 1_000 });

  constructor(formats: readonly AnswerFormat[]) {
    this.#taking = formats.filter(({ takes }) => takes);
    // A client may name the charset.
    const preferred = formats.filter(({ takes }) => !takes);
    for (const format of preferred) for (const type of format.mediaTypes) this.#formats.set(type + inUtf8, format);
    this.#types = [...answerTypes, ...this.#formats.keys()];
    const mediaTypes = preferred.flatMap((format) => format.mediaTypes);
    this.#named = [...new Set(mediaTypes.flatMap((type) => [type, type.replace(/[^/]*$/, '*')]))];
    const others = formats.flatMap(({ refusedAs }) => refusedAs ?? []);
    this.#names = [answerTypes.join(' or '), ...others].join('; ');
  }

  /** The format that takes the request, or that its client prefers to an answer; undefined where there is none. */
  formatFor(request: IncomingMessage, body: unknown): AcceptedFormat | undefined {
    const { accept = '' } = request.headers;
    for (const format of this.#taking) {
      const isNamed = format.mediaTypes.some((type) => accept.toLowerCase().includes(type));
      const mediaType = isNamed && format.takes?.(request, body);
      if (mediaType) return { format, mediaType };
    }
    return this.#preferred(request);
  }

  #preferred({ headers: { accept } }: IncomingMessage): AcceptedFormat | undefined {
    if (!accept || accept.length > longestParsedHeader || !this.#mayPrefer(accept)) return undefined;
    const { accepted } = madeOnce(this.#known, accept, () => {
      const [type = ''] = new Negotiator({ headers: { accept } }).mediaTypes(this.#types);
      const format = this.#formats.get(type);
      return { accepted: format && { format, mediaType: type.replace(inUtf8, '') } };
    });
    return accepted;
  }

  /** Only a header that names a format, or has no answer, is worth a second parsing. */
  #mayPrefer(accept: string): boolean {
    return this.#named.some((name) => accept.includes(name)) || (this.#formats.size > 0 && !answerType(accept));
  }

  /** Refuses before anything runs: Apollo Server would negotiate after a write. @throws BAD_REQUEST (406) */
  require(request: IncomingMessage): void {
    if (answerType(request.headers.accept) || (this.#preferred(request) && !isMultipart(request))) return;
    throw badRequest(`Accept must allow ${this.#names}.`, 406);
  }
}
