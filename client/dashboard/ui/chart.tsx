import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { FRAME } from '#client/dashboard/i18n/frame.catalog.ts';
import { useFormats, useMessages } from '#client/dashboard/i18n/i18n.tsx';
import { loadScreen } from '#client/dashboard/shell/load-screen.ts';
import type { DrawnChart } from '#client/dashboard/ui/draw-chart.ts';

export type Series = {
  readonly label: string;
  /** One for each day; null leaves a gap. */
  readonly values: readonly (number | null)[];
  /** The colour. `muted` is for what the others are compared to. */
  readonly tone?: 'accent' | 'good' | 'bad' | 'warn' | 'muted';
};

type ChartProps = {
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
  useThemeChange(() => setTheme((count) => count + 1));
  useEffect(() => {
    let drawn: DrawnChart | undefined;
    let isGone = false;
    const draw = ({ drawChart }: Awaited<typeof drawing>): void => {
      if (isGone || !place.current) return;
      drawn = drawChart(place.current, {
        ...props,
        kind,
        height,
        formatDay: formats.day,
        formatDayShort: formats.dayShort,
      });
    };
    drawing.then(draw, () => undefined);
    return () => {
      isGone = true;
      drawn?.remove();
    };
  }, [look]);
  return (
    <figure class="chart" aria-label={label}>
      <Legend series={props.series} />
      <div ref={place} class="chart-place" style={{ minHeight: `${height}px` }} aria-hidden="true" />
      <ChartTable {...props} />
    </figure>
  );
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

function ChartTable({ label, days, series, format }: ChartProps) {
  const { chartAsTable } = useMessages(FRAME);
  const formats = useFormats();
  return (
    <details class="chart-table">
      <summary>{chartAsTable}</summary>
      <div class="table-scroll">
        <table class="table table-plain" aria-label={label}>
          <thead>
            <tr>
              <td />
              {series.map((one) => (
                <th key={one.label} scope="col" class="align-end">
                  {one.label}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {days.map((day, n) => (
              <tr key={day}>
                <th scope="row">{formats.day(day)}</th>
                {series.map(({ label: name, values }) => {
                  const value = values[n];
                  return (
                    <td key={name} class="align-end">
                      {value === null || value === undefined ? '–' : format(value)}
                    </td>
                  );
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </details>
  );
}

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
