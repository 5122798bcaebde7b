/** SVG as text, readable on a light and on a dark page. */

export const colours = { ours: '#d9480f', others: '#8a97a6', grid: '#8a97a633', text: '#6b7785' };

/** Colours of lines, ours first. */
export const lineColours = ['#d9480f', '#1c7ed6', '#2b8a3e', '#9c36b5'];

export function document(width: number, height: number, title: string, shapes: string[]): string {
  const head = text(16, 26, title, { size: 16, weight: 600 });
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="system-ui, sans-serif">
<title>${escaped(title)}</title>
${[head, ...shapes].join('\n')}
</svg>
`;
}

export function text(
  x: number,
  y: number,
  content: string,
  { size = 12, weight = 400, anchor = 'start', fill = colours.text } = {},
): string {
  const style = `font-size="${size}" font-weight="${weight}" text-anchor="${anchor}" fill="${fill}"`;
  return `<text x="${round(x)}" y="${round(y)}" ${style}>${escaped(content)}</text>`;
}

export function rectangle(x: number, y: number, width: number, height: number, fill: string): string {
  return `<rect x="${round(x)}" y="${round(y)}" width="${round(width)}" height="${height}" rx="2" fill="${fill}"/>`;
}

export function polyline(points: [number, number][], stroke: string, width = 2): string {
  const path = points.map(([x, y]) => `${round(x)},${round(y)}`).join(' ');
  return `<polyline points="${path}" fill="none" stroke="${stroke}" stroke-width="${width}"/>`;
}

export function dot(x: number, y: number, fill: string): string {
  return `<circle cx="${round(x)}" cy="${round(y)}" r="3" fill="${fill}"/>`;
}

function round(value: number): string {
  return String(Math.round(value * 10) / 10);
}

function escaped(content: string): string {
  return content.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}
