import * as data from '../generated/contract.ts';
import { Contract } from './contract.ts';

/** The contract with the traceability service. */
export const serviceContract = new Contract(data);
