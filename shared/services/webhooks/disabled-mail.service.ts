import { missedSince, type TurnedOff } from '#shared/domain/webhooks/receiver-health.rules.ts';
import type { ServiceConfig } from '#shared/ports/deps.ts';
import type { Mail } from '#shared/ports/mail.port.ts';

/** Only the URL's host is named: its path may be a secret. */
export function disabledMail(
  to: string,
  receiver: TurnedOff,
  { stage, apiUrl }: Pick<ServiceConfig, 'stage' | 'apiUrl'>,
): Mail {
  const host = shortened(new URL(receiver.url).host);
  return {
    to,
    subject: `Webhooks to ${host} are turned off`,
    text: `On ${shown(receiver.disabled_at)} the ${stage} webhooks of your organization ${receiver.org_id} were turned off.
They went to ${host}, which ${reasonOf(receiver)}

Nothing is sent there until you turn them on again. Events that they miss are kept.

1. Make the receiver answer with 2xx again, or choose another.
2. Turn webhooks on: POST ${apiUrl}/v1/webhooks/config with its url and the events it wants. The signing secret stays.
3. Have sent what was missed: POST ${apiUrl}/v1/webhooks/events/replay with {"since": "${missedSince(receiver).toISOString()}"}.

Owners and administrators of the organization get this mail.
`,
  };
}

/** Without a time, where a late last answer was a success. */
function reasonOf({ disabled_reason, failing_since }: TurnedOff): string {
  if (disabled_reason === 'gone') return 'answered 410 Gone: there is to be no receiver any more.';
  return `has answered with failure, or not at all, ${failing_since === undefined ? 'for days' : `since ${shown(failing_since)}`}.`;
}

const shown = (at: string): string => `${at.slice(0, 10)} ${at.slice(11, 16)} UTC`;

const MOST_SHOWN = 100;

/** A name may be longer than a subject. */
const shortened = (host: string): string => (host.length > MOST_SHOWN ? `${host.slice(0, MOST_SHOWN - 1)}…` : host);
