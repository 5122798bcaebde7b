import { type GraphiQLPlugin, useGraphiQL } from '@graphiql/react';
import { useLayoutEffect } from 'react';
import { type Exchange, follow, useActiveTab, useExchange } from './exchanges.ts';
import { openPanel, Panel } from './panel.tsx';
import type { SavedRead, UpstreamCall, UpstreamReport } from './upstream-report.ts';

/** A waterfall of the REST calls that the last operation of the tab has made. */
export const upstreamPlugin: GraphiQLPlugin = {
  title: 'Upstream',
  icon: () => (
    <svg viewBox="0 0 24 24" fill="none" stroke="currentColor" strokeWidth="2" strokeLinecap="round" aria-hidden="true">
      <path d="M3 5h9M7 10h8M10 15h7M14 20h7" />
    </svg>
  ),
  content: () => (
    <Panel title="Upstream">
      <Upstream exchange={useExchange()} />
    </Panel>
  ),
};

/** Beside the run button: what the last operation of the tab has cost. Opens the waterfall. */
export function UpstreamTotal() {
  const tab = useActiveTab();
  useLayoutEffect(() => follow(tab), [tab]);
  const exchange = useExchange();
  const isFetching = useGraphiQL((state) => state.isFetching);
  const [calls, ms] = isFetching ? ['running', '…'] : totalOf(exchange);
  return (
    <div role="status" className="gateway-total">
      <button
        type="button"
        className="graphiql-un-styled"
        title="REST calls of the last operation, and the time until its answer"
        onClick={() => openPanel('Upstream')}
      >
        {calls}
        <span className="gateway-separator"> · </span>
        {ms}
      </button>
    </div>
  );
}

function totalOf(exchange: Exchange | undefined): [calls: string, ms: string] {
  if (!exchange) return ['no calls', 'yet'];
  if (exchange.state !== 'answered') return [exchange.state, '–'];
  return [counted(exchange.upstream?.total ?? 0, 'call'), `${Math.round(exchange.ms ?? 0)} ms`];
}

function Upstream({ exchange }: { exchange: Exchange | undefined }) {
  if (!exchange) return <p>Run an operation: the REST calls that it makes are shown here.</p>;
  const name = exchange.operation ?? 'The operation';
  if (exchange.state === 'running') return <p>{name} is running.</p>;
  if (exchange.state === 'stopped')
    return <p>{name} was stopped before its answer came. Run it again to see its calls.</p>;
  if (exchange.state === 'failed')
    return (
      <p>
        {name} got no answer: {exchange.errors[0]?.message}
      </p>
    );
  if (!exchange.upstream) return <p>{name} was refused with no call made, or was not traced. The answer says why.</p>;
  return <Report name={name} ms={exchange.ms ?? 0} {...exchange.upstream} />;
}

function Report({ name, ms, estimate, total, calls, saved }: UpstreamReport & { name: string; ms: number }) {
  const end = Math.max(1, ...calls.map((call) => call.start + call.ms));
  return (
    <>
      <p>
        <strong>{name}</strong>: {counted(total, 'call')}
        {total > 0 && ` in ${Math.round(end)} ms`}, answered after {Math.round(ms)} ms.
        {estimate && ` Foreseen: ${range(estimate)}.`}
      </p>
      {calls.length > 0 && (
        <table className="gateway-waterfall">
          <caption>REST calls, in the order in which they began</caption>
          <thead>
            <tr>
              {['Call', 'Status', 'Time', 'Rows', 'Reason', 'Asked for by', 'From start to end'].map((column) => (
                <th key={column} scope="col">
                  {column}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {calls.map((call, place) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the calls of an answer never change places
              <CallRow key={place} end={end} {...call} />
            ))}
          </tbody>
        </table>
      )}
      {saved.length > 0 && <Saved reads={saved} />}
      <p className="gateway-hint">
        The trace is not part of the answer that is shown. To have it there as a client gets it, under{' '}
        <code>extensions.upstream</code>, send the header <code>X-Trace-Upstream: true</code> under “Headers”.
      </p>
    </>
  );
}

function CallRow({
  method,
  path,
  status,
  start,
  ms,
  rows,
  reason,
  fields,
  retry,
  end,
}: UpstreamCall & { end: number }) {
  const hasFailed = status === null || status >= 400;
  // Percent of the scale; the shortest call is still seen, the last one too.
  const width = Math.max(1, (100 * ms) / end);
  const x = Math.min((100 * start) / end, 100 - width);
  return (
    <tr className={hasFailed ? 'gateway-failed' : ''}>
      <th scope="row">
        {method} {path}
      </th>
      <td>{status === null ? 'no answer' : hasFailed ? `error ${status}` : status}</td>
      <td>{ms} ms</td>
      <td>{counted(rows, 'row')}</td>
      <td>{retry === undefined ? reason : `${reason}, retry ${retry}`}</td>
      <td>{fields.join(', ')}</td>
      <td>
        <svg className="gateway-bar" viewBox="0 0 100 1" preserveAspectRatio="none" role="img">
          <title>{`From ${start} ms to ${Math.round((start + ms) * 10) / 10} ms`}</title>
          <rect x={x} width={width} height="1" />
        </svg>
      </td>
    </tr>
  );
}

/** How a read cost no call, in the words of the README. */
const savers: Record<string, string> = {
  cache: 'kept from a short while ago',
  flight: 'an equal read was under way',
  replay: 'written by an earlier request of the same Idempotency-Key',
};

function Saved({ reads }: { reads: SavedRead[] }) {
  return (
    <>
      <h3>Without a call</h3>
      <ul className="gateway-saved">
        {reads.map(({ method, path, by, rows, fields }, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the reads of an answer never change places
          <li key={place}>
            {method} {path}
            <small>
              {counted(rows, 'row')} · {savers[by] ?? by} · {fields.join(', ')}
            </small>
          </li>
        ))}
      </ul>
    </>
  );
}

function counted(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}

function range({ least, most }: { least: number; most: number }): string {
  return least === most ? `${least}` : `${least} to ${most}`;
}
