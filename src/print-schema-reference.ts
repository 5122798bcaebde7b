import { referencePage } from './schema-reference.ts';

process.stdout.write(referencePage());
