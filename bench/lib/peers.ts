import { existsSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { root } from './processes.ts';

/** A gateway that can be measured. A running one gets PORT and UPSTREAM_URL, which ends with `/v1`. */
export interface Peer {
  name: string;
  /** Runs in the benchmark's folder; `node` is the Node that runs the benchmark. */
  command: string[];
  /** The command for profiles, which name the files of the sources. */
  profiled?: string[];
  env?: Record<string, string>;
  /** Where it serves GraphQL. */
  path: string;
  /** A folder with versions of the operations that the peer's schema cannot express. */
  ops?: string;
  /** False for what is no GraphQL: its answers are not compared. */
  comparable?: boolean;
  /** Share of the usual number of requests, for a peer so slow that fewer are enough. */
  share?: number;
  /** Seconds that it may take to start. */
  startSeconds?: number;
  /** Packages, or files beside it, without which the peer is skipped. */
  needs?: { packages?: string[]; from?: string; files?: string[] };
  /** The peer is measured only if its name is asked for. */
  onRequest?: boolean;
}

const peers: Peer[] = JSON.parse(readFileSync(`${root}peers.json`, 'utf8'));

/** Every other answer is compared with this one's. */
export const reference = peerNamed('floor');

/** @throws Error for a name that peers.json does not know. */
export function peerNamed(name: string): Peer {
  const peer = peers.find((each) => each.name === name);
  if (!peer) throw new Error(`No peer ${name}; there are ${peers.map((each) => each.name).join(', ')}.`);
  return peer;
}

/** The peers of a comma-separated list, by default all but those on request only. Reports and skips those that cannot run. */
export function choosePeers(names?: string): Peer[] {
  const wanted = names?.split(',').map(peerNamed) ?? peers.filter(({ onRequest }) => !onRequest);
  return wanted.filter((peer) => {
    const missing = whatIsMissing(peer);
    if (missing.length > 0) console.error(`Skipped ${peer.name}: there is no ${missing.join(', no ')}.`);
    return missing.length === 0;
  });
}

/** The versions of the packages that peers need. */
export function versionsOf(chosen: readonly Peer[]): Record<string, string> {
  const versions = chosen.flatMap(({ needs: { packages = [], from = '.' } = {} }) =>
    packages.map(
      (name) =>
        [
          name,
          JSON.parse(readFileSync(packageFile(name, `${root}${from}`)!, 'utf8')).version.replace(/^v/, ''),
        ] as const,
    ),
  );
  return Object.fromEntries(versions);
}

function whatIsMissing({ needs = {} }: Peer): string[] {
  const { packages = [], from = '.', files = [] } = needs;
  return [
    ...packages.filter((name) => !packageFile(name, `${root}${from}`)),
    ...files.filter((file) => !existsSync(`${root}${file}`)),
  ];
}

/** Searches a package as Node does: in this folder, then in the folders above. */
function packageFile(name: string, folder: string): string | undefined {
  const file = `${folder}/node_modules/${name}/package.json`;
  if (existsSync(file)) return file;
  return folder === dirname(folder) ? undefined : packageFile(name, dirname(folder));
}
