import type { GraphiQLPlugin } from '@graphiql/react';
import { counted } from './figures.ts';
import { mapView, positionText } from './map-view.ts';
import { listKeys, useMarkedItem } from './marked-item.ts';
import { useActiveTab, useLastRun } from './operation-runs.ts';
import { Panel } from './panel.tsx';
import { type Place, placesIn } from './places-in-answer.ts';

/** The objects of the last answer that have coordinates, on a map without tiles. */
export const mapPlugin: GraphiQLPlugin = {
  title: 'Map',
  icon: () => (
    <svg
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.8"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      <path d="M12 21c4-5 6-8.3 6-11a6 6 0 0 0-12 0c0 2.7 2 6 6 11z" />
      <circle cx="12" cy="10" r="2" />
    </svg>
  ),
  content: () => (
    <Panel title="Map">
      <LastAnswer key={useActiveTab()} />
    </Panel>
  ),
};

/** More points hide each other. */
const maxPlaces = 2_000;

/** More names hide each other. */
const maxNames = 12;

function LastAnswer() {
  const lastRun = useLastRun();
  const { places, without } = placesIn(lastRun?.data);
  if (places.length + without.length === 0) {
    return (
      <p role="status">
        Run an operation that selects <code>latitude</code> and <code>longitude</code>: the objects that have them are
        shown here.
      </p>
    );
  }
  return (
    <div className="gateway-drawing">
      <p role="status">
        {counted(places.length, 'place')}
        {places.length > maxPlaces && `, of which the first ${maxPlaces} are drawn`}
        {without.length > 0 && `; ${without.length} without a place: ${without.slice(0, maxNames).join(', ')}`}
        {without.length > maxNames && ' and others'}.
      </p>
      {places.length > 0 && <PlaceMap places={places.slice(0, maxPlaces)} />}
      <p className="gateway-hint">
        For a file with these places, send <code>Accept: application/geo+json</code>.
      </p>
    </div>
  );
}

function PlaceMap({ places }: { places: readonly Place[] }) {
  const { marked, mark, drawing, move } = useMarkedItem<SVGSVGElement>(listKeys(places.length));
  const { width, height, point, meridians, parallels } = mapView(places);
  const toPath = (ring: Place['rings'][number]) => `M${ring.map((corner) => pair(point(corner))).join('L')}Z`;
  return (
    <>
      {/* biome-ignore lint/a11y/useSemanticElements: a drawing is no fieldset */}
      <svg
        ref={drawing}
        className="gateway-map"
        viewBox={`0 0 ${width} ${height}`}
        role="group"
        aria-label="Map, north is up. The table below has the same places."
        onKeyDown={move}
      >
        {meridians.map(({ at, label }) => (
          <g key={label} className="gateway-grid">
            <line x1={at} x2={at} y1={0} y2={height} />
            <text x={at + 3} y={height - 5}>
              {label}
            </text>
          </g>
        ))}
        {parallels.map(({ at, label }) => (
          <g key={label} className="gateway-grid">
            <line x1={0} x2={width} y1={at} y2={at} />
            <text x={4} y={at - 4}>
              {label}
            </text>
          </g>
        ))}
        {places.map(({ key, rings }) => (
          <path key={key} className="gateway-land" d={rings.map(toPath).join('')} />
        ))}
        {places.map(({ key, name, at }, place) => {
          const { x, y } = point(at);
          const isNamed = place === marked || places.length <= maxNames;
          return (
            // biome-ignore lint/a11y/useSemanticElements: SVG has no button
            <g
              key={key}
              data-item={key}
              className={place === marked ? 'gateway-point gateway-marked' : 'gateway-point'}
              role="button"
              tabIndex={place === (marked ?? 0) ? 0 : -1}
              aria-label={`${name}, ${positionText(at)}`}
              onFocus={() => mark(place)}
              onClick={() => mark(place)}
              onKeyDown={() => {}}
            >
              <title>{name}</title>
              <circle cx={x} cy={y} r={place === marked ? 7 : 4} />
              {isNamed && (
                <text x={x > width / 2 ? x - 9 : x + 9} y={y + 4} textAnchor={x > width / 2 ? 'end' : 'start'}>
                  {name}
                </text>
              )}
            </g>
          );
        })}
      </svg>
      <table className="gateway-items">
        <caption>Places of the answer</caption>
        <thead>
          <tr>
            <th scope="col">Name</th>
            <th scope="col">Place</th>
            <th scope="col">Plots</th>
          </tr>
        </thead>
        <tbody>
          {places.map(({ key, name, at, rings }, place) => (
            <tr
              key={key}
              className={place === marked ? 'gateway-marked' : undefined}
              onPointerEnter={() => mark(place)}
            >
              <th scope="row">{name}</th>
              <td>{positionText(at)}</td>
              <td>{rings.length || ''}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
}

function pair({ x, y }: { x: number; y: number }): string {
  return `${x.toFixed(1)} ${y.toFixed(1)}`;
}
