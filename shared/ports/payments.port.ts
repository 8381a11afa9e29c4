import type { Payment } from '#shared/domain/payments/payment.model.ts';
import type { ClaimTicket, Operation } from '#shared/kernel/operation.ts';
import type { ListPage } from '#shared/ports/list-page.port.ts';
import type { Item } from '#shared/ports/table.port.ts';

export type PaymentClaim =
  | { readonly state: 'new' | 'taken_over'; readonly payment: Payment; readonly operation: Operation }
  | { readonly state: 'running'; readonly retryAfter: number }
  | { readonly state: 'answered'; readonly payment: Payment }
  | { readonly state: 'reused' };

/** `undefined` from `decide`: nothing to change. It may be called again with a newer payment. */
export type Decide = (payment: Payment) => Payment | undefined;

export type ListWhere = {
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
   * Writes the payment that `plan` makes, which is at once the claim of the key; or finds the one an earlier request
   * made, also where `plan` refuses (an `AppError`).
   */
  claim(ticket: ClaimTicket, at: Date, plan: (operation: Operation) => Promise<Payment>): Promise<PaymentClaim>;
  /** The payment that this key made, if any, with whatever request. */
  claimed(ticket: ClaimTicket): Promise<Payment | undefined>;
  get(orgId: string, id: string): Promise<Payment | undefined>;
  /** Without an organization: for callers that check it themselves (the relay, the sweeper, callbacks). */
  byId(id: string): Promise<Payment | undefined>;
  /** The payment of this try of an operation, or of another try: then its id has another time. */
  ofAnyTry(id: string): Promise<Payment | undefined>;
  byReference(provider: string, reference: string): Promise<Payment | undefined>;
  /** Decides on the stored payment and writes on its version; a lost race decides again on the newer one. */
  change(payment: Payment, decide: Decide): Promise<Payment>;
  /** The payment in an item of the change feed. */
  read(item: Item): Payment;
  /** The payment as its create request was answered. */
  answered(payment: Payment): Promise<Payment>;
  list(orgId: string, connectionIds: readonly string[], where: ListWhere): Promise<ListPage<Payment>>;
}
