import type { PaymentLink, PaymentLinkStatus } from '#shared/domain/links/payment-link.model.ts';
import type { Item } from '#shared/ports/table.port.ts';

export type LinksWhere = {
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

/** `again`: this payment has asked before, and keeps what it got then. */
export type Reserved = 'held' | 'again' | 'busy' | 'closed';

export interface PaymentLinksPort {
  /** This link, or the one that an earlier try of the same operation made. */
  create(link: PaymentLink): Promise<PaymentLink>;
  get(orgId: string, id: string): Promise<PaymentLink | undefined>;
  /** Without an organization: anyone with the page's URL may pay. */
  byId(id: string): Promise<PaymentLink | undefined>;
  list(orgId: string, where: LinksWhere): Promise<LinksPage>;
  /** Takes a slot in one conditional write: never more than there are, under any concurrency. */
  reserve(link: PaymentLink, paymentId: string, at: Date): Promise<Reserved>;
  /** Decides on the stored link and writes on its version; a lost race decides again on the newer one. */
  change(link: PaymentLink, decide: (link: PaymentLink) => PaymentLink | undefined): Promise<PaymentLink>;
  /** The link in an item of the change feed. */
  read(item: Item): PaymentLink;
}
