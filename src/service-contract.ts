import { Contract } from '@gateway/contract';
import * as data from './generated/contract.ts';

/** The contract with the traceability service. */
export const serviceContract = new Contract(data);
