import type { NetworkReport } from '#shared/domain/payments/network-report.model.ts';
import type { PaymentToken } from '#shared/domain/payments/payment-input.model.ts';

/** What a PSP tells beside the outcome of a charge. */
export type ChargeReport = {
  /** Fields that the PSP did not tell are missing. */
  readonly network?: NetworkReport;
  /**
   * The token of the payment method that the PSP has kept, as `ChargeOrder.save` or the merchant's account asked. It has
   * the form that the adapter takes as a token. It can charge the customer: whoever gets it seals it at once.
   */
  readonly saved?: PaymentToken;
};

/** The PSP shall keep the payment method for later charges. */
export type SaveOrder = {
  /** The customer as the PSP shall know them: 3 to 64 letters, digits and underscores, the same in each payment. */
  readonly customer: string;
};
