import { type CSSProperties, type KeyboardEvent, memo, useCallback, useRef, useState } from 'react';
import { CallDetails } from './call-details.tsx';
import { type CallRow, ticksOf } from './call-rows.ts';
import { aboutMs, exactMs } from './figures.ts';
import { reasonClass, reasonOf, savers } from './reasons.ts';

/** The calls of one operation in one table, on one axis of time that ends with the answer. */
export function Waterfall({ rows, endMs }: { rows: CallRow[]; endMs: number }) {
  const [marked, setMarked] = useState<number>();
  const body = useRef<HTMLTableSectionElement>(null);
  const mark = useCallback((place: number) => setMarked(place), []);
  const ticks = ticksOf(endMs);
  function move(event: KeyboardEvent) {
    const last = rows.length - 1;
    const from = marked ?? 0;
    const places = { ArrowDown: Math.min(from + 1, last), ArrowUp: Math.max(from - 1, 0), Home: 0, End: last };
    const place = places[event.key as keyof typeof places];
    if (place === undefined) return;
    event.preventDefault();
    body.current?.querySelectorAll('button')[place]?.focus();
  }
  return (
    <>
      <Legend rows={rows} />
      <table className="gateway-waterfall" style={{ '--tick': percentOf(ticks[1] ?? endMs, endMs) } as CSSProperties}>
        <caption>REST calls, in the order in which they began</caption>
        <thead>
          <tr>
            <th scope="col">Call</th>
            <th scope="col">Start</th>
            <th scope="col">Time</th>
            <th scope="col">Rows</th>
            <th scope="col">
              <span className="gateway-unseen">From start to end</span>
              <span className="gateway-ticks" aria-hidden="true">
                {ticks.map((ms) => (
                  <span key={ms} style={{ left: percentOf(ms, endMs), translate: `-${percentOf(ms, endMs)}` }}>
                    {ms === 0 ? '0' : aboutMs(ms)}
                  </span>
                ))}
              </span>
            </th>
          </tr>
        </thead>
        <tbody ref={body} onKeyDown={move}>
          {rows.map((row, place) => (
            <Row
              // biome-ignore lint/suspicious/noArrayIndexKey: the calls of an answer never change places
              key={place}
              row={row}
              place={place}
              endMs={endMs}
              isMarked={place === marked}
              isTabStop={place === (marked ?? 0)}
              mark={mark}
            />
          ))}
        </tbody>
      </table>
      <CallDetails row={marked === undefined ? undefined : rows[marked]} />
    </>
  );
}

interface RowProps {
  row: CallRow;
  place: number;
  endMs: number;
  isMarked: boolean;
  isTabStop: boolean;
  mark(place: number): void;
}

/** Only the rows that are marked and unmarked are rendered again, however many there are. */
const Row = memo(function Row({ row, place, endMs, isMarked, isTabStop, mark }: RowProps) {
  const { name, subject, reason, failure, savedBy, call, start, ms, rows } = row;
  const tags = [
    call?.retry !== undefined && `retry ${call.retry}`,
    savedBy !== undefined && (savers[savedBy]?.word ?? savedBy),
    failure,
  ].filter((tag) => typeof tag === 'string');
  const classes = [reasonClass(reason), failure && 'gateway-failed', isMarked && 'gateway-marked'];
  return (
    <tr className={classes.filter(Boolean).join(' ')} onPointerEnter={() => mark(place)}>
      <th scope="row">
        <Badge reason={reason} />
        <span className="gateway-unseen">{reason}: </span>
        <button
          type="button"
          className="graphiql-un-styled"
          tabIndex={isTabStop ? 0 : -1}
          onFocus={() => mark(place)}
          onClick={() => mark(place)}
        >
          {name} <small>{subject}</small>
        </button>
        {tags.map((tag) => (
          <span key={tag}>
            {' '}
            <span className={`gateway-tag ${tag === failure ? 'gateway-failure' : ''}`}>{tag}</span>
          </span>
        ))}
      </th>
      <td>{exactMs(start)}</td>
      <td>{call || ms > 0 ? exactMs(ms) : '–'}</td>
      <td>{rows}</td>
      <td>
        <span className="gateway-track">
          {call && <Bar kind="queued" start={start} ms={call.queuedMs} endMs={endMs} />}
          <Bar
            kind={call ? 'call' : 'saved'}
            start={start + (call?.queuedMs ?? 0)}
            ms={ms - (call?.queuedMs ?? 0)}
            endMs={endMs}
          />
        </span>
      </td>
    </tr>
  );
});

/** The other columns have the figures of the bar. */
function Bar({
  kind,
  start,
  ms,
  endMs,
}: {
  kind: 'queued' | 'call' | 'saved';
  start: number;
  ms: number;
  endMs: number;
}) {
  const style = { left: percentOf(start, endMs), width: percentOf(ms, endMs) };
  return <span className={`gateway-bar gateway-${kind}`} style={style} />;
}

function percentOf(ms: number, endMs: number): string {
  return `${Math.min(100, (100 * ms) / endMs)}%`;
}

/** The meanings of the letters and patterns of these rows. */
function Legend({ rows }: { rows: readonly CallRow[] }) {
  const reasons = [...new Set(rows.map(({ reason }) => reason))];
  const entries = reasons.map((reason) => (
    <li key={reason} className={reasonClass(reason)}>
      <Badge reason={reason} /> {reason}
    </li>
  ));
  const patterns = [
    { kind: 'queued', text: 'waits for a connection', isShown: rows.some(({ call }) => call && call.queuedMs >= 1) },
    { kind: 'saved', text: 'no call', isShown: rows.some(({ savedBy }) => savedBy !== undefined) },
  ].filter(({ isShown }) => isShown);
  return (
    <ul className="gateway-legend" aria-label="Legend">
      {entries}
      {patterns.map(({ kind, text }) => (
        <li key={kind}>
          <span className={`gateway-sample gateway-${kind}`} aria-hidden="true" /> {text}
        </li>
      ))}
    </ul>
  );
}

function Badge({ reason }: { reason: string }) {
  return (
    <span className="gateway-badge" title={reason} aria-hidden="true">
      {reasonOf(reason).letter}
    </span>
  );
}
