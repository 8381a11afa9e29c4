import type { Erasure } from '#shared/domain/payment-methods/erasure.model.ts';

/** How many records name a customer. */
export type CustomerCounts = {
  readonly payments: number;
  readonly payment_links: number;
  readonly invoices: number;
  readonly subscriptions: number;
};

export interface ErasuresPort {
  byId(id: string): Promise<Erasure | undefined>;
  /** Returns it, or the one that an earlier try of the same request stored in its place. */
  create(erasure: Erasure): Promise<Erasure>;
  change(erasure: Erasure, decide: (erasure: Erasure) => Erasure | undefined): Promise<Erasure>;
  /** It is done: its record, which names the customer, goes too. */
  end(erasure: Erasure): Promise<void>;
  /** The stored response of the request that created the payment, if there is one. */
  eraseResponse(paymentId: string): Promise<void>;
  counts(orgId: string, customerId: string): Promise<CustomerCounts>;
}
