import { useEffect, useRef } from 'preact/hooks';
import uPlot from 'uplot';

import { plotColours } from './plot-colours.ts';

import './uplot.css';

export interface PlotSeries {
  readonly label: string;
  readonly values: readonly number[];
}
export interface PlotProps {
  readonly label: string;
  /** UNIX milliseconds. */
  readonly times: readonly number[];
  readonly series: readonly PlotSeries[];
}

const HEIGHT = 220;

/**
 * A plot of counts over time. Load it lazily, and put a table with the same numbers beside it for
 * screen readers.
 */
export function Plot({ label, times, series }: PlotProps) {
  const box = useRef<HTMLDivElement>(null);
  const names = series.map((one) => one.label).join('|');
  const plot = useRef<uPlot | undefined>(undefined);
  const data: uPlot.AlignedData = [
    times.map((ms) => ms / 1000),
    ...series.map(({ values }) => [...values]),
  ];
  const newest = useRef(data);
  newest.current = data;
  useEffect(() => {
    const element = box.current;
    if (!element) return undefined;
    const draw = () => {
      plot.current?.destroy();
      plot.current = new uPlot(optionsOf(element, series), newest.current, element);
    };
    draw();
    const resized = new ResizeObserver(() =>
      plot.current?.setSize({ width: element.clientWidth, height: HEIGHT }),
    );
    resized.observe(element);
    const scheme = matchMedia('(prefers-color-scheme: dark)');
    scheme.addEventListener('change', draw);
    return () => {
      scheme.removeEventListener('change', draw);
      resized.disconnect();
      plot.current?.destroy();
      plot.current = undefined;
    };
  }, [names]);
  useEffect(() => plot.current?.setData(data), [times, series]);
  return <div ref={box} class="plot" role="img" aria-label={label} />;
}

const clock = new Intl.DateTimeFormat(undefined, {
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
});
const day = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short' });

/** Local times; of a range of days the date at midnight. */
const clockTexts = (_plot: uPlot, splits: readonly number[]): string[] =>
  splits.map((seconds) => {
    const text = clock.format(seconds * 1000);
    return text === '00:00' ? day.format(seconds * 1000) : text;
  });

function optionsOf(element: HTMLElement, series: readonly PlotSeries[]): uPlot.Options {
  const style = getComputedStyle(element);
  const probe = document.createElement('span');
  element.append(probe);
  // A canvas does not know light-dark(): the browser computes the colour.
  const colour = (token: string) => {
    probe.style.color = `var(${token})`;
    return getComputedStyle(probe).color;
  };
  const axis = {
    stroke: colour('--muted'),
    font: `12px ${style.fontFamily}`,
    grid: { stroke: colour('--line'), width: 1 },
    ticks: { stroke: colour('--line'), width: 1 },
  };
  const colours = plotColours(series.map(({ label }) => label));
  const options: uPlot.Options = {
    width: element.clientWidth,
    height: HEIGHT,
    axes: [
      { ...axis, values: clockTexts },
      { ...axis, size: 44 },
    ],
    scales: { y: { range: (_plot, _min, max) => [0, Math.max(4, max * 1.1)] } },
    series: [
      {},
      ...series.map(({ label }, at) => ({
        label,
        stroke: colour(colours[at] ?? '--text'),
        width: 2,
        points: { show: false },
      })),
    ],
  };
  probe.remove();
  return options;
}
