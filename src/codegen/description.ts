import identifyContract from '@gateway/identify/codegen';
import pushContract from '@gateway/push/codegen';
import { type Description, readContract } from '@gateway/rest-graph/codegen';

/** The traceability service, as schema/ describes it. */
export const description: Description = {
  openApi: new URL('../../schema/rest-service.openapi.yaml', import.meta.url),
  name: 'schema/rest-service.openapi.yaml',
  sdl: new URL('../../schema/', import.meta.url),
  parts: [identifyContract, pushContract],
};

/** @throws ContractError that names the YAML path of every mistake. */
export function describedContract() {
  return readContract(description.openApi, description.parts);
}
