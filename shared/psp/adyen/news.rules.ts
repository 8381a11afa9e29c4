import { declineOf } from '#shared/domain/payments/declines.catalog.ts';
import { type RefundFailureCode, refundDecline } from '#shared/domain/payments/refund-failures.catalog.ts';
import type { CallbackReading, PspOutcome, RefundOutcome, SeenRefund } from '#shared/ports/psp.port.ts';
import { refusedFor } from '#shared/psp/adyen/decline.rules.ts';
import { failedRefund } from '#shared/psp/adyen/mapping.rules.ts';
import { ourMoney } from '#shared/psp/adyen/money.rules.ts';
import type { Item } from '#shared/psp/adyen/objects.schema.ts';
import { readModification, readReference } from '#shared/psp/adyen/references.rules.ts';

type Subject = CallbackReading['subject'];

const IGNORED: Subject = { kind: 'ignored' };

export const subjectOf = (item: Item): Subject =>
  (Object.hasOwn(SUBJECTS, item.eventCode) ? SUBJECTS[item.eventCode]?.(item) : undefined) ?? IGNORED;

/**
 * The events that matter here, and their meaning. Not among them: CAPTURE and CAPTURE_FAILED, as an authorised charge
 * counts as paid and no success is undone (a failed capture is between merchant and Adyen, like a chargeback);
 * TECHNICAL_CANCEL, the echo of our cancel by our own reference, after which the payment is `canceled` already.
 */
const SUBJECTS: Readonly<Record<string, (item: Item) => Subject>> = {
  AUTHORISATION: (item) =>
    item.success === 'true' ? charged(item) : notCharged(item, { kind: 'declined', decline: refusedFor(item.reason) }),
  // Most come without our keys and can't be routed; the customer's time runs out here as well.
  OFFER_CLOSED: (item) =>
    item.success === 'true' && item.additionalData?.['metadata.payment_id']
      ? notCharged(item, { kind: 'declined', decline: declineOf('expired') })
      : IGNORED,
  CANCELLATION: (item) => ofCharge(item, item.success === 'true' ? 'canceled' : 'processing'),
  EXPIRE: (item) => (item.success === 'true' ? ofCharge(item, 'canceled') : IGNORED),
  // The kind is not signed; a forged one could only swap the merchant's own acts at Adyen.
  CANCEL_OR_REFUND: (item) =>
    item.additionalData?.['modification.action'] === 'refund'
      ? refunded(item)
      : ofCharge(item, item.success === 'true' ? 'canceled' : 'processing'),
  REFUND: (item) => refunded(item),
  REFUND_FAILED: (item) => (item.success === 'true' ? refundFailed(item) : IGNORED),
  REFUNDED_REVERSED: (item) => (item.success === 'true' ? refundFailed(item) : IGNORED),
};

const ours = ({ merchantReference }: Item): string => readReference(merchantReference ?? '').attemptId;

function charged(item: Item): Subject {
  const { pspReference: reference } = item;
  const money = ourMoney(item.amount);
  return {
    kind: 'payment',
    reference,
    ours: ours(item),
    told: money ? { kind: 'succeeded', reference, ...money } : { kind: 'processing', reference },
  };
}

/**
 * A failed try on a page does not end the charge; only the page's expiry does. Nor could it be looked up: a refused
 * notice that comes after the page was paid would block all later ones.
 */
function notCharged(
  item: Item,
  { decline }: Pick<Extract<PspOutcome, { kind: 'declined' }>, 'kind' | 'decline'>,
): Subject {
  const { pspReference: reference } = item;
  if (readReference(item.merchantReference ?? '').onPage) return IGNORED;
  return { kind: 'payment', reference, ours: ours(item), told: { kind: 'declined', reference, decline } };
}

/** The merchant may cancel at Adyen under any reference, so only the charge's reference identifies it. */
function ofCharge({ originalReference, pspReference }: Item, kind: 'canceled' | 'processing'): Subject {
  const reference = originalReference || pspReference;
  return { kind: 'payment', reference, told: { kind, reference } };
}

const refunded = (item: Item): Subject =>
  item.success === 'true' ? ofRefund(item, { kind: 'succeeded', reference: item.pspReference }) : refundFailed(item);

/** Adyen's reasons are sentences, which are not passed on; an unknown one is a plain decline. */
const REASONS: readonly (readonly [RegExp, RefundFailureCode])[] = [
  [/insufficient balance on payment/i, 'already_refunded'],
  [/hasn['’]t been captured/i, 'try_again_later'],
];

function refundFailed(item: Item): Subject {
  const [, why = 'refund_declined'] = REASONS.find(([pattern]) => pattern.test(item.reason ?? '')) ?? [];
  return ofRefund(item, failedRefund(item.pspReference, refundDecline(why, item.eventCode)));
}

/** Without a readable amount it is ignored. */
function ofRefund(item: Item, outcome: RefundOutcome): Subject {
  const money = ourMoney(item.amount);
  const { pspReference: reference, originalReference, merchantReference } = item;
  if (!originalReference || !money) return IGNORED;
  const told: SeenRefund = { ...outcome, ...money };
  return {
    kind: 'refund',
    reference,
    paymentReference: originalReference,
    ours: merchantReference ? readModification(merchantReference).id : undefined,
    told,
  };
}
