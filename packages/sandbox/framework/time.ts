/** Stored times are ISO 8601 in UTC with microseconds, as in `2026-03-01T08:15:30.123456Z`. */
const isoPattern =
  /^(\d{4})-(\d{2})-(\d{2})[T ](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,6})\d*)?)?(Z|[+-]\d{2}(?::?\d{2})?)?$/i;

/** Undefined for a text that is no date-time. A time without an offset is UTC. */
export function parseIsoTime(text: string): string | undefined {
  const match = isoPattern.exec(text);
  if (!match) return undefined;
  const [, year, month, day, hour, minute, second = '00', fraction = '', zone = 'Z'] = match;
  if (parseIsoDate(`${year}-${month}-${day}`) === undefined) return undefined;
  const digits = zone.replace(/[^\d]/g, '').padEnd(4, '0');
  const offset = zone.toUpperCase() === 'Z' ? 'Z' : `${zone[0]}${digits.slice(0, 2)}:${digits.slice(2)}`;
  const seconds = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}${offset}`) / 1000;
  return Number.isFinite(seconds) ? withMicroseconds(seconds, Number(fraction.padEnd(6, '0'))) : undefined;
}

/** Undefined where the calendar has no such day. */
export function parseIsoDate(text: string): string | undefined {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return undefined;
  const date = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text) ? text : undefined;
}

/** Undefined for a year of more than four digits, which milliseconds taken for seconds give. */
export function fromUnixSeconds(seconds: number): string | undefined {
  return seconds >= -62_135_596_800 && seconds < 253_402_300_800
    ? fromMicroseconds(Math.round(seconds * 1e6))
    : undefined;
}

export function toUnixSeconds(time: string): string {
  return String(Math.floor(toMicroseconds(time) / 1e6));
}

export function fromMicroseconds(microseconds: number): string {
  const seconds = Math.floor(microseconds / 1e6);
  return withMicroseconds(seconds, microseconds - seconds * 1e6);
}

/** Microseconds since 1970. Exact until the year 2255, because later numbers are no safe integers. */
export function toMicroseconds(time: string): number {
  return Date.parse(`${time.slice(0, 19)}Z`) * 1000 + Number(time.slice(20, 26));
}

function withMicroseconds(seconds: number, microseconds: number): string {
  return `${new Date(seconds * 1000).toISOString().slice(0, 19)}.${String(microseconds).padStart(6, '0')}Z`;
}
