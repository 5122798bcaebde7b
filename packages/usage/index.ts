export { ElementUses } from './element-uses.ts';
