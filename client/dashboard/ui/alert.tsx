import type { ComponentChildren } from 'preact';
import { Icon } from '#client/dashboard/ui/icon.tsx';

/** What a colour means, never only by colour: each has an icon or a word too. */
export type Tone = 'good' | 'bad' | 'warn' | 'info' | 'neutral';

const ICONS = { good: 'check', bad: 'error', warn: 'warning', info: 'info', neutral: 'info' } as const;

type AlertProps = {
  readonly tone: Tone;
  readonly title?: string;
  readonly children?: ComponentChildren;
  readonly action?: ComponentChildren;
  /** Read out at once, for what has just happened. Others are only part of the page. */
  readonly isLive?: boolean;
};

export function Alert({ tone, title, children, action, isLive = true }: AlertProps) {
  return (
    <div class={`alert tone-${tone}`} role={isLive && tone === 'bad' ? 'alert' : undefined}>
      <Icon name={ICONS[tone]} />
      <div class="alert-text">
        {title !== undefined && <p class="alert-title">{title}</p>}
        {children}
      </div>
      {action !== undefined && <div>{action}</div>}
    </div>
  );
}
