import { serverNow } from '#client/dashboard/api/server-time.ts';
import { useMessages } from '#client/dashboard/i18n/i18n.tsx';
import { DISPUTES } from '#client/dashboard/screens/disputes/disputes.catalog.ts';
import { Badge } from '#client/dashboard/ui/badge.tsx';
import { Nothing, Time } from '#client/dashboard/ui/time.tsx';
import type { Dispute } from '#client/typescript/src/generated/schemas.ts';

const DAY = 86_400_000;
const SOON = 2 * DAY;

type Deadline = Pick<Dispute, 'status' | 'respond_by' | 'answer'>;

/** An inquiry stays one when it is answered. */
export const awaitsAnswer = ({ status, answer }: Deadline): boolean =>
  status === 'needs_response' || (status === 'warning' && answer === null);

export function deadlineTone(dispute: Deadline, now = serverNow().getTime()): 'bad' | 'warn' | undefined {
  if (!awaitsAnswer(dispute) || dispute.respond_by === null) return undefined;
  const left = Date.parse(dispute.respond_by) - now;
  if (left <= 0) return 'bad';
  return left <= SOON ? 'warn' : undefined;
}

/** Until when it can be answered, in words too where that is soon or over. */
export function DisputeDeadline({ dispute }: { readonly dispute: Deadline }) {
  const texts = useMessages(DISPUTES);
  const tone = deadlineTone(dispute);
  if (!awaitsAnswer(dispute)) return <Nothing />;
  if (dispute.respond_by === null) return <span class="muted">{texts.noDeadline}</span>;
  return (
    <>
      <Time at={dispute.respond_by} />{' '}
      {tone && (
        <Badge tone={tone} icon="clock">
          {tone === 'bad' ? texts.overdue : texts.soon}
        </Badge>
      )}
    </>
  );
}
