import type { Registry } from 'prom-client';
import type { TrustedDocuments } from '../../graphql/trusted-documents/trusted-documents.ts';
import { counter } from './read.ts';

/** What a mode that is stricter would refuse. */
export function measureDocuments(register: Registry, { counts }: TrustedDocuments): void {
  const documents = {
    name: 'documents_total',
    help: 'Requests by how they ask for a document, and its being trusted.',
  };
  counter(register, { ...documents, labels: ['asked_by', 'trusted'] }, function* () {
    for (const [asked_by, trusted, count] of counts.counts()) yield [{ asked_by, trusted }, count];
  });
}
