import { EventEmitter } from 'node:events';
import { expect, test } from 'vitest';
import { callerOf } from '../../base/callers/caller.ts';
import type { IdentifyData } from '../data.ts';
import { AllKnownRows } from '../known-rows.ts';
import { isAlike } from '../likeness.ts';
import { type Entry, newestOf, RowIndex } from '../row-index.ts';

const entry = (key: string, id: string, newest = 0): Entry => ({ key, id, newest, tie: id });
const callers = ['a', 'b', 'c'].map((key) => callerOf({ authorization: key }, 'authorization'));

test('a row has the entries of its latest state alone', () => {
  const index = new RowIndex();
  index.set('1', [entry('x', '1'), entry('y', '1')]);
  index.set('2', [entry('x', '2')]);
  index.set('1', [entry('z', '1')]);

  expect(index.find('x').map(({ id }) => id)).toEqual(['2']);
  expect(index.find('y')).toEqual([]);
  expect(index.find('z').map(({ id }) => id)).toEqual(['1']);
  expect(index.weight).toBe(4);
  index.set('1', []);
  index.set('2', []);
  expect(index.weight).toBe(0);
});

test('the newest entry counts, and of one time always the same', () => {
  const [old, young, twin] = [entry('x', '3', 1), entry('x', '1', 2), entry('x', '2', 2)];

  expect(newestOf([old, young])).toBe(young);
  expect(newestOf([young, twin, old])).toBe(twin);
  expect(newestOf([twin, old, young])).toBe(twin);
  expect(newestOf([])).toBeUndefined();
});

const data: IdentifyData = {
  holders: {},
  candidates: {},
  lists: { listBooks: { kind: 'Book', writes: ['createBook'], holders: {} } },
};

function knownRows(maxWeight: number) {
  const events = new EventEmitter();
  const all = new AllKnownRows({ events } as never, data, maxWeight);
  const fill = (caller: number, rows: number) => {
    const known = all.of(callers[caller]!, 'listBooks');
    for (let row = 0; row < rows; row += 1) known.index.set(`${row}`, [entry(`key ${row}`, `${row}`)]);
    known.learn(performance.now());
    all.keep(callers[caller]!, 'listBooks', known);
    return known;
  };
  return { all, events, fill };
}

test('callers who come again push out those who came before, so that the memory has a bound', () => {
  const { all, fill } = knownRows(50);
  const [first, second] = [fill(0, 10), fill(1, 10)];
  expect(all.weight).toBe(42);
  expect(all.of(callers[0]!, 'listBooks')).toBe(first);
  fill(2, 10);

  expect(all.weight).toBe(42);
  expect(all.of(callers[0]!, 'listBooks')).toBe(first);
  expect(all.of(callers[1]!, 'listBooks')).not.toBe(second);
});

test('an index that is larger than the memory does not stay', () => {
  const { all, fill } = knownRows(50);
  const known = fill(0, 100);

  expect(all.weight).toBe(0);
  expect(all.of(callers[0]!, 'listBooks')).not.toBe(known);
});

test('a write makes the index of its caller old, and so does an unknown one', () => {
  const { events, fill } = knownRows(100);
  const [first, second] = [fill(0, 1), fill(1, 1)];
  expect([first.isCurrent, second.isCurrent]).toEqual([true, true]);

  events.emit('invalidate', callers[0]!.keyDigest, 'createAuthor');
  expect([first.isCurrent, second.isCurrent]).toEqual([true, true]);
  events.emit('invalidate', callers[0]!.keyDigest, 'createBook');
  expect([first.isCurrent, second.isCurrent]).toEqual([false, true]);
  first.learn(performance.now());
  expect(first.isCurrent).toBe(true);
  events.emit('invalidate', '', undefined);
  expect([first.isCurrent, second.isCurrent]).toEqual([false, false]);
});

test('a read that began before a write does not make the index current', () => {
  const { events, fill } = knownRows(100);
  const known = fill(0, 1);
  const began = performance.now();
  events.emit('invalidate', callers[0]!.keyDigest, 'createBook');
  known.learn(began);

  expect(known.isCurrent).toBe(false);
});

test('an index that was pushed out may have missed a write', () => {
  const { all, fill } = knownRows(50);
  const known = fill(0, 10);
  fill(1, 10);
  fill(2, 10);
  all.keep(callers[0]!, 'listBooks', known);

  expect(all.of(callers[0]!, 'listBooks')).toBe(known);
  expect(known.isCurrent).toBe(false);
});

test.each([
  ['+233243877718', '+233 2 43877718', true],
  ['tel:+233-24-387-7718', '00233 (0)243877718', true],
  ['0243877718', '+233243877718', true],
  ['243877718', '0243877718', true],
  ['+233243877718', '+234243877718', false],
  ['0243877718', '0543877718', false],
  ['3877718', '+233243877718', true],
  ['877718', '+233243877718', false],
  ['', '', false],
  ['none', 'none', false],
])('the phone numbers %j and %j are one: %s', (one, other, isSame) => {
  expect([isAlike.phones(one, other), isAlike.phones(other, one)]).toEqual([isSame, isSame]);
});

test.each([
  ['Ama  Osei ', 'ama osei', true],
  ['Immacul\u00e9e', 'IMMACULE\u0301E', true],
  ['Ama\u00a0Osei', 'Ama Osei', true],
  ['Immacul\u00e9e', 'Immaculee', false],
  ['Ama Osei', 'AmaOsei', false],
  [' ', '', false],
])('the names %j and %j are one: %s', (one, other, isSame) => {
  expect(isAlike.names(one, other)).toBe(isSame);
});
