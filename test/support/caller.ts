import { type Caller, type CallerHeaders, callerOf as read } from '../../packages/base/callers/caller.ts';
import { serviceContract } from '../../src/service-contract.ts';

/** The caller of requests with these headers. */
export function callerOf(headers: CallerHeaders): Caller {
  return read(headers, serviceContract.keyHeader);
}
