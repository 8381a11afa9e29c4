import type { ComponentChildren } from 'preact';

export type Bar = {
  readonly key: string;
  readonly label: ComponentChildren;
  readonly value: number;
  /** The value as it is read, such as an amount or a share. */
  readonly text: ComponentChildren;
  readonly href?: string | undefined;
  readonly tone?: 'good' | 'bad' | 'warn';
};

type BarsProps = {
  readonly label: string;
  readonly bars: readonly Bar[];
  /** What the full width stands for. Default: the largest value. */
  readonly max?: number;
};

/** Parts of a whole as a list of bars: the numbers stand beside them, so it reads without seeing it. */
export function Bars({ label, bars, max = Math.max(...bars.map(({ value }) => value), 1) }: BarsProps) {
  return (
    <ul class="bars" aria-label={label}>
      {bars.map((bar) => (
        <li key={bar.key} class="bar">
          <span class="bar-label">{bar.href ? <a href={bar.href}>{bar.label}</a> : bar.label}</span>
          <span class="bar-text">{bar.text}</span>
          <span class="bar-track">
            <span
              class={`bar-fill bar-${bar.tone ?? 'plain'}`}
              style={{ width: `${(100 * bar.value) / (max || 1)}%` }}
            />
          </span>
        </li>
      ))}
    </ul>
  );
}
