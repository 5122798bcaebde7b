export { lineage } from './lineage.ts';
