import type { ComponentChildren } from 'preact';
import type { Tone } from '#client/dashboard/ui/alert.tsx';
import { Icon, type IconName } from '#client/dashboard/ui/icon.tsx';
import { Time } from '#client/dashboard/ui/time.tsx';

export type TimelineEntry = {
  readonly key: string;
  readonly at: string | null;
  readonly title: ComponentChildren;
  readonly tone?: Tone;
  readonly icon?: IconName;
  /** Beside the title, such as a status or an amount. */
  readonly aside?: ComponentChildren;
  readonly children?: ComponentChildren;
};

type TimelineProps = { readonly label: string; readonly entries: readonly TimelineEntry[] };

/** What happened, in the order given. */
export const Timeline = ({ label, entries }: TimelineProps) => (
  <ol class="timeline" aria-label={label}>
    {entries.map(({ key, at, title, tone = 'neutral', icon, aside, children }) => (
      <li key={key} class={`timeline-entry tone-${tone}`}>
        <span class="timeline-mark">{icon && <Icon name={icon} size={12} />}</span>
        <div class="timeline-content">
          <div class="timeline-head">
            <span class="timeline-title">{title}</span>
            {aside !== undefined && <span class="timeline-aside">{aside}</span>}
          </div>
          {children !== undefined && <div class="timeline-text">{children}</div>}
          {at !== null && (
            <p class="timeline-at">
              <Time at={at} />
            </p>
          )}
        </div>
      </li>
    ))}
  </ol>
);
