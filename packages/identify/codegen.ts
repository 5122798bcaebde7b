import type { Contract, ContractPart } from '@gateway/contract/codegen';
import {
  candidateFieldsOf,
  candidateKey,
  candidateMistakes,
  candidatesSdl,
  candidateTypes,
} from './codegen-candidates.ts';
import {
  assignmentsOf,
  holderFieldsOf,
  holderKey,
  holderMistakes,
  holdersSdl,
  holderTypes,
} from './codegen-holders.ts';
import { changesKey, changesMistakes, changesOf, writesOf } from './codegen-lists.ts';
import type { IdentifyData, IndexedList } from './data.ts';

/** The keys `x-holders`, `x-candidates` and `x-changes`, and the fields of Query that follow from them. */
const identifyContract: ContractPart = {
  name: 'identify',
  keys: { 'x-holders': holderKey, 'x-candidates': candidateKey, 'x-changes': changesKey },
  mistakesIn: (contract) => [...holderMistakes(contract), ...candidateMistakes(contract), ...changesMistakes(contract)],
  typeDefs: (contract) => holdersSdl(contract) + candidatesSdl(contract),
  references: (contract) => ({ ...holderTypes(contract), ...candidateTypes(contract) }),
  dataOf: (contract): IdentifyData => ({
    holders: holderFieldsOf(contract),
    candidates: candidateFieldsOf(contract),
    lists: listsOf(contract),
  }),
};

export default identifyContract;

function listsOf(contract: Contract): Record<string, IndexedList> {
  const lists = contract.endpoints.filter(({ keys }) => keys['x-holders'] ?? keys['x-candidates']);
  return Object.fromEntries(
    lists.map((list) => {
      const holders = assignmentsOf(list);
      const changes = changesOf(list);
      const embedded = Object.values(holders).flatMap(({ assignment }) => assignment ?? []);
      const data = {
        kind: list.kind,
        ...(changes && { changes }),
        writes: writesOf(contract, list, embedded),
        holders,
      };
      return [list.name, data];
    }),
  );
}
