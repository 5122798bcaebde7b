import { type FieldError, isObject } from '@gateway/base';
import type { Wire } from '@gateway/contract';

/** The first errors are enough to correct an input. More, or longer ones, are a fault of the service. */
const maxErrors = 100;
const maxMessageLength = 300;

/** Messages are texts by field, in objects and lists at any depth, or objects that each name their field. */
export function collectValidationErrors(
  messages: unknown,
  wire: Wire,
  path: (string | number)[] = [],
  found: FieldError[] = [],
): FieldError[] {
  if (found.length >= maxErrors || path.length > 10) return found;
  if (typeof messages === 'string') {
    if (messages !== '') found.push({ path, message: messages.slice(0, maxMessageLength) });
  } else if (Array.isArray(messages)) {
    messages.forEach((message, index) => {
      collectValidationErrors(message, wire, isWhole(message, wire) ? path : [...path, index], found);
    });
  } else if (isObject(messages)) {
    const whole = Object.keys(messages).filter((name) => wire.isWholeBody(name));
    const error = whole.every((name) => isText(messages[name])) && wire.fieldErrorOf(messages);
    if (error) {
      if (error.message !== '')
        found.push({ path: [...path, ...error.path], message: error.message.slice(0, maxMessageLength) });
      return found;
    }
    const isCoded = wire.errorCode in messages && whole.some((name) => isText(messages[name]));
    for (const [key, message] of Object.entries(messages)) {
      // Beside a text about the whole body, the code and the rest are for programs.
      if (isCoded && !whole.includes(key)) continue;
      collectValidationErrors(message, wire, whole.includes(key) ? path : [...path, key], found);
    }
  }
  return found;
}

/**
 * The errors that a client may see. People write their messages for people. A message that reads like the inside of the
 * service, or quotes the key, is replaced.
 */
export function shownValidationErrors(errors: readonly FieldError[], key: string): FieldError[] {
  // The scheme before it is no secret.
  const secret = key.slice(key.lastIndexOf(' ') + 1);
  const isInside = (text: string) =>
    inside.test(text) || namedSecret.test(text) || (secret !== '' && text.includes(secret));
  return errors.flatMap(({ path, message }) => {
    const named = path.filter((step) => typeof step === 'number' || (fieldName.test(step) && !isInside(step)));
    if (!isInside(message)) return [{ path: named, message }];
    return named.length > 0 ? [{ path: named, message: 'The service refuses this.' }] : [];
  });
}

/** The message does not belong to its place in a list. */
function isWhole(message: unknown, wire: Wire): boolean {
  return typeof message === 'string' || (isObject(message) && wire.fieldErrorOf(message) !== undefined);
}

const isText = (value: unknown) => typeof value === 'string';

const fieldName = /^\w{1,100}$/;

/** A key or a password, beside its name in any case. */
const namedSecret = /(?:password|secret|token|api_?key)["']?\s*[=:]\s*\S/i;

/** Addresses, files, places in code, statements of SQL, objects as Python prints them, HTML, keys. */
const inside = new RegExp(
  [
    /:\/\//,
    /\b\d{1,3}(?:\.\d{1,3}){3}\b/,
    /(?:\b[\da-fA-F]{1,4}:){7}|::[\da-fA-F]/,
    /\blocalhost\b/,
    /\b[A-Za-z][\w.-]*:\d{2,5}\b/,
    /(?<![@\w.-])[A-Za-z][\w-]*(?:\.[\w-]+){2}/,
    /(?:^|[\s"'(=])(?:\/[\w.-]+){2}/,
    /\b[A-Za-z]:\\/,
    /Traceback|, line \d+\b|^\s+at /m,
    /[a-z](?:Error|Exception|Violation)\b/,
    /\b(?:SELECT|INSERT|UPDATE|DELETE)\b.*\b(?:FROM|INTO|SET)\b/s,
    /violates .*constraint|DETAIL:/s,
    /\bobject at 0x|<\/?[a-z][^>]*>/,
    /\bBearer \S|\beyJ[\w-]{10}/,
  ]
    .map(({ source }) => `(?:${source})`)
    .join('|'),
  'ms',
);
