import { isRunByBrowsers } from '@gateway/contract';
import { z } from 'zod';

/** Types of settings. Each reads what YAML gives, and the text of a variable. */

const asNumber = (value: unknown) =>
  typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value) ? Number(value) : value;

function number<T extends z.ZodType<number>>(type: T) {
  return z.preprocess(asNumber, type);
}

const numberError =
  (unit: string): z.core.$ZodErrorMap =>
  (issue) => {
    if (issue.code === 'too_small') return `must be ${issue.inclusive ? 'at least' : 'above'} ${issue.minimum}`;
    if (issue.code === 'too_big') return `must be at most ${issue.maximum}`;
    return `must be a ${issue.expected === 'int' ? 'whole ' : ''}number${unit}`;
  };
const aNumber = (unit = '') => z.number({ error: numberError(unit) });
const milliseconds = () => aNumber(' of milliseconds').int();

export const MiB = 2 ** 20;

export const hourMs = 3_600_000;
/** Times of more than 24 days overflow a timer of Node, which then fires at once. */
export const dayMs = 24 * hourMs;

export const count = () => number(aNumber().int().positive());
export const countOrNone = () => number(aNumber().int().min(0));
export const ms = (max = hourMs) => number(milliseconds().positive().max(max));
export const msOrNone = (max = hourMs) => number(milliseconds().min(0).max(max));
export const port = () => number(aNumber().int().min(0).max(65_535));
/** From 0 to 1. */
export const share = () => number(aNumber(' from 0 to 1').min(0).max(1));
export const text = () => z.string().regex(/\S/, 'must not be blank');

const byteUnits: Record<string, number> = { '': 1, k: 2 ** 10, m: 2 ** 20, g: 2 ** 30 };

function asBytes(value: unknown): unknown {
  const [, digits, unit = ''] = /^(\d+)(?: ?(?=[a-z])([kmg]?)(?:i?b)?)?$/i.exec(String(value)) ?? [];
  return digits === undefined ? value : Number(digits) * (byteUnits[unit.toLowerCase()] as number);
}

/** A number of bytes, or a text such as `64MiB`, `512m` and `2g`, as Docker writes them. */
export const bytes = () =>
  z.preprocess(asBytes, z.number({ error: 'must be a number of bytes, or a text such as 64MiB' }).int().positive());

export const flag = () =>
  z.preprocess(
    (value) => (typeof value === 'boolean' ? String(value) : value),
    z.stringbool({ error: 'must be true or false' }),
  );

const asList = (value: unknown) =>
  typeof value === 'string'
    ? value
        .split(',')
        .map((item) => item.trim())
        .filter(Boolean)
    : value;

/** A list of YAML, or a text with commas between its items. */
export const list = (item: z.ZodType<string> = text()) => z.preprocess(asList, z.array(item));
export const lowerCaseList = () => list(text().toLowerCase());

const fileType = () =>
  text()
    .toLowerCase()
    .regex(/^[\w.+-]+\/[\w.+-]+$/, 'must be a media type, such as application/pdf')
    .refine((type) => !isRunByBrowsers(type), 'cannot be HTML, SVG or other XML, which browsers run');
export const fileTypes = () => list(fileType());

/** The client of Redis takes no other path, and decodes the name and the password. */
const redisForm = /^rediss?:\/\/((?:[^%/@]|%[\da-f]{2})*@)?[^/@]+(?:\/\d*)?$/i;

export const redisUrl = () =>
  z
    .url({ protocol: /^rediss?$/, error: 'must be a redis or rediss URL, such as redis://host:6379', abort: true })
    .regex(redisForm, 'must be as redis://name:password@host:6379/0; percent-encode what is special in a password');
