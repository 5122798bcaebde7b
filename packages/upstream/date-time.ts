/** How the service writes and reads date-times: ISO 8601 text, or unix seconds. */
export type DateTimeForm = 'iso' | 'unix';

/** With the ranges of all parts. The last days of a month are left to `isOfMonth`. */
const isoDateTime =
  /^(\d{4})-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])[Tt ]([01]\d|2[0-3]):([0-5]\d)(?::([0-5]\d)(\.\d+)?)?(?:[Zz]|([+-])([01]\d|2[0-3]):?([0-5]\d))?$/;
const unixSeconds = /^-?\d+(\.\d+)?$/;

/** The last second of the year 9999. A larger number is a time in milliseconds by mistake. */
const latest = 253_402_300_799;

/** A point in time as the client wrote it, to be sent in the form that the service takes. No digit is lost on the way. */
export class DateTime {
  readonly #text: string;
  readonly #seconds: string;

  private constructor(text: string, seconds: string) {
    this.#text = text;
    this.#seconds = seconds;
  }

  /** ISO 8601 text (no zone means UTC) or unix seconds as number or text; undefined for anything else. */
  static parse(value: unknown): DateTime | undefined {
    const text = typeof value === 'number' ? String(value) : value;
    if (typeof text !== 'string') return undefined;
    if (unixSeconds.test(text)) {
      const iso = isoFromUnix(text);
      return iso === undefined ? undefined : new DateTime(iso, text);
    }
    const seconds = unixFromIso(text);
    return seconds === undefined ? undefined : new DateTime(text, seconds);
  }

  /** `iso`: the client's own text, in UTC where it has no zone. `unix`: seconds, with the fraction that the client wrote. */
  in(form: DateTimeForm | 'date'): string {
    if (form === 'unix') return this.#seconds;
    if (form === 'date') return this.#text.slice(0, 10);
    return /(Z|[+-]\d\d:?\d\d)$/i.test(this.#text) ? this.#text : `${this.#text}Z`;
  }

  toString(): string {
    return this.#text;
  }
}

/** A value of the service as ISO 8601: text as it is, unix seconds as UTC; undefined for anything else. */
export function isoFromService(value: unknown): string | undefined {
  const text = typeof value === 'number' ? String(value) : value;
  if (typeof text !== 'string') return undefined;
  if (unixSeconds.test(text)) return isoFromUnix(text);
  return isoDateTime.test(text) && isOfMonth(text) ? text : undefined;
}

function isoFromUnix(text: string): string | undefined {
  const [whole = '', fraction = ''] = text.split('.');
  const negative = text.startsWith('-') && /[1-9]/.test(fraction);
  const seconds = Number(whole) - (negative ? 1 : 0);
  if (!(Math.abs(seconds) <= latest)) return undefined;
  const iso = new Date(seconds * 1000).toISOString().replace('.000Z', '');
  const digits = negative ? complement(fraction) : fraction;
  return `${iso}${/[1-9]/.test(digits) ? `.${digits}` : ''}Z`;
}

/** The fraction of a negative time, counted from the whole second before: -0.25 is -1 + 0.75. */
function complement(fraction: string): string {
  return String(10n ** BigInt(fraction.length) - BigInt(fraction)).padStart(fraction.length, '0');
}

/** Whether the month of an `isoDateTime` has its day. */
function isOfMonth(text: string): boolean {
  const day = Number(text.slice(8, 10));
  // Each month has 28 days. Date turns a day beyond the last one into a day of the next month.
  return day <= 28 || new Date(`${text.slice(0, 10)}T00:00Z`).getUTCDate() === day;
}

function unixFromIso(text: string): string | undefined {
  const match = isoDateTime.exec(text);
  if (!match || !isOfMonth(text)) return undefined;
  const [, year, month, day, hour, minute, second = '0', fraction = '', sign, zoneHour = '0', zoneMinute = '0'] = match;
  const date = new Date(
    Date.UTC(Number(year), Number(month) - 1, Number(day), Number(hour), Number(minute), Number(second)),
  );
  // Date.UTC reads years below 100 as 19xx.
  if (date.getUTCFullYear() !== Number(year)) return undefined;
  const zone = (Number(zoneHour) * 60 + Number(zoneMinute)) * 60 * (sign === '-' ? -1 : 1);
  const seconds = date.getTime() / 1000 - zone;
  if (seconds < 0 && /[1-9]/.test(fraction)) {
    const digits = complement(fraction.slice(1));
    return seconds === -1 ? `-0.${digits}` : `${seconds + 1}.${digits}`;
  }
  return `${seconds}${fraction}`;
}
