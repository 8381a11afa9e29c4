import type { Invoice, InvoiceStatus } from '#shared/domain/billing/invoice.model.ts';
import type { RetryPolicy } from '#shared/domain/billing/retry-policy.rules.ts';
import type { Subscription } from '#shared/domain/billing/subscription.model.ts';
import type { Payment } from '#shared/domain/payments/payment.model.ts';
import type { ListPage } from '#shared/domain/reference/page.rules.ts';

export type InvoicesQuery = {
  readonly limit: number;
  readonly offset: number;
  readonly cursor?: string;
  readonly status?: InvoiceStatus;
  readonly customer_id?: string;
  readonly plan_id?: string;
  readonly subscription_id?: string;
  readonly created_after?: string;
  readonly created_before?: string;
};

export interface InvoicesPort {
  get(orgId: string, id: string): Promise<Invoice | undefined>;
  /** Without an organization: for callers that check it themselves (the relay, the sweeper). */
  byId(id: string): Promise<Invoice | undefined>;
  list(orgId: string, where: InvoicesQuery): Promise<ListPage<Invoice>>;
  /** Decides on the stored invoice and writes on its version; after a conflict it decides again, on the newer one. */
  change(invoice: Invoice, decide: (invoice: Invoice) => Invoice | undefined): Promise<Invoice>;
}

/** A record as it was read, and its new state. Without `before` the record is new. */
export type RecordWrite<T> = { readonly before?: T; readonly after: T };

/** Records to write in one transaction. `unchanged` is not written, but must not have changed since it was read. */
export type BillingWrites = {
  readonly subscription?: RecordWrite<Subscription> | { readonly unchanged: Subscription };
  readonly invoice: RecordWrite<Invoice>;
  readonly payment?: RecordWrite<Payment>;
};

export interface BillingPort {
  /**
   * All or nothing; false, with nothing written, if a record changed since it was read, or a new one exists already.
   */
  commit(billing: BillingWrites): Promise<boolean>;
}

export interface RetryPoliciesPort {
  /** A plan's policy. With an empty `planId`: the organization's default policy. */
  get(orgId: string, planId: string): Promise<RetryPolicy | undefined>;
  /** Sorted by plan, the organization's default first. */
  list(orgId: string): Promise<readonly RetryPolicy[]>;
  /** False if another one was saved since `before` was read. */
  save(before: RetryPolicy | undefined, after: RetryPolicy): Promise<boolean>;
}
