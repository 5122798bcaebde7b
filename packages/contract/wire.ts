import { type FieldError, isObject, type Json } from '@gateway/base';
import type { WireNames } from './data.ts';
import type { DialectName, DialectTraits, Envelope } from './dialect-traits.ts';

/** Reads the answers of a service in its own words. */
export class Wire {
  readonly #names: WireNames;
  readonly #dialects: readonly DialectTraits[];
  readonly #envelopes: readonly Envelope[];

  constructor(names: WireNames, dialects: readonly DialectTraits[]) {
    this.#names = names;
    this.#dialects = dialects;
    this.#envelopes = dialects.flatMap(({ envelope }) => envelope ?? []);
  }

  /** A read asks for a page by its number, in place of its first row. */
  get numbersPages(): boolean {
    return this.#names.page.number !== undefined;
  }

  /** A query parameter of this name asks for a page. */
  isOfPage(name: string): boolean {
    const { limit, offset, number } = this.#names.page;
    return name === limit || name === offset || name === number;
  }

  /** The name of a code for programs, beside a text about the whole body. */
  get errorCode(): string {
    return this.#names.errorCode ?? 'code';
  }

  /** The dialect whose envelope the body has. Undefined where several dialects have that envelope. */
  dialectOf(body: unknown): DialectName | undefined {
    const [found, other] = this.#dialects.filter(({ envelope }) => envelope && isIn(envelope, body));
    return other ? undefined : found?.name;
  }

  /**
   * The documented part of a body, which some deployments send in an envelope. A page has the words of the gateway.
   * `total`: the header with the count.
   */
  dataOf(body: unknown, isPage: boolean, total?: string): unknown {
    const { page } = this.#names;
    const envelope = this.#envelopeOf(body);
    const inside = envelope ? (body as Json)[envelope.data] : body;
    // The property of an envelope is also that of the rows, with the count beside it.
    const data = isPage && Array.isArray(inside) && envelope?.data === page.rows ? body : inside;
    if (isPage && Array.isArray(data)) return { count: countIn(total), results: data };
    if (!isPage || !isObject(data)) return data;
    if (page.count === 'count' && page.rows === 'results' && data.count !== undefined) return data;
    const { [page.count]: atTop, [page.rows]: results, ...others } = data;
    return { ...others, count: atTop ?? this.#countIn(data) ?? countIn(total), results };
  }

  /** The status of the failure that an envelope stands for, whatever the status of its answer. */
  failureOf(body: unknown): number | undefined {
    const { success, code: codeName } = this.#envelopeOf(body) ?? {};
    if (success === undefined || (body as Json)[success] !== false) return undefined;
    const code = codeName === undefined ? undefined : (body as Json)[codeName];
    // JSON may hold any number there, also one that is infinite.
    return Number.isInteger(code) && (code as number) >= 400 && (code as number) < 600 ? (code as number) : 500;
  }

  /** Bodies are messages in an envelope, or the messages. These are by field, one for the whole body, or a bare list. */
  messagesOf(body: unknown): unknown {
    if (!isObject(body)) return body;
    const { message } = this.#envelopes.find(({ success }) => success === undefined || body[success] === false) ?? {};
    return message !== undefined && message in body ? body[message] : body;
  }

  /** The message that an object in a list of errors is about one field. */
  fieldErrorOf(error: Json): FieldError | undefined {
    const { fieldErrors } = this.#names;
    const message = fieldErrors && error[fieldErrors.message];
    if (typeof message !== 'string') return undefined;
    const given = error[fieldErrors?.path ?? ''];
    const steps = typeof given === 'string' ? given.split(/[./]/) : Array.isArray(given) ? given : [];
    const path = steps.map((step) => (/^\d+$/.test(String(step)) ? Number(step) : String(step)));
    return { path: path[0] === fieldErrors?.body ? path.slice(1) : path, message };
  }

  /** The message is about the whole body, and not about a field of this name. */
  isWholeBody(name: string): boolean {
    return this.#names.wholeBody.includes(name);
  }

  /** The messages of a refusal are about the key, and not about a right of its owner. */
  refusesKey(messages: unknown, errors: readonly { message: string }[]): boolean {
    const { keyCodes = [], keyWords = [] } = this.#names.refusals ?? {};
    if (isObject(messages) && keyCodes.some((code) => code === messages[this.errorCode])) return true;
    const text = errors.map(({ message }) => message.toLowerCase()).join(' ');
    return keyWords.some((word) => text.includes(word));
  }

  /** By its message, the service takes the id of an object, or the object itself. */
  wants(what: 'id' | 'object', message: string): boolean {
    const { idWords = [], objectWords = [] } = this.#names.refusals ?? {};
    const words = what === 'id' ? idWords : objectWords;
    return words.some((word) => new RegExp(`\\b${word}\\b`, 'i').test(message));
  }

  /** `meta.total` is a property of the object `meta`. */
  #countIn(data: Json): unknown {
    const steps = this.#names.page.count.split('.');
    return steps.reduce<unknown>((value, step) => (isObject(value) ? value[step] : undefined), data);
  }

  #envelopeOf(body: unknown): Envelope | undefined {
    for (const envelope of this.#envelopes) if (isIn(envelope, body)) return envelope;
    return undefined;
  }
}

/** `X-Total-Count: 100`, or `Content-Range: items 0-9/100`. */
function countIn(header: string | undefined): number | undefined {
  const [digits] = /\d+$/.exec(header ?? '') ?? [];
  return digits === undefined ? undefined : Number(digits);
}

function isIn({ success, data }: Envelope, body: unknown): body is Json {
  return isObject(body) && (success === undefined || success in body) && data in body;
}
