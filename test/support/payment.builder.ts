import { createHash } from 'node:crypto';
import { declineOf, type FailureCode, failureOf } from '#shared/domain/payments/declines.catalog.ts';
import type {
  Attempt,
  CallPhase,
  Failure,
  Payment,
  PaymentStatus,
  Refund,
} from '#shared/domain/payments/payment.model.ts';
import { refundDecline, refundFailureOf } from '#shared/domain/payments/refund-failures.catalog.ts';
import type { Verdict } from '#shared/domain/payments/verdict.model.ts';
import type { Connection } from '#shared/domain/routing/connection.model.ts';
import { idFrom } from '#shared/kernel/ids.ts';
import { later, START } from '#test/support/stopped-clock.ts';

export const ORG = 'org_01jqeh2s00e8x9v3k5t7w2m4np';

const bits = (text: string) => createHash('sha256').update(text).digest();

/** The id of the nth payment; a higher number is a newer payment. */
export const paymentId = (n: number): string => idFrom('payment', later(n * 1_000), bits(`payment ${n}`));

export const aFailure = (code: FailureCode = 'card_declined'): Failure => failureOf(declineOf(code));

const PHASE: Record<Attempt['status'], CallPhase> = {
  processing: 'calling',
  requires_action: 'accepted',
  authorized: 'final',
  succeeded: 'final',
  failed: 'final',
  canceled: 'final',
};

/** A new attempt by default: just stored, with its call running. */
export function anAttempt(about: Partial<Attempt> = {}): Attempt {
  const { id = 'att_1', status = 'processing', phase = PHASE[status] } = about;
  return {
    id,
    connection_id: 'conn_a',
    provider: 'stripe',
    status,
    phase,
    failure: status === 'failed' ? aFailure() : null,
    psp_reference: phase === 'calling' || phase === 'unknown' ? null : `ref of ${id}`,
    latency_ms: null,
    started_at: START.toISOString(),
    ...about,
  };
}

const BEGUN: Record<PaymentStatus, readonly Attempt[]> = {
  created: [],
  processing: [anAttempt()],
  requires_action: [anAttempt({ status: 'requires_action' })],
  authorized: [anAttempt({ status: 'authorized' })],
  succeeded: [anAttempt({ status: 'succeeded' })],
  failed: [anAttempt({ status: 'failed' })],
  canceled: [anAttempt({ status: 'canceled' })],
  refunded: [anAttempt({ status: 'succeeded' })],
};

/** A payment over USD 50.00 at `conn_a`; its attempts follow from its status, and its fields from the attempts. */
export function aPayment(about: Partial<Payment> = {}): Payment {
  const { status = 'processing', attempts = BEGUN[status], amount = 5_000, refunds = [] } = about;
  const shown = attempts.find((a) => a.status === 'succeeded') ?? attempts.at(-1);
  return {
    id: paymentId(1),
    org_id: ORG,
    mode: 'sandbox',
    amount,
    currency: 'USD',
    status,
    method: 'card',
    country: null,
    customer_id: null,
    customer_email: null,
    customer_ip: null,
    description: null,
    metadata: {},
    connection_id: shown?.connection_id ?? null,
    provider: shown?.provider ?? null,
    psp_reference: shown?.psp_reference ?? null,
    amount_refunded: refunds
      .filter((r) => r.status === 'succeeded' && !r.automatic)
      .reduce((sum, r) => sum + r.amount, 0),
    refunds,
    attempts,
    next_action:
      status === 'requires_action' ? { type: 'redirect', url: 'https://psp.example/step', method: 'GET' } : null,
    failure: status === 'failed' ? (shown?.failure ?? aFailure()) : null,
    late_success: false,
    review: null,
    routing: null,
    fraud: null,
    payment_link_id: null,
    created_at: START.toISOString(),
    updated_at: START.toISOString(),
    version: 1,
    intent: false,
    claim: null,
    sealed_method: null,
    return_url: null,
    alternatives: [],
    outbox: [],
    announced: 0,
    ...about,
  };
}

/** A succeeded refund by default; with another status, the phase that goes with it. */
export function aRefund(about: Partial<Refund> = {}): Refund {
  const { id = 're_1', status = 'succeeded', phase = status === 'pending' ? 'calling' : 'final' } = about;
  return {
    id,
    amount: 1_000,
    status,
    reason: null,
    failure: status === 'failed' ? refundFailureOf(refundDecline('refund_declined')) : null,
    metadata: {},
    attempt_id: 'att_1',
    psp_reference: phase === 'calling' || phase === 'unknown' ? null : `ref of ${id}`,
    created_at: START.toISOString(),
    phase,
    ...about,
  };
}

type ConnectionAbout = Partial<Omit<Connection, 'capabilities' | 'routing_hints'>> & {
  readonly capabilities?: Partial<Connection['capabilities']>;
  readonly routing_hints?: Partial<Connection['routing_hints']>;
};

/** An active sandbox connection that accepts cards in every currency and country. */
export function aConnection({ capabilities, routing_hints, ...about }: ConnectionAbout = {}): Connection {
  return {
    id: 'conn_a',
    org_id: ORG,
    provider: 'stripe',
    mode: 'sandbox',
    status: 'active',
    capabilities: {
      methods: ['card'],
      currencies: 'all',
      countries: 'all',
      refunds: true,
      partial_refunds: true,
      cancel: true,
      off_session: true,
      ...capabilities,
    },
    routing_hints: { country_preference: [], method_bias: {}, fallback_only: false, ...routing_hints },
    labels: [],
    workflow_id: null,
    fee_structure: null,
    last_validated_at: null,
    last_validation_status: 'never',
    last_validation_error: null,
    validation_failures: 0,
    name_match_status: 'unknown',
    created_at: START.toISOString(),
    updated_at: START.toISOString(),
    version: 1,
    audits: 1,
    used_by_rules: 0,
    generation: 1,
    former: [],
    sealed_credentials: 'sealed',
    ...about,
  };
}

type Said<K extends Verdict['kind']> = Extract<Verdict, { kind: K }>;

/** The verdicts of a PSP on an attempt. */
export const says = {
  succeeded: (about: Partial<Said<'succeeded'>> = {}): Verdict => ({
    kind: 'succeeded',
    reference: 'ch_1',
    amount: 5_000,
    currency: 'USD',
    ...about,
  }),
  requiresAction: (about: Partial<Said<'requires_action'>> = {}): Verdict => ({
    kind: 'requires_action',
    reference: 'ch_1',
    action: { type: 'redirect', url: 'https://psp.example/3ds', method: 'GET' },
    ...about,
  }),
  processing: (about: Partial<Said<'processing'>> = {}): Verdict => ({
    kind: 'processing',
    reference: 'ch_1',
    ...about,
  }),
  failed: (about: Partial<Said<'failed'>> = {}): Verdict => ({
    kind: 'failed',
    reference: 'ch_1',
    failure: aFailure(),
    allowsFailover: false,
    ...about,
  }),
  canceled: (about: Partial<Said<'canceled'>> = {}): Verdict => ({ kind: 'canceled', reference: 'ch_1', ...about }),
  nothing: (): Verdict => ({ kind: 'unknown' }),
} as const;

/** The types of the announced events of a payment, in order. */
export const announced = (payment: Payment): readonly string[] => payment.outbox.map((stub) => stub.type);

/** What an event shows of a payment. */
export const aPaymentSnapshot = (about: Readonly<Record<string, unknown>> = {}) => ({
  id: 'pay_1',
  amount: 5_000,
  currency: 'EUR',
  status: 'created',
  provider: null,
  customer_id: null,
  metadata: {},
  ...about,
});
