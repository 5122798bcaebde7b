export { namesDocuments, type Operation, readOperations } from './documents.ts';
