import { type FieldError, isObject, type Json, madeOnce } from '@gateway/base';
import type { Contract } from '@gateway/contract';
import { DateTime as Time } from '@gateway/upstream';
import {
  type GraphQLInputType,
  type GraphQLResolveInfo,
  getNamedType,
  getNullableType,
  isInputObjectType,
  isListType,
} from 'graphql';
import { type App, appOf } from '../request/app.ts';
import { comparisons, isEmpty, isSameText, isZero } from './same-value.ts';

/**
 * Compares the arguments of a write with the object that the service answers. The service accepts some values that it then
 * drops, changes or ignores. A property that the object does not have cannot be compared.
 */
export function inputDifferences(
  info: Pick<GraphQLResolveInfo, 'schema' | 'parentType' | 'fieldName'>,
  args: Json,
  stored: Json,
): FieldError[] {
  const app = appOf(info.schema);
  const run: Run = { app, isUpdate: app.contract.endpoint(info.fieldName).method !== 'POST', pairsLeft: 10_000 };
  return (info.parentType.getFields()[info.fieldName]?.args ?? []).flatMap(({ name, type }) => {
    if (getNamedType(type).name === 'Upload') {
      const isStored = stored[name] === undefined || !isEmpty(stored[name]);
      return isStored ? [] : [{ path: [name], message: 'The service stores no file.' }];
    }
    // Another input has what the object was before.
    if (name !== 'input' || !isInputObjectType(getNullableType(type))) return [];
    return compare(type, args[name], stored, [name], run).map(toFieldError);
  });
}

/** The answer of a write lacks a field of the input. */
export function lacksInput(app: App, args: Json, stored: Json): boolean {
  if (!isObject(args.input)) return false;
  return Object.entries(args.input).some(([name, sent]) => {
    const isSent = sent !== undefined && (Object.keys(args).length > 1 || !isEmpty(sent));
    return isSent && storedAs(app, name, stored)[Symbol.iterator]().next().done === true;
  });
}

type Path = (string | number)[];

interface Difference {
  path: Path;
  sent: unknown;
  stored: unknown;
}

/** One comparison. */
interface Run {
  app: App;
  isUpdate: boolean;
  /** Pairs of items that may still be compared to find the stored item of each sent one. Afterwards their order counts. */
  pairsLeft: number;
}

function compare(type: GraphQLInputType, sent: unknown, stored: unknown, path: Path, run: Run): Difference[] {
  // The service chooses values for a new object. In an update, an empty value stands for itself.
  if (isEmpty(sent)) return run.isUpdate && !isEmpty(stored) && !isZero(stored) ? [{ path, sent, stored }] : [];
  const nullable = getNullableType(type);
  if (isListType(nullable)) {
    if (!Array.isArray(sent) || !Array.isArray(stored)) return [{ path, sent, stored }];
    const ofItems = isInputObjectType(getNullableType(nullable.ofType)) ? compareObjects : compareValues;
    return ofItems(nullable.ofType, sent, stored, path, run);
  }
  if (!isInputObjectType(nullable)) {
    const spelling = run.app.stored?.spellings[String(path.at(-1))];
    const isSame = spelling ?? comparisons[getNamedType(type).name] ?? isSameText;
    return isSame(sent, stored, run.app.contract) ? same : [{ path, sent, stored }];
  }
  // Some versions of the service answer the id of the object.
  if (!isObject(stored)) return isEmpty(stored) ? [{ path, sent, stored }] : same;
  const fields = nullable.getFields();
  return Object.entries(sent as Json).flatMap(([name, value]) => {
    const field = fields[name];
    if (!field || value === undefined || isChosenByService(name, path, run.app.contract)) return same;
    let found: Difference[] | undefined;
    for (const twin of storedAs(run.app, name, stored)) {
      const differences = compare(field.type, value, twin, [...path, name], run);
      if (differences.length === 0) return same;
      found ??= differences;
    }
    return found ?? same;
  });
}

const same: Difference[] = [];

/** An id is a proposal. An object inside a new one refers to this one. */
function isChosenByService(name: string, path: Path, contract: Contract): boolean {
  if (name === 'id') return true;
  const field = path.findLast((step) => typeof step === 'string') ?? '';
  return contract.isIdOfRow(field, name);
}

/** The stored values of a field: the property of its name, and those beside it that show the same. */
function* storedAs({ contract, stored: values }: App, name: string, stored: Json): Generator<unknown> {
  const value = stored[name] ?? stored[contract.otherForms[name] ?? name];
  if (value !== undefined) yield value;
  const details = stored[`${name}_details`];
  if (details !== undefined) yield details;
  if (values) yield* values.others(name, stored);
}

/** The service stores lists in another order. It can add items. */
function compareValues(type: GraphQLInputType, sent: unknown[], stored: unknown[], path: Path, run: Run): Difference[] {
  const exact = new Set(stored);
  return sent.flatMap((value, index) => {
    const isFound = exact.has(value) || stored.some((other) => compare(type, value, other, path, run).length === 0);
    return isFound ? same : [{ path: [...path, index], sent: value, stored: null }];
  });
}

/**
 * Finds a stored item for each item that was sent, so that as many as possible fit. The others are compared with the item
 * that has the fewest differences.
 */
function compareObjects(
  type: GraphQLInputType,
  sent: unknown[],
  stored: unknown[],
  path: Path,
  run: Run,
): Difference[] {
  const known = new Map<number, Difference[]>();
  const pair = (item: number, place: number): Difference[] => {
    const key = item * stored.length + place;
    return madeOnce(known, key, () => {
      run.pairsLeft -= 1;
      return compare(type, sent[item], stored[place], [...path, item], run);
    });
  };
  const itemAt: (number | undefined)[] = stored.map(() => undefined);
  /** The places in the order sent and in the reverse order, before or behind items that the service adds. Then all others. */
  function* placesOf(item: number): Generator<number> {
    const added = stored.length - sent.length;
    const first = new Set([item, stored.length - 1 - item, item + added, sent.length - 1 - item]);
    for (const place of first) if (place in stored) yield place;
    for (const place of stored.keys()) {
      if (run.pairsLeft <= 0) return;
      if (!first.has(place)) yield place;
    }
  }
  /** Gives the item a place where it fits. An item that has the place moves to another one. */
  const fits = (item: number, tried: Set<number>): boolean => {
    for (const place of placesOf(item)) {
      if (tried.has(place) || pair(item, place).length > 0) continue;
      tried.add(place);
      const other = itemAt[place];
      if (other !== undefined && !fits(other, tried)) continue;
      itemAt[place] = item;
      return true;
    }
    return false;
  };
  return [...sent.keys()]
    .filter((item) => !fits(item, new Set()))
    .flatMap((item) => {
      let nearest: number | undefined;
      for (const place of placesOf(item)) {
        if (itemAt[place] !== undefined) continue;
        if (nearest === undefined || pair(item, place).length < pair(item, nearest).length) nearest = place;
      }
      if (nearest === undefined) return [{ path: [...path, item], sent: sent[item], stored: undefined }];
      itemAt[nearest] = item;
      return pair(item, nearest);
    });
}

function toFieldError({ path, sent, stored }: Difference): FieldError {
  // Both times in one form, so that their difference shows.
  const known = sent instanceof Time ? (Time.parse(stored) ?? stored) : stored;
  const message =
    stored === undefined
      ? 'The service stores no such item.'
      : `Sent ${shown(sent)}; the service stores ${shown(known)}.`;
  return { path, message };
}

const maxShown = 100;

function shown(value: unknown): string {
  const plain = value instanceof Time ? value.in('iso') : isObject(value) && 'id' in value ? value.id : value;
  if (Array.isArray(plain)) return plain.length === 0 ? 'an empty list' : 'a list';
  // The contract has no such object, so it is not for the client.
  if (typeof plain === 'object' && plain !== null) return 'an object';
  const text = JSON.stringify(plain) ?? 'nothing';
  return text.length > maxShown ? `${text.slice(0, maxShown)}…` : text;
}
