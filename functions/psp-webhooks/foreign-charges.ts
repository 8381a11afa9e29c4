import type { WebhookSender } from '#functions/psp-webhooks/foreign-events.ts';
import { DAY, HOUR, plus } from '#shared/kernel/clock.ts';
import { idTime, isId } from '#shared/kernel/ids.ts';
import type { Deps } from '#shared/ports/deps.ts';
import type { ChargeOfEvent, UnverifiedEvent } from '#shared/ports/psp.port.ts';
import { lookUpChargeIds } from '#shared/services/disputes/charge-ids.service.ts';
import { throwLookUpFailed } from '#shared/services/payments/apply-reported-refund.service.ts';

/**
 * Whose charge an event is about that names nothing of ours. `ours`: the event with the ids that the PSP keeps with the
 * charge. `unsure`: it may be ours, so the PSP has to send it again.
 */
type ChargeOwner = { readonly kind: 'ours'; readonly event: UnverifiedEvent } | { readonly kind: 'foreign' | 'unsure' };

const FOREIGN: ChargeOwner = { kind: 'foreign' };

/**
 * Refunds and disputes may name only their charge, which we do not know while the payment is open on the PSP's page, or
 * the response to our call is under way. Nobody asks for them later, so the charge is looked up. An open payment is
 * looked up anyway.
 */
export async function ownerOfCharge(
  event: UnverifiedEvent,
  sender: WebhookSender,
  { payments, clock }: Pick<Deps, 'payments' | 'clock'>,
): Promise<ChargeOwner> {
  const charge = chargeIn(event);
  // A payment is stored before its PSP hears of it: one that an event names and nobody knows is not ours. Merchants
  // may have metadata of the same name, which say nothing.
  if (!charge || isId('payment', event.routing.payment_id ?? '')) return FOREIGN;
  const ids = await lookUpChargeIds(charge, sender).catch(throwLookUpFailed);
  if (ids === 'unknown') return { kind: mayBeUnderWay(event, clock.now()) ? 'unsure' : 'foreign' };
  const { payment_id } = ids ?? {};
  if (payment_id === undefined || !(await payments.byId(payment_id))) return FOREIGN;
  return { kind: 'ours', event: { ...event, routing: { ...ids } } };
}

function chargeIn({ subject }: UnverifiedEvent): ChargeOfEvent | undefined {
  if (subject.kind === 'refund') return { reference: subject.paymentReference, refund: subject.reference };
  return subject.kind === 'dispute' && subject.paymentReference !== null
    ? { reference: subject.paymentReference }
    : undefined;
}

/**
 * Without a look-up, our own reference tells. Whoever pays late on a page may have an old attempt: an event that has only
 * just happened may have come before the one of its charge, which is being sent again.
 */
function mayBeUnderWay({ subject, at }: UnverifiedEvent, now: Date): boolean {
  const named = 'ourId' in subject ? subject.ourId?.slice(0, ATTEMPT_ID_LENGTH) : undefined;
  if (named === undefined || !isId('attempt', named)) return false;
  const isNew = at !== undefined && Math.abs(now.getTime() - Date.parse(at)) < HOUR;
  return isNew || plus(idTime(named), DAY) > now;
}

const ATTEMPT_ID_LENGTH = 'att_'.length + 26;
