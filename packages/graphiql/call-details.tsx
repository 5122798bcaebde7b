import { accessPathText } from './access-path-text.ts';
import type { CallRow } from './call-rows.ts';
import { byteText, counted, exactMs } from './figures.ts';
import { reasonOf, savers } from './reasons.ts';
import type { UpstreamCall } from './upstream-report.ts';

/** All about one line of the waterfall. Screen readers read it when the line gets the focus. */
export function CallDetails({ row }: { row: CallRow | undefined }) {
  return (
    <section className="gateway-details" aria-label="Details of a call" aria-live="polite">
      {row ? (
        <Details {...row} />
      ) : (
        <p>Point at a call, or go through the calls with the arrow keys. The details stand here.</p>
      )}
    </section>
  );
}

function Details({ request, reason, fields, failure, savedBy, choice, call, start, ms, rows }: CallRow) {
  const saver = savedBy === undefined ? undefined : savers[savedBy];
  return (
    <dl>
      <dt>Request</dt>
      <dd>
        <code>{request}</code>
      </dd>
      {failure !== undefined && (
        <>
          <dt>Failed</dt>
          <dd>{call?.status ? `error ${call.status}` : 'no answer'}</dd>
        </>
      )}
      {savedBy !== undefined && (
        <>
          <dt>No call</dt>
          <dd>{saver ? saver.meaning : savedBy}</dd>
        </>
      )}
      <dt>Reason</dt>
      <dd>
        {reason}
        {call?.retry !== undefined && `, retry ${call.retry}`}. {reasonOf(reason).meaning}
      </dd>
      <dt>Asked by</dt>
      <dd>{fields.join(', ')}</dd>
      <dt>Time</dt>
      <dd>
        {exactMs(start)} to {exactMs(start + ms)}
        {call && `: ${timesOf(call)}`}
      </dd>
      <dt>Answer</dt>
      <dd>
        {counted(rows, 'row')}
        {call && `, ${byteText(call.bytes)}`}
      </dd>
      {choice && (
        <>
          <dt>Chosen</dt>
          <dd>{accessPathText(choice.chosen)}</dd>
          <dt>Instead of</dt>
          {choice.others.map((other) => (
            <dd key={accessPathText(other)}>{accessPathText(other)}</dd>
          ))}
        </>
      )}
    </dl>
  );
}

/** The time at the service is divided by what the gateway has learnt about it. */
function timesOf({ ms, queuedMs, workMs }: UpstreamCall): string {
  const parts: [ms: number, what: string][] = [
    [queuedMs, 'until a connection was free'],
    [ms - queuedMs - workMs, 'in line at the service'],
    [workMs, 'of the service’s work'],
  ];
  return parts.flatMap(([ms, what]) => (ms < 1 ? [] : [`${exactMs(ms)} ${what}`])).join(', ');
}
