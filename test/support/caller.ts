import { serviceContract } from '../../src/app/service-contract.ts';
import { type Caller, type CallerHeaders, callerOf as read } from '../../src/upstream/caller.ts';

/** The caller of requests with these headers. */
export function callerOf(headers: CallerHeaders): Caller {
  return read(headers, serviceContract.keyHeader);
}
