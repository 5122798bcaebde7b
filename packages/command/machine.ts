import { mkdir, rm, statfs, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Finding } from './checks.ts';

/** The gateway is written for this major version of Node, and newer ones. */
const leastNode = 24;

export function checkNode(version = process.versions.node): Finding {
  if (Number(version.split('.')[0]) >= leastNode) return { state: 'ok', found: version };
  return { state: 'failed', found: version, advice: `Install Node ${leastNode}, or run npx -p node@${leastNode}.` };
}

export interface FolderUse {
  /** The files that the gateway writes. */
  purpose: string;
  /** Names another folder. */
  setting: string;
  /** Bytes that the gateway may store in it. */
  needed: number;
}

/** Writes a file, and deletes it. Makes a folder that is not there. */
export async function checkFolder(folder: string, { purpose, setting, needed }: FolderUse): Promise<Finding> {
  const file = join(folder, `.doctor-${process.pid}`);
  try {
    // Node tries for ever to make a folder there.
    if (resolve(folder).startsWith('/proc/')) throw new Error('/proc has no such folder');
    await mkdir(folder, { recursive: true });
    await writeFile(file, '');
    await rm(file);
    const { bavail, bsize } = await statfs(folder);
    const found = `${folder} takes files, with ${sizeOf(bavail * bsize)} left`;
    if (bavail * bsize >= needed) return { state: 'ok', found };
    return { state: 'warning', found, advice: `Make room: ${purpose} may take ${sizeOf(needed)}.` };
  } catch (error) {
    const advice = `Let this user write there, for ${purpose}, or choose another folder: ${setting}.`;
    return { state: 'failed', found: `${folder} takes no files: ${(error as Error).message}`, advice };
  }
}

function sizeOf(bytes: number): string {
  return bytes < 2 ** 30 ? `${Math.floor(bytes / 2 ** 20)} MiB` : `${(bytes / 2 ** 30).toFixed(1)} GiB`;
}
