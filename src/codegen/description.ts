import deferContract from '@gateway/defer/codegen';
import identifyContract from '@gateway/identify/codegen';
import lineageContract from '@gateway/lineage/codegen';
import mapContract from '@gateway/map/codegen';
import pushContract from '@gateway/push/codegen';
import { type Description, readContract } from '@gateway/rest-graph/codegen';
import signInContract from '@gateway/sign-in/codegen';
import totalsContract from '@gateway/totals/codegen';

/** The traceability service, as schema/ describes it. */
export const description: Description = {
  openApi: new URL('../../schema/rest-service.openapi.yaml', import.meta.url),
  name: 'schema/rest-service.openapi.yaml',
  sdl: new URL('../../schema/', import.meta.url),
  parts: [pushContract, lineageContract, totalsContract, identifyContract, mapContract, deferContract, signInContract],
};

/** @throws ContractError that names the YAML path of every mistake. */
export function describedContract() {
  return readContract(description.openApi, description.parts);
}
