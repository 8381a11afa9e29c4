import { useFormats } from '#client/dashboard/i18n/i18n.tsx';
import type { Tone } from '#client/dashboard/ui/alert.tsx';
import { Badge, StatusBadge } from '#client/dashboard/ui/badge.tsx';
import { Nothing } from '#client/dashboard/ui/time.tsx';
import type { Connection } from '#client/typescript/src/index.ts';

type Props = { readonly connection: Connection };

export const Health = ({ connection: { health_status, health_score } }: Props) => (
  <StatusBadge
    status={health_status}
    label={
      {
        healthy: 'Healthy',
        degraded: 'Degraded',
        down: 'Down',
        unknown: 'No recent calls',
      }[health_status] + (health_score === null ? '' : ` (${Math.round(health_score)})`)
    }
  />
);

/** Of all calls that the connection ever made. */
export function SuccessRate({ connection: { total_calls, successful_calls } }: Props) {
  const { percent } = useFormats();
  return total_calls === 0 ? <Nothing /> : <span>{percent(successful_calls / total_calls)}</span>;
}

export function Latency({ connection: { total_calls, total_latency_ms } }: Props) {
  const { duration } = useFormats();
  return total_calls === 0 ? <Nothing /> : <span>{duration(total_latency_ms / total_calls)}</span>;
}

type Validated = Connection['last_validation_status'];

const VALIDATIONS: Readonly<Record<Validated, { readonly text: string; readonly tone: Tone }>> = {
  valid: { text: 'Accepted', tone: 'good' },
  invalid: { text: 'Refused', tone: 'bad' },
  unreachable: { text: 'Not reached', tone: 'warn' },
  never: { text: 'Not checked', tone: 'neutral' },
};

/** What the provider said when it was last asked about the credentials. */
export function Validation({ connection: { last_validation_status } }: Props) {
  const { text, tone } = VALIDATIONS[last_validation_status];
  return (
    <Badge tone={tone} icon={tone === 'good' ? 'check' : 'info'}>
      {text}
    </Badge>
  );
}

export const Labels = ({ labels }: Pick<Connection, 'labels'>) =>
  labels.length === 0 ? (
    <Nothing />
  ) : (
    <span class="row">
      {labels.map((label) => (
        <Badge key={label}>{label}</Badge>
      ))}
    </span>
  );
