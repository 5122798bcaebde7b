import type { App } from '../request/app.ts';
import { rawTexts } from './open-enums.ts';
import { referenceResolvers } from './references.ts';
import { rootResolvers } from './root.ts';
import { scalars } from './scalars.ts';
import { waysBackOf } from './ways-back.ts';

/** Later entries replace earlier ones: the fields of the app replace those that follow from the contract. */
export const resolversOf = ({ contract, fields = [] }: App) => [
  scalars,
  referenceResolvers(contract),
  waysBackOf(contract),
  rawTexts(contract),
  rootResolvers(contract),
  ...fields,
];
