import { isDeepStrictEqual } from 'node:util';
import { isObject, isSameNumber, jsonOrUndefined } from '@gateway/base';
import type { Contract } from '@gateway/contract';
import { DateTime as Time } from '@gateway/upstream';

/** A stored value is the one that was sent. */
type IsSame = (sent: unknown, stored: unknown, contract: Contract) => boolean;

/** By the scalar. All others are text. */
export const comparisons: Readonly<Record<string, IsSame>> = {
  ID: isSameId,
  DateTime: isSameTime,
  Decimal: isSameNumber,
  Float: isSameFloat,
  Boolean: (sent, stored) => String(stored).toLowerCase() === String(sent),
};

/** The service removes white space around a text. It can answer JSON text as JSON, or in another spelling. */
export function isSameText(sent: unknown, stored: unknown): boolean {
  const text = typeof sent === 'object' ? JSON.stringify(sent) : String(sent).trim();
  if (stored === null) return false;
  return (typeof stored !== 'object' && text === String(stored).trim()) || isSameJson(text, stored);
}

function isSameJson(sent: string, stored: unknown): boolean {
  const json = /^[[{]/.test(sent) ? jsonOrUndefined(sent) : undefined;
  return json !== undefined && isDeepStrictEqual(json, typeof stored === 'string' ? jsonOrUndefined(stored) : stored);
}

/** Binary floating point keeps 15 digits. */
function isSameFloat(sent: unknown, stored: unknown): boolean {
  const digits = (value: unknown) => (isSameNumber(value, value) ? Number(value).toPrecision(15) : undefined);
  return digits(stored) !== undefined && digits(sent) === digits(stored);
}

/** The service also takes internal numbers, and other names of an object. */
function isSameId(sent: unknown, stored: unknown, contract: Contract): boolean {
  if (Array.isArray(stored)) return stored.some((item) => isSameId(sent, item, contract));
  if (isObject(stored)) return contract.namesOf(stored).some((name) => name != null && isSameId(sent, name, contract));
  if (isEmpty(stored)) return false;
  const [id, other] = [String(sent), String(stored)];
  if (contract.isInternalNumber(id) && !contract.isInternalNumber(other)) return true;
  // Labelled ids are texts such as "Middlemarch - 1871 - JZMN42P4DX".
  return id === other || other.split(' - ').slice(1).includes(id);
}

/** Times are equal if they differ by less than the last digit that the service shows. Some versions show whole seconds. */
function isSameTime(sent: unknown, stored: unknown): boolean {
  const shown = Time.parse(stored)?.in('unix');
  const exact = sent instanceof Time ? sent.in('unix') : undefined;
  if (shown === undefined || exact === undefined) return false;
  const digits = shown.split('.')[1]?.length ?? 0;
  return Math.abs(Number(exact) - Number(shown)) < 10 ** -digits;
}

export function isEmpty(value: unknown): boolean {
  if (typeof value === 'string') return value.trim() === '';
  return value == null || (Array.isArray(value) && value.length === 0);
}

/** Defaults that the service stores for no value. */
export function isZero(stored: unknown): boolean {
  return stored === false || stored === '{}' || isSameNumber(0, stored);
}
