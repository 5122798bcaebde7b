import type { Contract, EndpointName } from '@gateway/contract';

/** Milliseconds that the service works for a call, and for each row of its answer. */
export interface CallCost {
  callMs: number;
  rowMs: number;
}

/** The cost that the gateway expects of an endpoint. */
export interface ExpectedCost extends CallCost {
  /** No answer of the endpoint has shown its cost. */
  isSupposed?: boolean;
}

/** The gateway's own work for a call, and for each row of its answer: it sends, parses and reads. */
export const gatewayCost: CallCost = { callMs: 0.13, rowMs: 0.008 };

/** The side whose work makes other calls wait. */
export type Scarce = 'service' | 'gateway' | 'nothing';

/** The cost of calls where the gateway runs. */
export interface ServiceCosts {
  of(endpoint: EndpointName): ExpectedCost;
  /** Calls that the service works on side by side before each of them takes longer. */
  readonly parallelism: number;
  /** By default the service. */
  readonly scarce?: Scarce;
  /**
   * Whether a read of the endpoint should show anew what it costs, because plans have left it out for long. True for one of
   * all who ask meanwhile. By default never.
   */
  shouldMeasure?(endpoint: EndpointName): boolean;
  /** Calls of this process without an answer, those that wait for a connection included: they come first. */
  readonly inFlight: number;
}

/** Calls that a service is supposed to work on side by side. */
export const priorParallelism = 4;

/** The figures of the contract, measured of a real deployment. */
export function priorCosts(contract: Contract): ServiceCosts {
  return {
    of(endpoint) {
      const { callMs = 30, rowMs = 0 } = contract.endpoint(endpoint).cost ?? {};
      return { callMs, rowMs };
    },
    parallelism: priorParallelism,
    inFlight: 0,
  };
}
