import { announce } from '#shared/domain/payments/payment.machine.ts';
import type { Attempt, Payment } from '#shared/domain/payments/payment.model.ts';
import type { AttemptConnection } from '#shared/domain/payments/verdict.model.ts';
import type { Stage } from '#shared/domain/reference/stage.model.ts';
import { derivedId, idTime } from '#shared/kernel/ids.ts';

/** A charge of ours that a provider has, and our records have lost. */
export type LostCharge = {
  readonly paymentId: string;
  readonly orgId: string;
  readonly connection: AttemptConnection;
  readonly reference: string;
  /** Our attempt's id, where the provider returns it. */
  readonly attemptId?: string | undefined;
  readonly amount: number;
  readonly currency: string;
  readonly description: string | null;
  readonly customerEmail: string | null;
  readonly chargedAt: string;
};

/** The payment method of a payment that was rebuilt: providers' lists do not say in our words what it was. */
const UNKNOWN_METHOD = 'unknown';

/**
 * The payment of a lost charge, before the provider's verdict on the charge is applied. It has its old id, and so its
 * old place: a repeat of its idempotency key finds it and charges nothing. What only we knew (the customer, metadata,
 * routing) is gone.
 */
export function recoveredPayment(charge: LostCharge, mode: Stage, at: Date): Payment {
  const { paymentId, orgId, connection, reference, amount, currency } = charge;
  const created_at = idTime(paymentId).toISOString();
  const payment: Payment = {
    id: paymentId,
    org_id: orgId,
    mode,
    amount,
    currency,
    status: 'processing',
    method: UNKNOWN_METHOD,
    country: null,
    customer_id: null,
    customer_email: charge.customerEmail,
    customer_ip: null,
    description: charge.description,
    metadata: {},
    connection_id: connection.connection_id,
    provider: connection.provider,
    psp_reference: reference,
    amount_refunded: 0,
    refunds: [],
    attempts: [recoveredAttempt(charge)],
    next_action: null,
    failure: null,
    late_success: false,
    review: null,
    routing: null,
    fraud: null,
    payment_link_id: null,
    created_at,
    updated_at: at.toISOString(),
    version: 1,
    intent: false,
    claim: { request: '', answered: true, recovered: true },
    sealed_method: null,
    return_url: null,
    alternatives: [],
    outbox: [],
    announced: 0,
  };
  return announce(payment, 'payment.created', at);
}

const recoveredAttempt = ({ paymentId, attemptId, connection, reference, chargedAt }: LostCharge): Attempt => ({
  id: attemptId ?? derivedId('attempt', new Date(chargedAt), paymentId, reference),
  ...connection,
  status: 'processing',
  failure: null,
  psp_reference: reference,
  latency_ms: null,
  started_at: chargedAt,
  phase: 'accepted',
});
