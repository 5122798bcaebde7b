import type { GraphiQLPlugin } from '@graphiql/react';
import { counted } from './figures.ts';
import { useMarkedItem } from './marked-item.ts';
import { useActiveTab, useLastRun } from './operation-runs.ts';
import { Panel } from './panel.tsx';
import { type Box, type Trace, traceIn } from './trace-in-answer.ts';
import { boxSize, type PlacedBox, traceKeys, traceLayout } from './trace-layout.ts';

/** The lots of the last answer's trace as boxes, with arrows from where goods came to where they went. */
export const graphPlugin: GraphiQLPlugin = {
  title: 'Graph',
  icon: () => (
    <svg
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.8"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      <path d="M3 4h6v5H3zM3 15h6v5H3zM15 9.5h6v5h-6zM9 6.5l6 4M9 17.5l6-4" />
    </svg>
  ),
  content: () => (
    <Panel title="Graph">
      <LastAnswer key={useActiveTab()} />
    </Panel>
  ),
};

function LastAnswer() {
  const trace = traceIn(useLastRun()?.data);
  if (!trace) {
    return (
      <p role="status">
        Run an operation that selects a trace: <code>{'lots { transaction_id depth parents children }'}</code>. Its lots
        are shown here.
      </p>
    );
  }
  const countOf = (kind: Box['kind']) => trace.boxes.filter((box) => box.kind === kind).length;
  return (
    <div className="gateway-drawing">
      <p role="status">
        {counted(countOf('lot'), 'lot')}
        {countOf('source') > 0 && ` from ${counted(countOf('source'), 'source')}`}
        {countOf('destination') > 0 && ` to ${counted(countOf('destination'), 'destination')}`}.
        {trace.reason !== undefined && ` Lots may be missing. ${trace.reason}`}
      </p>
      <TraceGraph trace={trace} />
    </div>
  );
}

function TraceGraph({ trace }: { trace: Trace }) {
  const { width, height, boxes, arrows } = traceLayout(trace);
  const { marked, mark, drawing, move } = useMarkedItem<SVGSVGElement>(traceKeys(boxes));
  const key = marked === undefined ? undefined : boxes[marked]?.key;
  const titles = new Map(boxes.map((box) => [box.key, box.title]));
  const titlesOf = (keys: readonly string[]) => keys.map((each) => titles.get(each)).join(', ');
  const classOf = (box: PlacedBox, place: number) =>
    ['gateway-box', box.kind !== 'lot' && 'gateway-party', place === marked && 'gateway-marked']
      .filter(Boolean)
      .join(' ');
  return (
    <>
      <div className="gateway-scroll">
        {/* biome-ignore lint/a11y/useSemanticElements: a drawing is no fieldset */}
        <svg
          ref={drawing}
          className="gateway-graph"
          viewBox={`0 0 ${width} ${height}`}
          width={width}
          height={height}
          role="group"
          aria-label="Graph, goods go from left to right. The table below has the same lots."
          onKeyDown={move}
        >
          <defs>
            <marker
              id="gateway-tip"
              viewBox="0 0 8 8"
              refX="8"
              refY="4"
              markerWidth="9"
              markerHeight="9"
              markerUnits="userSpaceOnUse"
              orient="auto"
            >
              <path d="M0 0L8 4L0 8Z" />
            </marker>
          </defs>
          {arrows.map((arrow) => (
            <path
              key={arrow.key}
              className={
                key === arrow.from.key || key === arrow.to.key ? 'gateway-arrow gateway-marked' : 'gateway-arrow'
              }
              d={curve(arrow.from, arrow.to)}
              markerEnd="url(#gateway-tip)"
            />
          ))}
          {boxes.map((box, place) => (
            // biome-ignore lint/a11y/useSemanticElements: SVG has no button
            <g
              key={box.key}
              data-item={box.key}
              className={classOf(box, place)}
              role="button"
              tabIndex={place === (marked ?? 0) ? 0 : -1}
              aria-label={[box.title, box.note].filter(Boolean).join(', ')}
              onFocus={() => mark(place)}
              onClick={() => mark(place)}
              onKeyDown={() => {}}
            >
              <title>{[box.title, box.note].filter(Boolean).join('\n')}</title>
              <rect x={box.x} y={box.y} {...boxSize} rx="4" />
              <text x={box.x + 8} y={box.y + 18}>
                {short(box.title)}
              </text>
              <text x={box.x + 8} y={box.y + 34} className="gateway-note">
                {short(box.note)}
              </text>
            </g>
          ))}
        </svg>
      </div>
      <table className="gateway-items">
        <caption>Lots of the trace, their sources and destinations</caption>
        <thead>
          <tr>
            <th scope="col">Lot</th>
            <th scope="col">Depth</th>
            <th scope="col">From</th>
            <th scope="col">To</th>
          </tr>
        </thead>
        <tbody>
          {boxes.map((box, place) => (
            <tr
              key={box.key}
              className={place === marked ? 'gateway-marked' : undefined}
              onPointerEnter={() => mark(place)}
            >
              <th scope="row">
                {box.title} <small>{box.note}</small>
              </th>
              <td>{box.kind === 'lot' ? Math.abs(box.step) : box.kind}</td>
              <td>{titlesOf(box.from)}</td>
              <td>{titlesOf(box.to)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
}

/** From the right side of one box to the left side of another. */
function curve(from: PlacedBox, to: PlacedBox): string {
  const [x1, y1] = [from.x + boxSize.width, from.y + boxSize.height / 2];
  const [x2, y2] = [to.x, to.y + boxSize.height / 2];
  const bend = Math.max(24, Math.abs(x2 - x1) / 2);
  return `M${x1} ${y1}C${x1 + bend} ${y1} ${x2 - bend} ${y2} ${x2} ${y2}`;
}

/** As much as fits into a box. */
function short(text: string): string {
  const characters = [...text];
  return characters.length > 20 ? `${characters.slice(0, 19).join('')}…` : text;
}
