import { writeFiles } from '@gateway/contract/codegen';
import { generatedFiles } from './generated-files.ts';

process.exitCode = await writeFiles(new URL('../../', import.meta.url), generatedFiles);
