export { fileEndpoint } from './file-endpoint.ts';
