import type { ComponentChildren } from 'preact';
import type { Tone } from '#client/dashboard/ui/alert.tsx';
import { Icon, type IconName } from '#client/dashboard/ui/icon.tsx';

type BadgeProps = { readonly tone?: Tone; readonly icon?: IconName; readonly children: ComponentChildren };

export const Badge = ({ tone = 'neutral', icon, children }: BadgeProps) => (
  <span class={`badge tone-${tone}`}>
    {icon && <Icon name={icon} size={12} />}
    {children}
  </span>
);

const GOOD = { tone: 'good', icon: 'check' } as const;
const BAD = { tone: 'bad', icon: 'close' } as const;
const WARN = { tone: 'warn', icon: 'warning' } as const;
const BUSY = { tone: 'info', icon: 'clock' } as const;
const QUIET = { tone: 'neutral', icon: 'minus' } as const;

type Look = { readonly tone: Tone; readonly icon: IconName };

/** What each status of the API means for the one who looks at it. */
const LOOKS: Readonly<Record<string, Look>> = {
  ...{ succeeded: GOOD, active: GOOD, paid: GOOD, delivered: GOOD, completed: GOOD, healthy: GOOD, won: GOOD },
  ...{ enabled: GOOD, up: GOOD, approved: GOOD, verified: GOOD, finished: GOOD },
  ...{ failed: BAD, down: BAD, lost: BAD, uncollectible: BAD, declined: BAD, rejected: BAD, disabled: BAD },
  ...{ past_due: WARN, degraded: WARN, needs_response: WARN, requires_action: WARN, failing: WARN, retrying: WARN },
  ...{ under_review: WARN, overdue: WARN, unhealthy: BAD, inquiry: WARN },
  ...{ processing: BUSY, pending: BUSY, authorized: BUSY, open: BUSY, running: BUSY, waiting: BUSY, scheduled: BUSY },
  ...{ created: BUSY, submitted: BUSY, delivering: BUSY },
  refunded: { tone: 'neutral', icon: 'refund' },
  paused: { tone: 'neutral', icon: 'pause' },
};

/** Of a word of the API, such as `requires_action`: readable, but the same word. */
export const wordsOf = (code: string): string => {
  const words = code.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
};

type StatusBadgeProps = {
  readonly status: string;
  /** The status in other words or another language. */
  readonly label?: string;
  readonly tone?: Tone;
};

export function StatusBadge({ status, label, tone }: StatusBadgeProps) {
  const look = LOOKS[status] ?? QUIET;
  return (
    <Badge tone={tone ?? look.tone} icon={look.icon}>
      {label ?? wordsOf(status)}
    </Badge>
  );
}
