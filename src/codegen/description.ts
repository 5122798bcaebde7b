import type { Description } from '@gateway/contract/codegen';
import defer from '@gateway/defer/codegen';
import identify from '@gateway/identify/codegen';
import lineage from '@gateway/lineage/codegen';
import map from '@gateway/map/codegen';
import push from '@gateway/push/codegen';
import signIn from '@gateway/sign-in/codegen';
import totals from '@gateway/totals/codegen';

/** The traceability service, as schema/ describes it. */
export const description: Description = {
  openApi: new URL('../../schema/rest-service.openapi.yaml', import.meta.url),
  name: 'schema/rest-service.openapi.yaml',
  sdl: new URL('../../schema/', import.meta.url),
  parts: [push, lineage, totals, identify, map, defer, signIn],
};
