import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { useFormats } from '#client/dashboard/i18n/i18n.tsx';
import { loadScreen } from '#client/dashboard/shell/load-screen.ts';
import { ChartTable } from '#client/dashboard/ui/chart-table.tsx';
import type { Drawing, DrawnChart } from '#client/dashboard/ui/draw-chart.ts';

export type Series = {
  readonly label: string;
  /** One for each day; null leaves a gap. */
  readonly values: readonly (number | null)[];
  /** The colour. `muted` is for what the others are compared to. */
  readonly tone?: 'accent' | 'good' | 'bad' | 'warn' | 'muted';
};

export type ChartProps = {
  /** What is drawn, for screen readers and the table. */
  readonly label: string;
  /** Days of UTC, such as 2026-01-31, oldest first. */
  readonly days: readonly string[];
  readonly series: readonly Series[];
  readonly format: (value: number) => string;
  /** On the axis, where there is little room. Default: `format`. */
  readonly formatShort?: (value: number) => string;
  readonly height?: number;
};

/** Begun with the screen, so that it is there when the numbers are. A failure leaves the table below the picture. */
const drawing = loadScreen(() => import('#client/dashboard/ui/draw-chart.ts'));
drawing.catch(() => undefined);

export const LineChart = (props: ChartProps) => <Chart {...props} kind="line" />;
export const BarChart = (props: ChartProps) => <Chart {...props} kind="bars" />;

/** The same numbers stand below as a table, for whoever cannot see the picture. */
function Chart({ kind, ...props }: ChartProps & { readonly kind: 'line' | 'bars' }) {
  const { label, height = 220 } = props;
  const formats = useFormats();
  const place = useRef<HTMLDivElement>(null);
  const [theme, setTheme] = useState(0);
  const look = JSON.stringify([kind, props.days, props.series, height, formats.locale, theme]);
  const drawn = { ...props, kind, height, formatDay: formats.day, formatDayShort: formats.dayShort };
  useThemeChange(() => setTheme((count) => count + 1));
  useEffect(() => drawInto(place.current, drawn), [look]);
  return (
    <figure class="chart" aria-label={label}>
      <Legend series={props.series} />
      <div ref={place} class="chart-place" style={{ minHeight: `${height}px` }} aria-hidden="true" />
      <ChartTable {...props} />
    </figure>
  );
}

/** Draws as soon as it can. Returns what takes the drawing away. */
function drawInto(place: HTMLElement | null, what: Drawing): () => void {
  let drawn: DrawnChart | undefined;
  let isGone = false;
  const draw = ({ drawChart }: Awaited<typeof drawing>): void => {
    if (!isGone && place) drawn = drawChart(place, what);
  };
  drawing.then(draw, () => undefined);
  return () => {
    isGone = true;
    drawn?.remove();
  };
}

const Legend = ({ series }: { readonly series: readonly Series[] }): ComponentChildren =>
  series.length > 1 && (
    <ul class="legend">
      {series.map(({ label, tone = 'accent' }) => (
        <li key={label} class={`legend-${tone}`}>
          {label}
        </li>
      ))}
    </ul>
  );

/** Colours of a drawing do not follow the style sheet by themselves. */
function useThemeChange(onChange: () => void): void {
  useEffect(() => {
    const dark = matchMedia('(prefers-color-scheme: dark)');
    dark.addEventListener('change', onChange);
    addEventListener('themechange', onChange);
    return () => {
      dark.removeEventListener('change', onChange);
      removeEventListener('themechange', onChange);
    };
  }, []);
}
