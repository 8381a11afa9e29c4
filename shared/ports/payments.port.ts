import type { Payment } from '#shared/domain/payments/payment.model.ts';
import type { ListPage } from '#shared/domain/reference/page.rules.ts';
import type { IdempotencyRequest, Operation } from '#shared/kernel/operation.ts';

export type PaymentClaim =
  | { readonly state: 'new' | 'taken_over'; readonly payment: Payment; readonly operation: Operation }
  | { readonly state: 'running'; readonly retryAfter: number }
  | { readonly state: 'completed'; readonly payment: Payment }
  | { readonly state: 'reused' };

/** `undefined` from `decide`: nothing to change. It may be called again with a newer payment. */
export type Decide = (payment: Payment) => Payment | undefined;

export type PaymentsQuery = {
  readonly limit: number;
  readonly offset: number;
  readonly cursor?: string;
  readonly status?: string;
  readonly customer_id?: string;
  readonly connection_id?: string;
  readonly currency?: string;
  readonly created_after?: string;
  readonly created_before?: string;
};

export interface PaymentsPort {
  /**
   * Stores the payment that `plan` returns, which also claims the idempotency key. Or finds the one that an earlier
   * request stored, also where `plan` throws an `AppError`.
   */
  claim(
    idempotencyRequest: IdempotencyRequest,
    at: Date,
    plan: (operation: Operation) => Promise<Payment>,
  ): Promise<PaymentClaim>;
  /** Stores a payment that was rebuilt from its provider. Returns it, or the one that has its place already. */
  create(payment: Payment): Promise<Payment>;
  /** The payment that was created with this key, whatever its request was. */
  byIdempotencyKey(idempotencyRequest: IdempotencyRequest): Promise<Payment | undefined>;
  get(orgId: string, id: string): Promise<Payment | undefined>;
  /** Without an organization: for callers that check it themselves (the relay, the sweeper, callbacks). */
  byId(id: string): Promise<Payment | undefined>;
  /**
   * The same for half the cost, as it was a moment ago and without the refunds that its item does not hold. What it
   * does not show may have happened since.
   */
  recent(id: string): Promise<Payment | undefined>;
  /** The payment of this operation. If another try of the request created it, its id has another time. */
  byOperationId(id: string): Promise<Payment | undefined>;
  byReference(provider: string, reference: string): Promise<Payment | undefined>;
  /** Decides on the stored payment and writes on its version; after a conflict it decides again, on the newer one. */
  change(payment: Payment, decide: Decide, decided?: Payment): Promise<Payment>;
  /** A payment of the change feed, with the refunds that its item does not hold. */
  withAllRefunds(payment: Payment): Payment | Promise<Payment>;
  /** The payment as its create request was answered. */
  createResponse(payment: Payment): Promise<Payment>;
  list(orgId: string, connectionIds: readonly string[], where: PaymentsQuery): Promise<ListPage<Payment>>;
}
