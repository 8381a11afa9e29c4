import type { Membership } from '#shared/domain/accounts/user.model.ts';
import { isAtLeast } from '#shared/domain/reference/roles.catalog.ts';
import { isOffBy, type TurnedOff } from '#shared/domain/webhooks/receiver-health.rules.ts';
import type { Deps } from '#shared/ports/deps.ts';
import { MailError } from '#shared/ports/mail.port.ts';
import type { TurnedOffMessage } from '#shared/services/webhooks/delivery-message.schema.ts';
import { disabledMail } from '#shared/services/webhooks/disabled-mail.service.ts';

type Needs = Pick<Deps, 'receivers' | 'members' | 'queue' | 'mail' | 'config' | 'log'>;

/**
 * Notifies owners and administrators that their receiver was turned off, unless it was not, or someone has acted since.
 * Each gets a message of their own: an address that can't be mailed yet neither blocks the others nor makes them get it
 * twice.
 */
export async function notifyDisabled(message: TurnedOffMessage, deps: Needs): Promise<void> {
  const receiver = await turnedOffBy(message, deps);
  if (!receiver) return;
  const { user_id } = message.turned_off;
  await (user_id === undefined ? handOut(message, deps) : tell(user_id, receiver, deps));
}

async function turnedOffBy(
  { org_id, turned_off }: TurnedOffMessage,
  { receivers }: Needs,
): Promise<TurnedOff | undefined> {
  const receiver = await receivers.get(org_id);
  if (!receiver || receiver.enabled) return undefined;
  const [entry] = await receivers.audit(org_id, turned_off.audit, 1);
  return entry?.act_id === turned_off.act_id && isOffBy(receiver, entry) ? receiver : undefined;
}

/** Messages hold ids, never addresses. */
async function handOut({ org_id, turned_off }: TurnedOffMessage, { members, queue }: Needs): Promise<void> {
  const told = (await members.list(org_id)).filter(isTold);
  await queue.send(
    'slow-deliveries',
    told.map(({ user_id }) => ({ body: { org_id, turned_off: { ...turned_off, user_id } }, group: org_id })),
  );
}

/**
 * A user who has signed in may be mailed, whatever the organization's state; a merely invited address may be a
 * stranger's.
 */
const isTold = ({ role, joined_at }: Membership): boolean => joined_at !== null && isAtLeast(role, 'admin');

/** Membership is read again, as it may have ended. Only a mail that no mailer accepts is given up. */
async function tell(userId: string, receiver: TurnedOff, { members, mail, config, log }: Needs): Promise<void> {
  const { org_id } = receiver;
  const member = await members.get(org_id, userId);
  if (!member || !isTold(member)) return;
  try {
    await mail.send(disabledMail(member.email, receiver, config));
  } catch (error) {
    if (!(error instanceof MailError) || error.kind !== 'rejected') throw error;
    log.warn('receiver_notice_not_mailed', { org_id, user_id: userId, error });
  }
}
