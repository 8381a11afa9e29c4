import type { ComponentChildren } from 'preact';
import type { Change } from '#client/dashboard/ui/change.ts';
import { classNames } from '#client/dashboard/ui/class-names.ts';
import { Icon } from '#client/dashboard/ui/icon.tsx';

type StatProps = {
  readonly label: string;
  readonly value: ComponentChildren;
  readonly change?: Change | undefined;
  readonly hint?: ComponentChildren;
  readonly href?: string;
};

export const Stats = ({ children }: { readonly children: ComponentChildren }) => <dl class="stats">{children}</dl>;

/** One figure with its name. Stands in `Stats`. */
export const Stat = ({ label, value, change, hint, href }: StatProps) => (
  <div class="stat">
    <dt class="stat-label">{href ? <a href={href}>{label}</a> : label}</dt>
    <dd class="stat-value">{value}</dd>
    {change && (
      <dd class={classNames('stat-change', change.isGood !== undefined && (change.isGood ? 'is-good' : 'is-bad'))}>
        {change.direction !== 'same' && <Icon name={change.direction === 'up' ? 'rise' : 'fall'} size={12} />}{' '}
        {change.text} <span class="muted">{change.than}</span>
      </dd>
    )}
    {hint !== undefined && <dd class="stat-hint">{hint}</dd>}
  </div>
);
