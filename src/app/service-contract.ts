import { Contract } from '../contract/contract.ts';
import * as data from '../generated/contract.ts';

/** The contract with the traceability service. */
export const serviceContract = new Contract(data);
