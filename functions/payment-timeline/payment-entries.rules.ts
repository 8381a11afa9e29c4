import type { Cause, EntryOf, TimelineEntry } from '#functions/payment-timeline/timeline.schema.ts';
import type { Attempt, Failure, Payment, PaymentAct, RoutingNote } from '#shared/domain/payments/payment.model.ts';
import { ID_PREFIX } from '#shared/kernel/ids.ts';

/** What the payment's own record tells of its way from its creation to its outcome. */
export const paymentEntries = (payment: Payment, createdBy: Cause | null): readonly TimelineEntry[] => [
  createdEntry(payment, createdBy),
  ...fraudEntries(payment),
  ...routingEntries(payment),
  ...payment.attempts.map((attempt, n) => attemptEntry(payment, attempt, n)),
  ...payment.attempts.flatMap(pollEntries),
  ...reviewEntries(payment),
  ...receiptEntries(payment),
  ...(payment.acts ?? []).map(actEntry),
];

export const failureOf = (failure: Failure | null | undefined) =>
  failure
    ? {
        code: failure.code,
        category: failure.category,
        message: failure.message,
        provider_code: failure.provider_code,
      }
    : null;

/** Whose an id is, by its prefix. */
export function byOf(id: string): EntryOf<'action'>['by'] {
  if (id.startsWith(`${ID_PREFIX.user}_`)) return { type: 'user', id };
  return { type: id.startsWith(`${ID_PREFIX.execution}_`) ? 'workflow_run' : 'api_key', id };
}

function createdEntry(payment: Payment, by: Cause | null): TimelineEntry {
  const { created_at, amount, currency, payment_link_id, invoice_id, intent } = payment;
  const common = { kind: 'created', at: created_at, amount, currency, by } as const;
  if (invoice_id) return { ...common, origin: 'invoice', origin_id: invoice_id, text: 'Made to collect an invoice.' };
  if (payment_link_id)
    return {
      ...common,
      origin: 'payment_link',
      origin_id: payment_link_id,
      text: 'Made on the page of a payment link.',
    };
  const text = intent ? 'Made by the API, to be confirmed later.' : 'Made by the API.';
  return { ...common, origin: 'api', origin_id: null, text };
}

function fraudEntries({ fraud, created_at, attempts }: Payment): readonly TimelineEntry[] {
  if (!fraud) return [];
  const because = fraud.reasons.length > 0 ? `, because of ${fraud.reasons.join(', ')}` : '';
  return [
    {
      kind: 'fraud_checked',
      at: attempts[0]?.started_at ?? created_at,
      text: `The fraud policy decided: ${fraud.decision}${because}.`,
      decision: fraud.decision,
      reasons: [...fraud.reasons],
    },
  ];
}

/**
 * A payment keeps its latest routing decision. Its newest attempt at the connection that was chosen follows from it, as
 * failover tries no connection twice.
 */
function routingEntries(payment: Payment): readonly TimelineEntry[] {
  const { routing, attempts, created_at, acts = [] } = payment;
  if (!routing) return [];
  const chosen = routing.considered.find(({ usable }) => usable)?.connection_id;
  const started = attempts.findLast(({ connection_id }) => connection_id === chosen);
  const retried = acts.findLast(({ type }) => type === 'retry');
  return [
    {
      kind: 'routed',
      at: started?.started_at ?? retried?.at ?? created_at,
      text: whyRouted(routing, chosen),
      source: routing.source,
      rule_id: routing.rule_id ?? null,
      ab_test_id: routing.ab_test_id ?? null,
      variant: routing.variant ?? null,
      considered: [...routing.considered],
      stopped: routing.stopped ?? null,
    },
  ];
}

function whyRouted({ source, rule_id, variant, stopped }: RoutingNote, connectionId: string | undefined): string {
  const chosen = connectionId === undefined ? 'found no connection that could take it' : `chose ${connectionId}`;
  const because = {
    ab_test: `Variant ${variant} of an A/B test ${chosen}.`,
    rule: `Routing rule ${rule_id} ${chosen}.`,
    default: rule_id
      ? `Routing rule ${rule_id} matched, but its connection could not take it: default routing ${chosen}.`
      : `No routing rule matched: default routing ${chosen}.`,
  }[source];
  return stopped ? `${because} It went no further, as this payment method was declined too often.` : because;
}

function attemptEntry(payment: Payment, attempt: Attempt, n: number): TimelineEntry {
  const { id, connection_id, provider, status, failure, latency_ms, psp_reference, started_at, phase } = attempt;
  const isLate = payment.late_success && status === 'succeeded';
  return {
    kind: 'attempt',
    at: started_at,
    text: `Attempt ${n + 1} at ${provider}: ${outcomeText(attempt, isLate)}`,
    attempt_id: id,
    number: n + 1,
    connection_id,
    provider,
    status,
    failure: failureOf(failure),
    latency_ms,
    psp_reference,
    is_known: phase === 'final',
    is_late: isLate,
    ab_test: attempt.ab_test ?? null,
  };
}

function outcomeText({ status, failure, phase, handed_out, ending }: Attempt, isLate: boolean): string {
  if (isLate) return 'it succeeded late, after the payment had been given up.';
  if (status === 'failed') return `it failed. ${failure?.message ?? 'The provider gave no reason.'}`;
  if (status === 'requires_action') return 'the customer has to act.';
  if (status === 'canceled') return ending === 'expire' ? 'it expired.' : 'it was canceled.';
  if (status === 'processing') return WAITING[phase];
  const after = handed_out ? ' after the customer had acted' : '';
  return status === 'authorized' ? `the amount was authorized${after}.` : `it succeeded${after}.`;
}

const WAITING: Readonly<Record<Attempt['phase'], string>> = {
  calling: 'the provider is being called.',
  unknown: 'the provider gave no readable response, so it is asked what became of it.',
  accepted: 'the provider has it, and has not decided yet.',
  final: 'the provider has decided.',
};

const pollEntries = ({ id, provider, asked_at, asks }: Attempt): readonly TimelineEntry[] =>
  asked_at === undefined
    ? []
    : [
        {
          kind: 'polled',
          at: asked_at,
          text: `${provider} was asked what became of the attempt; this was the last time.`,
          attempt_id: id,
          provider,
          polls: asks ?? null,
        },
      ];

const REVIEWS: Readonly<Record<string, string>> = {
  no_verdict: 'the provider never said what became of it',
  amount_mismatch: 'the provider charged another amount',
  refund_failed: 'a refund failed',
  capture_failed: 'a capture failed',
};

const reviewEntries = ({ review }: Payment): readonly TimelineEntry[] =>
  review
    ? [
        {
          kind: 'review',
          at: review.at,
          text: `A person has to look at it: ${REVIEWS[review.reason] ?? review.reason}.`,
          reason: review.reason,
        },
      ]
    : [];

const receiptEntries = ({ receipt }: Payment): readonly TimelineEntry[] =>
  receipt
    ? [
        {
          kind: 'receipt',
          at: receipt.at,
          text: receipt.pending ? 'The receipt is being mailed.' : 'The receipt was mailed to the customer.',
          is_sent: !receipt.pending,
        },
      ]
    : [];

const ACTS: Readonly<Record<PaymentAct['type'], string>> = {
  capture: 'asked for a capture',
  cancel: 'asked to cancel it',
  end_review: 'ended its review',
  refund: 'asked for a refund',
  retry: 'asked for another attempt',
};

function actEntry({ type, at, by, made }: PaymentAct): TimelineEntry {
  const who = byOf(by);
  const text = `${SUBJECTS[who.type]} ${ACTS[type]}.`;
  return { kind: 'action', at, text, action: type, by: who, resource_id: made ?? null };
}

const SUBJECTS = { user: 'A member', api_key: 'An API key', workflow_run: 'A workflow run' } as const;
