import type { GraphiQLPlugin } from '@graphiql/react';
import { choiceText } from './choice-text.ts';
import { estimateText } from './estimate-text.ts';
import { counted } from './figures.ts';
import { type OperationRun, useLastRun } from './operation-runs.ts';
import { Panel } from './panel.tsx';
import type { UpstreamCall, UpstreamReport } from './upstream-report.ts';

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
      <Upstream lastRun={useLastRun()} />
    </Panel>
  ),
};

function Upstream({ lastRun }: { lastRun: OperationRun | undefined }) {
  if (!lastRun) return <p>Run an operation: the REST calls that it makes are shown here.</p>;
  const name = lastRun.operation ?? 'The operation';
  if (lastRun.state === 'running') return <p>{name} is running.</p>;
  if (lastRun.state === 'stopped')
    return <p>{name} was stopped before its answer came. Run it again to see its calls.</p>;
  if (lastRun.state === 'failed')
    return (
      <p>
        {name} got no answer: {lastRun.errors[0]?.message}
      </p>
    );
  if (!lastRun.upstream) return <p>{name} was refused with no call made, or was not traced. The answer says why.</p>;
  return <Report name={name} ms={lastRun.ms ?? 0} {...lastRun.upstream} />;
}

function Report({ name, ms, estimate, total, calls, saved, choices }: UpstreamReport & { name: string; ms: number }) {
  const compared = choices.filter(({ others }) => others.length > 0);
  const end = Math.max(1, ...calls.map((call) => call.start + call.ms));
  return (
    <>
      <p>
        <strong>{name}</strong>: {counted(total, 'call')}
        {total > 0 && ` in ${Math.round(end)} ms`}, answered after {Math.round(ms)} ms.
        {estimate && ` ${estimateText(estimate)}`}
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
      <Reads
        title="Chosen by cost"
        reads={compared.map((choice) => ({
          read: choice.path,
          hint: `${choiceText(choice)} · ${choice.fields.join(', ')}`,
        }))}
      />
      <Reads
        title="Without a call"
        reads={saved.map(({ method, path, by, rows, fields }) => ({
          read: `${method} ${path}`,
          hint: `${counted(rows, 'row')} · ${savers[by] ?? by} · ${fields.join(', ')}`,
        }))}
      />
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
  // Percent of the scale; at least 1, so that the shortest call is visible.
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

/** Reasons why a read cost no call, by the value in the trace. */
const savers: Record<string, string> = {
  cache: 'read a short while ago',
  'in flight': 'an equal read was under way',
  replay: 'written by an earlier request of the same Idempotency-Key',
};

/** A heading with a line for each read, and what there is to say about it. */
function Reads({ title, reads }: { title: string; reads: { read: string; hint: string }[] }) {
  if (reads.length === 0) return null;
  return (
    <>
      <h3>{title}</h3>
      <ul className="gateway-reads">
        {reads.map(({ read, hint }, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the reads of an answer never change places
          <li key={place}>
            {read}
            <small>{hint}</small>
          </li>
        ))}
      </ul>
    </>
  );
}
