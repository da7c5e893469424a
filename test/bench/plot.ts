import type { Measure } from './measure.ts';

const WIDTH = 720;
const HEIGHT = 400;
const LEFT = 70;
const RIGHT = 250;
const TOP = 20;
const BOTTOM = 50;
/** Okabe and Ito's colours, which people without one kind of cones can tell apart. */
const COLOURS = ['#0072b2', '#d55e00', '#009e73', '#cc79a7', '#e69f00', '#56b4e9', '#8a8a8a'];
/** Readable on white and on black. */
const INK = '#808080';
/** Between the names of two curves. */
const LINE_HEIGHT = 16;

type Point = readonly [x: number, y: number];

/** The curves of a benchmark as SVG, with logarithmic axes. Throws if its rows have none. */
export function plotOf(measures: readonly Measure[]): string {
  const curves = new Map<string, Map<number, number>>();
  for (const { curve, ours, reference } of measures) {
    if (!curve) continue;
    const points = curves.get(curve.name) ?? new Map<number, number>();
    // The point that all others are compared with is measured beside each of them.
    const first = points.get(curve.referenceAt) ?? reference;
    curves.set(curve.name, points.set(curve.referenceAt, first).set(curve.at, ours));
  }
  const [first] = measures.filter(({ curve }) => curve);
  if (!first?.curve) throw new Error('These rows have no curve');
  const all = [...curves.values()].flatMap((points) => [...points]);
  const x = scale(
    all.map(([at]) => at),
    [LEFT, WIDTH - RIGHT],
  );
  const y = scale(
    all.map(([, value]) => value),
    [HEIGHT - BOTTOM, TOP],
  );
  const xs = [...new Set(all.map(([at]) => at))];
  const ends = spread(
    [...curves].map(([name, points]) => ({ name, y: y.at([...points.values()].at(-1) ?? 1) })),
  );
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" font-family="sans-serif" font-size="12" fill="${INK}">`,
    ...y.ticks.map(
      (value) =>
        `<path d="M${LEFT} ${y.at(value)}H${WIDTH - RIGHT}" stroke="${INK}" stroke-opacity="0.3"/>` +
        text(LEFT - 8, y.at(value) + 4, `${value.toLocaleString('en')} ${first.unit}`, 'end'),
    ),
    ...xs.map((at) => text(x.at(at), HEIGHT - BOTTOM + 18, at.toLocaleString('en'), 'middle')),
    text((LEFT + WIDTH - RIGHT) / 2, HEIGHT - 10, first.curve.axis, 'middle'),
    ...[...curves].map(([name, points], n) => {
      const colour = COLOURS[n % COLOURS.length] ?? INK;
      const sorted: Point[] = [...points].toSorted(([a], [b]) => a - b);
      const path = sorted.map(([at, value]) => `${x.at(at)} ${y.at(value)}`).join('L');
      return (
        `<path d="M${path}" fill="none" stroke="${colour}" stroke-width="2"/>` +
        `<g fill="${colour}">${text(WIDTH - RIGHT + 10, (ends.get(name) ?? 0) + 4, name, 'start')}</g>`
      );
    }),
    '</svg>\n',
  ].join('\n');
}

/** A logarithmic scale over these values, with ticks at powers of ten and around them. */
function scale(values: readonly number[], [from, to]: Point) {
  const low = Math.log10(Math.min(...values));
  const high = Math.max(Math.log10(Math.max(...values)), low + 0.1);
  const at = (value: number) =>
    Math.round(from + ((Math.log10(value) - low) / (high - low)) * (to - from));
  const ticks = [];
  for (let power = Math.floor(low); power <= Math.ceil(high); power++)
    for (const digit of [1, 2, 5]) {
      const value = Number((digit * 10 ** power).toPrecision(1));
      if (value >= 10 ** low && value <= 10 ** high) ticks.push(value);
    }
  return { at, ticks };
}

/** Moves names down where they would cover each other. */
function spread(names: readonly { readonly name: string; readonly y: number }[]) {
  let free = TOP;
  const places = new Map<string, number>();
  for (const { name, y } of names.toSorted((a, b) => a.y - b.y)) {
    const place = Math.max(y, free);
    places.set(name, place);
    free = place + LINE_HEIGHT;
  }
  return places;
}

const text = (x: number, y: number, content: string, anchor: 'start' | 'middle' | 'end') =>
  `<text x="${x}" y="${y}" text-anchor="${anchor}">${content.replaceAll('&', '&amp;').replaceAll('<', '&lt;')}</text>`;
