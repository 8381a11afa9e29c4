import type { PaymentLink, PaymentLinkStatus } from '#shared/domain/links/payment-link.model.ts';

export type LinksQuery = {
  readonly limit: number;
  readonly offset: number;
  readonly cursor?: string;
  readonly status?: PaymentLinkStatus;
};

export type LinksPage = {
  readonly items: readonly PaymentLink[];
  readonly total: number;
  readonly next: string | undefined;
};

/** `again`: this payment has reserved a slot before, and keeps it. */
export type ReserveResult = 'held' | 'again' | 'busy' | 'closed';

export interface PaymentLinksPort {
  /** Returns this link, or the one that an earlier try of the same operation created. */
  create(link: PaymentLink): Promise<PaymentLink>;
  get(orgId: string, id: string): Promise<PaymentLink | undefined>;
  /** Needs no organization: anyone with the page's URL may pay. */
  byId(id: string): Promise<PaymentLink | undefined>;
  list(orgId: string, where: LinksQuery): Promise<LinksPage>;
  /** Some of those that name this customer. */
  ofCustomer(orgId: string, customerId: string, limit: number): Promise<readonly PaymentLink[]>;
  /** Takes a slot in one conditional write, so that no concurrency takes more slots than there are. */
  reserve(link: PaymentLink, paymentId: string, at: Date): Promise<ReserveResult>;
  /** Decides on the stored link and writes by its version. After a lost race it decides again on the newer one. */
  change(link: PaymentLink, decide: (link: PaymentLink) => PaymentLink | undefined): Promise<PaymentLink>;
}
