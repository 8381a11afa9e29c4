import { byOf, failureOf } from '#functions/payment-timeline/payment-entries.rules.ts';
import type { TimelineEntry } from '#functions/payment-timeline/timeline.schema.ts';
import type { Dispute } from '#shared/domain/disputes/dispute.model.ts';
import type { Attempt, Capture, Payment, Refund } from '#shared/domain/payments/payment.model.ts';

/** What became of the money after the provider had it: captures, releases, refunds and disputes. */
export const moneyEntries = (payment: Payment, disputes: readonly Dispute[]): readonly TimelineEntry[] => [
  ...(payment.captures ?? []).map((capture) => captureEntry(payment, capture)),
  ...payment.attempts.flatMap(releaseEntries),
  ...payment.refunds.map((refund) => refundEntry(payment, refund)),
  ...disputes.flatMap(disputeEntries),
];

const OUTCOMES = { pending: 'is on its way', succeeded: 'succeeded', failed: 'failed' } as const;

const outcome = (what: string, { status, failure }: Pick<Refund, 'status' | 'failure'>): string =>
  `${what} ${OUTCOMES[status]}.${failure ? ` ${failure.message}` : ''}`;

function captureEntry({ currency }: Payment, capture: Capture): TimelineEntry {
  const { id, amount, status, failure, final, attempt_id, psp_reference, created_at } = capture;
  return {
    kind: 'capture',
    at: created_at,
    text: outcome(final ? 'The last capture' : 'A capture', capture),
    capture_id: id,
    attempt_id,
    amount,
    currency: capture.currency ?? currency,
    status,
    failure: failureOf(failure),
    final,
    psp_reference,
  };
}

const RELEASES: Readonly<Record<string, string>> = {
  cancel: 'the payment was canceled',
  expire: 'it had expired',
};

function releaseEntries({ id, release }: Attempt): readonly TimelineEntry[] {
  if (!release) return [];
  const what = release.done ? 'The authorization was released' : 'The authorization is being released';
  const why = RELEASES[release.reason] ?? 'the payment may not keep it';
  return [
    {
      kind: 'release',
      at: release.since,
      text: `${what}, because ${why}.`,
      attempt_id: id,
      reason: release.reason,
      is_done: release.done === true,
    },
  ];
}

function refundEntry({ currency }: Payment, refund: Refund): TimelineEntry {
  const { id, amount, status, reason, failure, attempt_id, psp_reference, created_at, automatic = false } = refund;
  return {
    kind: 'refund',
    at: created_at,
    text: outcome(automatic ? 'An automatic refund' : 'A refund', { status, failure: failure ?? null }),
    refund_id: id,
    attempt_id,
    amount,
    currency: refund.currency ?? currency,
    status,
    reason,
    failure: failureOf(failure),
    is_automatic: automatic,
    psp_reference,
  };
}

function disputeEntries(dispute: Dispute): readonly TimelineEntry[] {
  const { id, status, reason, amount, currency, respond_by, opened_at, closed_at, answer } = dispute;
  return [
    {
      kind: 'dispute',
      at: opened_at,
      text: `The customer disputed the charge: ${reason.replaceAll('_', ' ')}.`,
      dispute_id: id,
      status,
      reason,
      amount,
      currency,
      respond_by,
    },
    ...(answer ? [answerEntry(id, answer)] : []),
    ...(closed_at === null
      ? []
      : [
          {
            kind: 'dispute_closed',
            at: closed_at,
            text: `The dispute is over: ${status}.`,
            dispute_id: id,
            status,
          } as const,
        ]),
  ];
}

const answerEntry = (id: string, { type, at, by }: NonNullable<Dispute['answer']>): TimelineEntry => ({
  kind: 'dispute_answer',
  at,
  text: type === 'accept' ? 'The dispute was accepted.' : 'Evidence was sent to the provider.',
  dispute_id: id,
  answer: type,
  by: byOf(by),
});
