import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** What becomes of the bytes of one direction. Counts of bytes begin anew when faults are set. */
export interface FlowFaults {
  /** Milliseconds that each byte is under way. */
  latency?: number;
  bytesPerSecond?: number;
  /** So many bytes pass; the next breaks the connection off (RST) on both sides. */
  resetAfter?: number;
  /** So many bytes pass; the next ends the connection cleanly (FIN), in the middle of what is said. */
  endAfter?: number;
  /** So many bytes pass; from then on nothing is read any more, until other faults are set. */
  stallAfter?: number;
}

export interface Faults {
  /** From the gateway to the service. */
  request?: FlowFaults;
  /** From the service to the gateway. */
  answer?: FlowFaults;
}

export interface FaultProxy {
  /** Stands for the URL of the service behind it. */
  url: string;
  /** From now on these, on open connections too: for all, or by number in the order of connecting (from 1). */
  set(faults: Faults | ((connection: number) => Faults)): void;
  /** Connections of the gateway: now, and from the start. */
  readonly open: number;
  readonly opened: number;
  /** Bytes that were passed on, from the start. */
  readonly passed: { request: number; answer: number };
  /** Breaks off what is open. */
  reset(): void;
  /** As `reset`; later connections are refused. */
  close(): Promise<void>;
}

type Direction = keyof Faults;

/** Bytes that are held back for latency, before the sender has to wait. */
const maxHeld = 1024 * 1024;

/** Stands between a gateway and a service, whatever protocol they speak, and lets it go wrong on demand. */
export async function startFaultProxy(target: string): Promise<FaultProxy> {
  const { hostname, port } = new URL(target);
  const behind = { host: hostname.replace(/^\[|\]$/g, ''), port: Number(port || 80) };
  const sockets = new Set<Socket>();
  const passed = { request: 0, answer: 0 };
  let open = 0;
  let opened = 0;
  let faultsOf: (connection: number) => Faults = () => ({});
  let changed = Promise.withResolvers<void>();

  const server = createServer({ allowHalfOpen: true }, (gateway) => {
    const number = ++opened;
    open++;
    gateway.once('close', () => open--);
    const service = connect({ ...behind, allowHalfOpen: true });
    join(gateway, service, 'request', number);
    join(service, gateway, 'answer', number);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = new URL(target);
  url.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;

  function reset(): void {
    for (const socket of sockets) socket.resetAndDestroy();
  }

  function join(from: Socket, to: Socket, direction: Direction, connection: number): void {
    sockets.add(from);
    let held = 0;
    let line = Promise.resolve();
    const pass = passOn(from, to, direction, connection);
    from.on('data', (chunk: Buffer) => {
      const arrived = performance.now();
      held += chunk.length;
      if (held > maxHeld || !faultsOf(connection)[direction]?.latency) from.pause();
      line = line.then(async () => {
        await pass(chunk, arrived);
        held -= chunk.length;
        from.resume();
      });
    });
    // What is still on its way passes first.
    const end = () => void line.then(() => void to.end());
    from.on('end', end);
    from.on('error', () => to.resetAndDestroy());
    from.on('close', () => {
      sockets.delete(from);
      end();
    });
  }

  function passOn(from: Socket, to: Socket, direction: Direction, connection: number) {
    let countedFor = changed;
    let count = 0;
    return async (chunk: Buffer, arrived: number): Promise<void> => {
      for (let rest = chunk; rest.length > 0 && to.writable; ) {
        if (countedFor !== changed) {
          countedFor = changed;
          count = 0;
        }
        const { latency = 0, bytesPerSecond, resetAfter, endAfter, stallAfter } = faultsOf(connection)[direction] ?? {};
        const wait = arrived + latency - performance.now();
        if (wait > 0) await sleep(wait);
        const left = Math.min(resetAfter ?? Infinity, endAfter ?? Infinity, stallAfter ?? Infinity) - count;
        if (left <= 0) {
          if (stallAfter !== undefined && count >= stallAfter) {
            await changed.promise;
            continue;
          }
          if (resetAfter !== undefined && count >= resetAfter) for (const side of [to, from]) side.resetAndDestroy();
          to.end();
          from.destroy();
          return;
        }
        const slice = rest.subarray(0, Math.min(left, bytesPerSecond ? Math.ceil(bytesPerSecond / 20) : Infinity));
        rest = rest.subarray(slice.length);
        count += slice.length;
        passed[direction] += slice.length;
        await new Promise<void>((written) => to.write(slice, () => written()));
        if (bytesPerSecond) await sleep((slice.length / bytesPerSecond) * 1000);
      }
    };
  }

  return {
    url: url.href.replace(/\/$/, ''),
    set(faults) {
      faultsOf = typeof faults === 'function' ? faults : () => faults;
      const before = changed;
      changed = Promise.withResolvers();
      before.resolve();
    },
    get open() {
      return open;
    },
    get opened() {
      return opened;
    },
    passed,
    reset,
    async close() {
      reset();
      if (!server.listening) return;
      server.close();
      await once(server, 'close');
    },
  };
}
