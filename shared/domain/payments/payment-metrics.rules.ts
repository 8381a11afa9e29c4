import type { Attempt, Payment, PaymentStatus } from '#shared/domain/payments/payment.model.ts';
import type { Metric } from '#shared/domain/reference/metrics.catalog.ts';
import { PROBE_ORGANIZATION } from '#shared/domain/reference/probe.rules.ts';

const OUTCOMES: readonly PaymentStatus[] = ['succeeded', 'failed', 'canceled', 'refunded'];

/**
 * The metrics of a change, computed only from the payment before and after it, so that no code that changes payments
 * has to count. What the probe does is no business.
 */
export function metricsOf(old: Payment | undefined, next: Payment | undefined): readonly Metric[] {
  if (!next || next.org_id === PROBE_ORGANIZATION) return [];
  const calls = next.attempts.flatMap((attempt) =>
    pspCallMetrics(
      old?.attempts.find(({ id }) => id === attempt.id),
      attempt,
      next.id,
    ),
  );
  return [...calls, ...settledMetrics(old, next), ...reviewMetrics(old, next)];
}

function settledMetrics(old: Payment | undefined, { id, status, provider, failure }: Payment): readonly Metric[] {
  if (old?.status === status || !OUTCOMES.includes(status)) return [];
  // Nobody has captured it: the provider did nothing wrong.
  if (failure?.code === 'authorization_expired') return [];
  return [{ event: 'payment_settled', fields: { provider: provider ?? 'none', outcome: status, resource_id: id } }];
}

function pspCallMetrics(
  before: Attempt | undefined,
  { provider, phase, latency_ms }: Attempt,
  resource_id: string,
): readonly Metric[] {
  if ((before?.phase ?? 'calling') !== 'calling' || phase === 'calling') return [];
  const fields = { provider, verdict: phase === 'unknown' ? 'none' : 'given', resource_id };
  return [{ event: 'psp_called', fields: latency_ms === null ? fields : { ...fields, psp_latency_ms: latency_ms } }];
}

/** A new review has a new time, so each is counted. The metric names the payment for the person who gets the alarm. */
function reviewMetrics(old: Payment | undefined, { id, org_id, review }: Payment): readonly Metric[] {
  if (!review || (old?.review?.at === review.at && old.review.reason === review.reason)) return [];
  return [{ event: 'review_begun', fields: { reason: review.reason, payment_id: id, org_id } }];
}
