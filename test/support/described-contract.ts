import { readContract } from '@gateway/contract/codegen';
import { description } from '../../src/codegen/description.ts';

/** @throws ContractError that names the YAML path of every mistake. */
export function describedContract() {
  return readContract(description.openApi, description.parts);
}
