/** Leads from the id of a refund to its payment. */
export interface RefundIndexPort {
  /** The payment that the refund was made for; undefined for refunds of releases that did not file them. */
  paymentOf(refundId: string): Promise<string | undefined>;
}
