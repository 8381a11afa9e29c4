import type { Metric } from '#shared/domain/metrics.catalog.ts';
import type { Attempt, Payment, PaymentStatus } from '#shared/domain/payment.model.ts';

const OUTCOMES: readonly PaymentStatus[] = ['succeeded', 'failed', 'canceled', 'refunded'];

/** What a payment's change is counted as. All of it follows from the two images, so that whoever changes a payment need not think of it. */
export function metricsOf(old: Payment | undefined, next: Payment | undefined): readonly Metric[] {
  if (!next) return [];
  const calls = next.attempts.flatMap((attempt) =>
    called(
      old?.attempts.find(({ id }) => id === attempt.id),
      attempt,
    ),
  );
  return [...calls, ...settled(old, next), ...reviewed(old, next)];
}

function settled(old: Payment | undefined, { status, provider }: Payment): readonly Metric[] {
  if (old?.status === status || !OUTCOMES.includes(status)) return [];
  return [{ event: 'payment_settled', fields: { provider: provider ?? 'none', outcome: status } }];
}

function called(before: Attempt | undefined, { provider, phase, latency_ms }: Attempt): readonly Metric[] {
  if ((before?.phase ?? 'calling') !== 'calling' || phase === 'calling') return [];
  const fields = { provider, verdict: phase === 'unknown' ? 'none' : 'given' };
  return [{ event: 'psp_called', fields: latency_ms === null ? fields : { ...fields, psp_latency_ms: latency_ms } }];
}

/** A second one may follow a first: each has its time. It names the payment, for whoever is woken by it. */
function reviewed(old: Payment | undefined, { id, org_id, review }: Payment): readonly Metric[] {
  if (!review || (old?.review?.at === review.at && old.review.reason === review.reason)) return [];
  return [{ event: 'review_begun', fields: { reason: review.reason, payment_id: id, org_id } }];
}
