import { expect, test } from 'vitest';
import { serviceContract } from '../../../src/service-contract.ts';
import { callerOf } from '../../../test/support/caller.ts';
import { Knowledge } from '../knowledge.ts';

const caller = callerOf({ authorization: 'a key' });
const inFrench = callerOf({ authorization: 'a key', 'accept-language': 'fr' });
const other = callerOf({ authorization: 'another key' });
const newKnowledge = () => new Knowledge(serviceContract);
const id = 'J7VY4SD9HV';

test('a write drops the misses of its key, and reads from before it teach no later request', () => {
  const knowledge = newKnowledge();
  const before = [caller, inFrench, other].map((each) => knowledge.of(each));
  for (const known of before) known.learnMissing('Farmer', id);

  knowledge.invalidate(caller.keyDigest);
  before[0]!.learnMissing('Farmer', id);

  expect([caller, inFrench, other].map((each) => knowledge.of(each).isMissing('Farmer', id))).toEqual([
    false,
    false,
    true,
  ]);
  expect(before[0]!.isMissing('Farmer', id)).toBe(true);
});

test('a write leaves what else the gateway knows of its caller', () => {
  const knowledge = newKnowledge();
  const known = knowledge.of(caller);
  known.learnKind(id, 'Farmer');
  known.learnLength('listFarmers', { count: 7, at: 0 });

  knowledge.invalidate(caller.keyDigest);

  expect(knowledge.of(caller).kindOf('Entity', id)).toBe('Farmer');
  expect(knowledge.find(caller)?.lengthOf('listFarmers')).toBe(7);
});

test('a memory that outgrows its bound keeps its entries for the requests that run, and begins anew with the next', () => {
  const knowledge = newKnowledge();
  const running = knowledge.of(caller);
  running.learnMissing('Farmer', id);
  for (let index = 0; index <= 1_000; index += 1) running.learnKind(`id ${index}`, 'Farmer');

  const next = knowledge.of(caller);

  expect(running.kindOf('Entity', 'id 0')).toBe('Farmer');
  expect(next.kindOf('Entity', 'id 0')).toBeUndefined();
  expect(next.guessKind('Entity', 'id 0')).toBe('Farmer');
  expect(next.isMissing('Farmer', id)).toBe(true);
});

test('callers share no kinds, but their guesses', () => {
  const knowledge = newKnowledge();
  knowledge.of(caller).learnKind(id, 'Company');

  expect(knowledge.of(other).kindOf('Entity', id)).toBeUndefined();
  expect(knowledge.of(other).guessKind('Entity', id)).toBe('Company');
});

test('the callers that were not heard of for the longest go first', () => {
  const knowledge = newKnowledge();
  const learn = (index: number) => {
    const known = knowledge.of(callerOf({ authorization: `key ${index}` }));
    for (let kind = 0; kind < 900; kind += 1) known.learnKind(`${index} ${kind}`, 'Farmer');
    known.learnLength('listFarmers', { count: index, at: 0 });
    // The entries are weighed with the next request.
    knowledge.of(callerOf({ authorization: `key ${index}` }));
  };
  for (let index = 0; index < 1_000; index += 1) learn(index);

  const lengthOf = (index: number) =>
    knowledge.find(callerOf({ authorization: `key ${index}` }))?.lengthOf('listFarmers');
  expect([lengthOf(0), lengthOf(999)]).toEqual([undefined, 999]);
});
