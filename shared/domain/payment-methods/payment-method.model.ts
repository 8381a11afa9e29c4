import type { CardReport } from '#shared/domain/payments/network-report.model.ts';
import type { PaymentToken } from '#shared/domain/payments/payment-input.model.ts';
import type { Stage } from '#shared/domain/reference/stage.model.ts';
import type { Provider } from '#shared/domain/routing/connection.model.ts';

/** So many methods a customer may have. They are read and deleted together. */
export const MAX_METHODS_OF_CUSTOMER = 50;

/** The largest set of tokens, as JSON, so that a method stays small beside a payment. */
export const MAX_TOKEN_SET_BYTES = 40_000;

/**
 * A token that can charge the method off-session. One that a PSP handed out is known to the account of that connection
 * alone. One that the merchant gave goes to any connection of its provider.
 */
export type SavedToken = {
  readonly provider: Provider;
  readonly token: PaymentToken;
  readonly connection_id?: string;
};

/** A customer's card or account, kept for later payments. Stored as is; the API shows it without internal fields. */
export type PaymentMethod = {
  readonly id: string;
  readonly org_id: string;
  readonly mode: Stage;
  readonly customer_id: string;
  readonly type: string;
  readonly card: CardReport | null;
  /** Those that have a token of it. */
  readonly providers: readonly Provider[];
  /** The network's id of the payment in which the customer agreed: later payments refer to it, at whichever PSP. */
  readonly network_transaction_id: string | null;
  readonly created_at: string;
  readonly updated_at: string;

  /** Internal fields from here on: no response shows them. */
  readonly version: number;
  readonly sealed_tokens: string;
  /** Keyed hashes of its tokens: the same card, saved again, is found by them. */
  readonly token_marks: readonly string[];
};

/** The longest `customer_id` that the API takes. No key of the table holds a longer one, so it is not looked up. */
export const MAX_CUSTOMER_ID = 200;

/** What we keep of a customer beside their methods. The merchant's reference names them; `version` 0: nothing yet. */
export type Customer = {
  readonly org_id: string;
  readonly customer_id: string;
  /** Oldest first. */
  readonly method_ids: readonly string[];
  readonly default_id: string | null;
  /** The erasure that runs: until it is done, nothing new is kept of this customer. */
  readonly erasure_id?: string;
  readonly version: number;
};

export type ShownMethod = Omit<PaymentMethod, 'version' | 'sealed_tokens' | 'token_marks'> & {
  readonly default: boolean;
};

/** The method as the API shows it. Tokens never are. */
export const showMethod = (
  { version: _, sealed_tokens: __, token_marks: ___, ...method }: PaymentMethod,
  { default_id }: Pick<Customer, 'default_id'>,
): ShownMethod => ({ ...method, default: method.id === default_id });
