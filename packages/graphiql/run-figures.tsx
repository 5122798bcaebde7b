import { useGraphiQL } from '@graphiql/react';
import { useLayoutEffect } from 'react';
import { useEstimate } from './estimate.ts';
import { estimateText } from './estimate-text.ts';
import { aboutMs, byteText, counted, exactMs } from './figures.ts';
import { answerBytesOf, type OperationRun, setActiveTab, useActiveTab, useLastRun } from './operation-runs.ts';
import { openPanel } from './panel.tsx';
import type { Estimate } from './upstream-report.ts';

/** Stand below the run button: what the open operation would take, and what its last run took. Both open the panel Upstream. */
export function RunFigures() {
  const tab = useActiveTab();
  useLayoutEffect(() => setActiveTab(tab), [tab]);
  return (
    <>
      <EstimateFigures />
      <LastRun />
    </>
  );
}

function EstimateFigures() {
  const estimation = useEstimate();
  if (!estimation) return null;
  if ('refusal' in estimation)
    return <Figures name="estimate" lines={['refused']} title={estimation.refusal} className="gateway-estimate" />;
  const { expected } = estimation.estimate;
  if (!expected) return null;
  return (
    <Figures
      name="estimate"
      lines={expected.calls === 0 ? ['no calls'] : estimateLines(expected)}
      title={estimateText(estimation.estimate)}
      className="gateway-estimate"
    />
  );
}

function estimateLines({ calls, ms, workMs }: NonNullable<Estimate['expected']>): string[] {
  return [`≈ ${aboutMs(ms)}`, `≈ ${counted(calls, 'call')}`, `${aboutMs(workMs)} work`];
}

function LastRun() {
  const lastRun = useLastRun();
  const isFetching = useGraphiQL((state) => state.isFetching);
  return (
    <div role="status">
      <Figures
        name="last run"
        lines={isFetching ? ['running', '…'] : linesOf(lastRun)}
        title={titleOf(lastRun)}
        className="gateway-total"
      />
    </div>
  );
}

function linesOf(lastRun: OperationRun | undefined): string[] {
  if (!lastRun) return ['none yet'];
  const { state, upstream, errors, ms = 0 } = lastRun;
  if (state !== 'answered') return [state];
  const figures = [exactMs(ms), counted(upstream?.total ?? 0, 'call'), byteText(answerBytesOf(lastRun))];
  return errors.length > 0 ? [...figures, counted(errors.length, 'error')] : figures;
}

function titleOf({ wireBytes, jsonBytes, shownShare = 1 }: Partial<OperationRun> = {}): string {
  const about = 'The last run of this tab: the time until its answer, the REST calls, and the bytes of the answer';
  if (jsonBytes === undefined) return `${about}.`;
  const json = byteText(Math.round(jsonBytes * shownShare));
  const wire = wireBytes === undefined ? '' : ` as they came, compressed where that is shorter. As JSON it has ${json}`;
  return `${about}${wire}. The trace for this page is not counted.`;
}

interface FiguresProps {
  name: string;
  lines: readonly string[];
  title: string;
  className: string;
}

/** A caption and a few short lines, as narrow as the toolbar. */
function Figures({ name, lines, title, className }: FiguresProps) {
  return (
    <button
      type="button"
      className={`graphiql-un-styled gateway-figures ${className}`}
      title={title}
      onClick={() => openPanel('Upstream')}
    >
      <small>{name}</small>
      {lines.map((line, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the lines never change places
        <span key={place}>{line} </span>
      ))}
    </button>
  );
}
