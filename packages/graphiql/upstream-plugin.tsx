import type { GraphiQLPlugin } from '@graphiql/react';
import { callRows, totalsOf } from './call-rows.ts';
import { estimateText } from './estimate-text.ts';
import { byteText, counted, exactMs } from './figures.ts';
import { answerBytesOf, type OperationRun, useActiveTab, useLastRun } from './operation-runs.ts';
import { Panel } from './panel.tsx';
import type { UpstreamReport } from './upstream-report.ts';
import { Waterfall } from './waterfall.tsx';

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
      <Upstream key={useActiveTab()} lastRun={useLastRun()} />
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
  return <Report name={name} run={lastRun} report={lastRun.upstream} />;
}

interface ReportProps {
  name: string;
  run: OperationRun;
  report: UpstreamReport;
}

function Report({ name, run, report }: ReportProps) {
  const rows = callRows(report);
  // The axis ends with the answer.
  const endMs = Math.max(1, run.ms ?? 0, ...rows.map((row) => row.start + row.ms));
  return (
    <div className="gateway-upstream">
      <Totals name={name} run={run} report={report} />
      {rows.length > 0 ? <Waterfall rows={rows} endMs={endMs} /> : <p>{name} made no call.</p>}
      <p className="gateway-hint">
        The trace is not part of the answer that is shown. To have it there as a client gets it, under{' '}
        <code>extensions.upstream</code>, send the header <code>X-Trace-Upstream: true</code> under “Headers”.
      </p>
    </div>
  );
}

function Totals({ name, run, report }: ReportProps) {
  const { calls, retries, failed, saved, workMs, bytes } = totalsOf(report);
  const notes = [
    failed > 0 && `${counted(failed, 'call')} failed`,
    retries > 0 && `${retries} ${retries === 1 ? 'is a retry' : 'are retries'}`,
    saved > 0 && `${saved} more needed no call`,
  ].filter(Boolean);
  const figures = [
    ['Answer after', exactMs(run.ms ?? 0)],
    ['Answer', byteText(answerBytesOf(run))],
    ['Calls', String(calls)],
    ['Service’s work', exactMs(workMs)],
    ['Service’s answers', byteText(bytes)],
  ];
  return (
    <>
      <h3>{name}</h3>
      <dl className="gateway-totals">
        {figures.map(([label, figure]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{figure}</dd>
          </div>
        ))}
      </dl>
      {notes.length > 0 && <p className="gateway-hint">{notes.join(', ')}.</p>}
      {report.deferred?.map(({ path, label = ['the root', ...path].at(-1), objects = 1, ms = 0 }) => (
        <p className="gateway-hint" key={`${path} ${label}`}>
          {label} came after {exactMs(ms)}
          {objects > 1 && `, for ${objects} objects`}.
        </p>
      ))}
      {report.estimate && <p className="gateway-hint">{estimateText(report.estimate)}</p>}
    </>
  );
}
