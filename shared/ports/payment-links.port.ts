import type { PaymentLink, PaymentLinkStatus } from '#shared/domain/payment-link.model.ts';
import type { Item } from '#shared/ports/table.port.ts';

export type LinksWhere = { readonly limit: number; readonly offset: number; readonly cursor?: string; readonly status?: PaymentLinkStatus };

export type LinksPage = { readonly items: readonly PaymentLink[]; readonly total: number; readonly next: string | undefined };

/** `again`: this payment has asked before, and what it got then stands. */
export type Reserved = 'held' | 'again' | 'busy' | 'closed';

export interface PaymentLinksPort {
  /** The given one, or what an earlier try of the same operation has made. */
  create(link: PaymentLink): Promise<PaymentLink>;
  get(orgId: string, id: string): Promise<PaymentLink | undefined>;
  /** Without knowing the organization: whoever has the address of its page may pay. */
  byId(id: string): Promise<PaymentLink | undefined>;
  list(orgId: string, where: LinksWhere): Promise<LinksPage>;
  /** Takes a slot for a payment, in one conditional write: however many ask at once, no more get one than there are. */
  reserve(link: PaymentLink, paymentId: string, at: Date): Promise<Reserved>;
  /** Decides on the link at hand and writes on its version; a lost race decides again on what won. */
  change(link: PaymentLink, decide: (link: PaymentLink) => PaymentLink | undefined): Promise<PaymentLink>;
  /** The link in an item of the change feed. */
  read(item: Item): PaymentLink;
}
