import type { Membership } from '#shared/domain/accounts/user.model.ts';
import { isAtLeast } from '#shared/domain/reference/access.catalog.ts';
import { type DisabledConfig, isDisabledBy, missedSince } from '#shared/domain/webhooks/webhook-health.rules.ts';
import type { Deps, ServiceConfig } from '#shared/ports/deps.ts';
import { LASTING_MAIL_ERRORS, type Mail, MailError } from '#shared/ports/mail.port.ts';
import type { WebhookDisabledMessage } from '#shared/services/webhooks/delivery-message.schema.ts';

type Needs = Pick<Deps, 'webhookConfigs' | 'members' | 'queue' | 'mail' | 'config' | 'log'>;

/**
 * Mails owners and administrators that webhooks were disabled, unless the change was not saved or somebody has changed
 * the configuration since. Each person has a queue message of their own, so that one address that cannot be mailed
 * neither blocks the others nor makes them get the mail twice.
 */
export async function notifyDisabled(message: WebhookDisabledMessage, deps: Needs): Promise<void> {
  const receiver = await disabledConfig(message, deps);
  if (!receiver) return;
  const { user_id } = message.turned_off;
  await (user_id === undefined ? notifyMembers(message, deps) : notifyMember(user_id, receiver, deps));
}

async function disabledConfig(
  { org_id, turned_off }: WebhookDisabledMessage,
  { webhookConfigs }: Needs,
): Promise<DisabledConfig | undefined> {
  const receiver = await webhookConfigs.get(org_id);
  if (!receiver || receiver.enabled) return undefined;
  const [entry] = await webhookConfigs.audit(org_id, turned_off.audit, 1);
  return entry?.act_id === turned_off.act_id && isDisabledBy(receiver, entry) ? receiver : undefined;
}

/** Messages hold ids, never addresses. */
async function notifyMembers({ org_id, turned_off }: WebhookDisabledMessage, { members, queue }: Needs): Promise<void> {
  const recipients = (await members.list(org_id)).filter(isNotified);
  await queue.send(
    'slow-deliveries',
    recipients.map(({ user_id }) => ({ body: { org_id, turned_off: { ...turned_off, user_id } }, group: org_id })),
  );
}

/** Only members who have signed in are mailed: anyone can invite any address. */
const isNotified = ({ role, joined_at }: Membership): boolean => joined_at !== null && isAtLeast(role, 'admin');

/** Membership is read again, as it may have ended meanwhile. A mail that the mailer rejects for good is not retried. */
async function notifyMember(
  userId: string,
  receiver: DisabledConfig,
  { members, mail, config, log }: Needs,
): Promise<void> {
  const { org_id } = receiver;
  const member = await members.get(org_id, userId);
  if (!member || !isNotified(member)) return;
  try {
    await mail.send(disabledMail(member.email, receiver, config));
  } catch (error) {
    if (!(error instanceof MailError) || !LASTING_MAIL_ERRORS.has(error.kind)) throw error;
    log.warn('webhook_notice_not_mailed', { org_id, user_id: userId, error });
  }
}

/** Names only the host of the URL, as its path may hold a secret. */
export function disabledMail(
  to: string,
  receiver: DisabledConfig,
  { stage, apiUrl }: Pick<ServiceConfig, 'stage' | 'apiUrl'>,
): Mail {
  const host = truncateHost(new URL(receiver.url).host);
  return {
    to,
    subject: `Webhooks to ${host} were disabled`,
    text: `On ${formatTime(receiver.disabled_at)} we disabled the ${stage} webhooks of organization ${receiver.org_id}.
Their endpoint is on ${host}, which ${reasonOf(receiver)}

Nothing is sent there until you enable them again. Events are kept meanwhile.

1. Repair the endpoint so that it responds with 2xx, or choose another URL.
2. Enable webhooks: POST ${apiUrl}/v1/webhooks/config with the url and the event types. The signing secret stays.
3. Replay the events that were missed: POST ${apiUrl}/v1/webhooks/events/replay with {"since": "${missedSince(receiver).toISOString()}"}.

You get this mail as an owner or administrator of the organization.
`,
  };
}

/** No time is known where the last response, which came late, was a success. */
function reasonOf({ disabled_reason, failing_since }: DisabledConfig): string {
  if (disabled_reason === 'gone') return 'responded with 410 Gone: it wants no further events.';
  const duration = failing_since === undefined ? 'for days' : `since ${formatTime(failing_since)}`;
  return `has failed every delivery ${duration}.`;
}

const formatTime = (at: string): string => `${at.slice(0, 10)} ${at.slice(11, 16)} UTC`;

const MAX_HOST_LENGTH = 100;

/** A host name may be longer than a mail's subject line. */
const truncateHost = (host: string): string =>
  host.length > MAX_HOST_LENGTH ? `${host.slice(0, MAX_HOST_LENGTH - 1)}…` : host;
