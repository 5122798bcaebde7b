export { readManifest } from './manifest.ts';
export { type TrustedDocumentSettings, trustedDocuments } from './trusted-documents.ts';
