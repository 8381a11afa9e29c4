import type { DisputeStatus } from '#shared/domain/disputes/dispute.model.ts';
import { isId } from '#shared/kernel/ids.ts';
import type { DisputeEvent } from '#shared/ports/dispute.port.ts';
import { toOurMoney } from '#shared/psp/adyen/money.rules.ts';
import { readReference } from '#shared/psp/adyen/requests.rules.ts';
import type { NotificationItem } from '#shared/psp/adyen/schema.ts';
import { lookUp } from '#shared/psp/kit/declines.ts';
import { reasonOfNetwork } from '#shared/psp/kit/dispute-reasons.ts';
import { reasonCode } from '#shared/psp/kit/disputes.ts';
import { isoTime } from '#shared/psp/kit/times.ts';

/**
 * What each event says by itself. Money that came back by CHARGEBACK_REVERSED can be taken once more: then the second
 * chargeback says that the dispute is lost. Fraud alerts (NOTIFICATION_OF_FRAUD) are no disputes.
 */
const STATUS_BY_EVENT = {
  REQUEST_FOR_INFORMATION: 'warning',
  NOTIFICATION_OF_CHARGEBACK: 'needs_response',
  DISPUTE_OPENED_WITH_CHARGEBACK: 'needs_response',
  CHARGEBACK: 'needs_response',
  INFORMATION_SUPPLIED: 'under_review',
  CHARGEBACK_REVERSED: 'won',
  SECOND_CHARGEBACK: 'lost',
  DISPUTE_DEFENSE_PERIOD_ENDED: 'expired',
  ISSUER_RESPONSE_TIMEFRAME_EXPIRED: 'won',
  PREARBITRATION_OPEN: 'needs_response',
  PREARBITRATION_DECLINED: 'under_review',
  PREARBITRATION_ACCEPTED: 'accepted',
  PREARBITRATION_ISSUER_WITHDRAWN: 'won',
  PREARBITRATION_WON: 'won',
  PREARBITRATION_LOST: 'lost',
} as const satisfies Readonly<Record<string, DisputeStatus>>;

export const ADYEN_DISPUTE_EVENTS: readonly string[] = Object.keys(STATUS_BY_EVENT);

const OPENING: ReadonlySet<string> = new Set([
  'REQUEST_FOR_INFORMATION',
  'NOTIFICATION_OF_CHARGEBACK',
  'DISPUTE_OPENED_WITH_CHARGEBACK',
]);

/**
 * Adyen's `disputeStatus` says more than some events do, but no signature covers it. So it only refines: it never turns
 * an event against the merchant into one for the merchant.
 */
function statusOf({ eventCode, additionalData }: NotificationItem): DisputeStatus | undefined {
  const byEvent = lookUp<DisputeStatus>(STATUS_BY_EVENT, eventCode);
  const { disputeStatus, defendable, autoDefended } = additionalData ?? {};
  if (eventCode === 'CHARGEBACK' && disputeStatus === 'Lost') return 'lost';
  if (byEvent === 'needs_response' && (autoDefended === 'true' || disputeStatus === 'Pending')) return 'under_review';
  // Nothing can be answered, for example to a direct debit that was returned.
  if (eventCode === 'CHARGEBACK' && defendable === 'false') return 'lost';
  if (byEvent === 'won' && disputeStatus === 'Pending') return 'under_review';
  if (byEvent === 'expired' && disputeStatus === 'Accepted') return 'accepted';
  return byEvent;
}

/** All events of a dispute have its reference; some do not name the payment. One without a readable amount is ignored. */
export function disputeEvent(item: NotificationItem): DisputeEvent | undefined {
  const status = statusOf(item);
  const money = toOurMoney(item.amount);
  if (item.success !== 'true' || status === undefined || !money) return undefined;
  const { pspReference: reference, eventDate, additionalData } = item;
  const code = additionalData?.chargebackReasonCode ?? additionalData?.rfiReasonCode;
  const paymentReference = item.originalReference || null;
  const { attemptId } = readReference(item.merchantReference ?? '');
  return {
    kind: 'dispute',
    reference,
    paymentReference,
    ...(isId('attempt', attemptId) && { ourId: attemptId }),
    reported: {
      reference,
      paymentReference,
      status,
      ...money,
      reason: reasonOfNetwork(code),
      provider_reason: reasonCode(code),
      respond_by: isoTime(additionalData?.defensePeriodEndsAt),
      ...(item.eventCode === 'PREARBITRATION_OPEN' && { reopens: true }),
      opened_at: OPENING.has(item.eventCode) ? isoTime(eventDate) : undefined,
    },
  };
}
