import { FRAME } from '#client/dashboard/i18n/frame.catalog.ts';
import { useFormats, useMessages } from '#client/dashboard/i18n/i18n.tsx';
import type { ChartProps } from '#client/dashboard/ui/chart.tsx';

/** The numbers of a chart, for whoever cannot see it or wants to read them. */
export function ChartTable({ label, days, series, format }: ChartProps) {
  const { chartAsTable } = useMessages(FRAME);
  const formats = useFormats();
  const write = (value: number | null | undefined): string => (typeof value === 'number' ? format(value) : '–');
  const head = series.map((one) => (
    <th key={one.label} scope="col" class="align-end">
      {one.label}
    </th>
  ));
  const rows = days.map((day, n) => (
    <tr key={day}>
      <th scope="row">{formats.day(day)}</th>
      {series.map(({ label: name, values }) => (
        <td key={name} class="align-end">
          {write(values[n])}
        </td>
      ))}
    </tr>
  ));
  return (
    <details class="chart-table">
      <summary>{chartAsTable}</summary>
      <div class="table-scroll">
        <table class="table table-plain" aria-label={label}>
          <thead>
            <tr>
              <td />
              {head}
            </tr>
          </thead>
          <tbody>{rows}</tbody>
        </table>
      </div>
    </details>
  );
}
