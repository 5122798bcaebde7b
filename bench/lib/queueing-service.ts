/**
 * A REST service with a few workers. Calls wait for a worker in the order in which they came, without a bound. A call whose
 * client has left is worked on all the same, as behind servers that read requests ahead.
 *
 *     node lib/queueing-service.ts --port 4001
 *
 * POST /__control?workers=4&callMs=40&spread=none&reset=true changes its pace: calls that a worker takes up from then on
 * take so long. `spread=exponential` makes single calls differ, and `reset` drops the calls that wait.
 */
import http, { type ServerResponse } from 'node:http';
import { parseArgs } from 'node:util';

const { values: options } = parseArgs({ options: { port: { type: 'string', default: '4001' } } });

interface Call {
  response: ServerResponse;
  id: string;
}

let workers = 4;
let callMs = 40;
let isSpread = false;
let busy = 0;
let mostInFlight = 0;
let waiting: Call[] = [];

http
  .createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
    const { pathname, searchParams } = new URL(request.url!, 'http://service');
    if (pathname === '/__control') {
      change(searchParams);
      return response.end(JSON.stringify({ mostInFlight: takeMost() }));
    }
    waiting.push({ response, id: /([^/]*)\/$/.exec(pathname)?.[1] ?? '' });
    mostInFlight = Math.max(mostInFlight, busy + waiting.length);
    takeUp(performance.now());
  })
  .listen(Number(options.port), '127.0.0.1');

function change(to: URLSearchParams): void {
  workers = Number(to.get('workers') ?? workers);
  callMs = Number(to.get('callMs') ?? callMs);
  isSpread = (to.get('spread') ?? (isSpread ? 'exponential' : 'none')) === 'exponential';
  if (to.get('reset')) waiting = [];
}

function takeMost(): number {
  const most = mostInFlight;
  mostInFlight = busy + waiting.length;
  return most;
}

/** `now`: when the worker became free, which a late timer does not make later. */
function takeUp(now: number): void {
  while (busy < workers) {
    const call = waiting.shift();
    if (!call) return;
    busy += 1;
    const doneAt = now + callMs * (isSpread ? -Math.log(1 - Math.random()) : 1);
    setTimeout(end, doneAt - performance.now(), call, doneAt);
  }
}

function end({ response, id }: Call, doneAt: number): void {
  busy -= 1;
  takeUp(doneAt);
  if (response.destroyed) return;
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify({ id, first_name: 'Ama', last_name: 'Mensah' }));
}
