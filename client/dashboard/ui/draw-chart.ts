import uPlot from 'uplot';
import type { Series } from '#client/dashboard/ui/chart.tsx';

export type DrawnChart = { readonly remove: () => void };

export type Drawing = {
  readonly kind: 'line' | 'bars';
  readonly days: readonly string[];
  readonly series: readonly Series[];
  readonly height: number;
  readonly format: (value: number) => string;
  readonly formatShort?: (value: number) => string;
  readonly formatDay: (day: string) => string;
  /** On the axis of many days, where there is little room. */
  readonly formatDayShort: (day: string) => string;
};

const secondsOf = (day: string): number => Date.parse(`${day}T00:00:00Z`) / 1_000;

/** Draws into the element, in its width and in the colours of its style, and again when the width changes. */
export function drawChart(place: HTMLElement, drawing: Drawing): DrawnChart {
  const { days, series, height } = drawing;
  const data: uPlot.AlignedData = [days.map(secondsOf), ...series.map(({ values }) => [...values])];
  const plot = new uPlot({ width: place.clientWidth, height, ...optionsOf(place, drawing) }, data, place);
  const resize = new ResizeObserver(() => plot.setSize({ width: place.clientWidth, height }));
  resize.observe(place);
  return {
    remove: () => {
      resize.disconnect();
      plot.destroy();
    },
  };
}

function optionsOf(place: HTMLElement, drawing: Drawing): Omit<uPlot.Options, 'width' | 'height'> {
  const colour = (name: string): string => colourOf(place, name);
  const { format, formatShort = format } = drawing;
  const font = `11px ${getComputedStyle(place).fontFamily}`;
  const axis = { font, stroke: colour('muted'), ticks: { show: false } };
  return {
    legend: { show: false },
    padding: [8, 40, 0, 0],
    cursor: { y: false, points: { size: 7 }, drag: { x: false, y: false } },
    scales: { x: { time: true, range: (_, min, max) => widened(min, max, drawing) }, y: { range: rangeOf } },
    axes: [
      {
        ...axis,
        grid: { show: false },
        space: 72,
        size: 32,
        gap: 10,
        values: (_, at) => at.map((second) => dayAt(second, drawing)),
      },
      {
        ...axis,
        grid: { stroke: colour('line'), width: 1 },
        size: (_, values) => 12 + 6.5 * Math.max(...(values ?? ['']).map((text) => text.length)),
        space: 40,
        values: (_, at) => at.map(formatShort),
      },
    ],
    series: [{}, ...drawing.series.map((one) => lookOf(one, drawing.kind, colour))],
    plugins: [tooltip(drawing)],
    tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1_000), 'UTC'),
  };
}

/** A token as the browser resolves it in the theme of now, such as `rgb(11, 87, 196)`. */
function colourOf(place: HTMLElement, token: string): string {
  place.style.color = `var(--${token})`;
  const { color } = getComputedStyle(place);
  place.style.color = '';
  return color;
}

const DAY_S = 86_400;

/** Bars need half of their distance as room on both sides, and a single day some width. */
function widened(min: number, max: number, { kind, days: [first = '', second] }: Drawing): [number, number] {
  const distance = second === undefined ? DAY_S : secondsOf(second) - secondsOf(first);
  const room = kind === 'bars' || min === max ? distance / 2 : 0;
  return [min - room, max + room];
}

/** From zero, so that nothing looks larger than it is. */
const rangeOf = (_: uPlot, min: number | null, max: number | null): [number, number] => {
  const low = Math.min(0, min ?? 0);
  const high = Math.max(0, max ?? 0);
  return [low * 1.1, high === low ? 1 : high * 1.1];
};

function lookOf({ tone = 'accent', label }: Series, kind: Drawing['kind'], colour: (name: string) => string) {
  const stroke = colour(tone === 'muted' ? 'edge' : tone);
  const look = { label, stroke, width: 2, points: { show: false } };
  if (kind === 'bars')
    return { ...look, width: 0, fill: stroke, paths: uPlot.paths.bars?.({ size: [0.6, 28], radius: 0.15 }) };
  if (tone === 'muted') return { ...look, width: 1.5, dash: [4, 4] };
  return { ...look, fill: stroke.replace('rgb', 'rgba').replace(')', ', 0.08)') };
}

/** The days of the week help where there are few. */
const MAX_NAMED_DAYS = 8;

function dayAt(second: number, { days, formatDay, formatDayShort }: Drawing): string {
  const day = new Date(second * 1_000).toISOString();
  return days.length > MAX_NAMED_DAYS ? formatDayShort(day) : formatDay(day);
}

/** What the values are under the pointer. */
function tooltip(drawing: Drawing): uPlot.Plugin {
  const box = document.createElement('div');
  box.className = 'chart-tooltip';
  box.hidden = true;
  return {
    hooks: {
      init: (plot) => plot.over.append(box),
      setCursor: (plot) => {
        const { idx, left = -1 } = plot.cursor;
        box.hidden = idx === null || idx === undefined || left < 0;
        if (idx === null || idx === undefined || box.hidden) return;
        box.replaceChildren(...linesOf(drawing, idx));
        const isRight = left > plot.over.clientWidth / 2;
        box.style.left = isRight ? '' : `${left + 12}px`;
        box.style.right = isRight ? `${plot.over.clientWidth - left + 12}px` : '';
      },
    },
  };
}

function linesOf({ days, series, format, formatDay }: Drawing, index: number): HTMLElement[] {
  const line = (text: string, className: string): HTMLElement => {
    const element = document.createElement('div');
    element.className = className;
    element.textContent = text;
    return element;
  };
  const values = series.flatMap(({ label, values: all, tone = 'accent' }) => {
    const value = all[index];
    return typeof value === 'number' ? [line(`${label}: ${format(value)}`, `legend-${tone}`)] : [];
  });
  return [line(formatDay(days[index] ?? ''), 'chart-tooltip-day'), ...values];
}
