/** An address as an envelope has it. `country` is an ISO 3166 code of two letters. */
export type Address = {
  readonly line1?: string;
  readonly line2?: string;
  readonly city?: string;
  readonly state?: string;
  readonly postal_code?: string;
  readonly country?: string;
};

/** Whom a bill or a parcel goes to. `phone` is written internationally, with a plus. */
export type Contact = { readonly name?: string; readonly phone?: string; readonly address?: Address };

/** The customer's browser, as 3-D Secure 2 asks for it (EMV 3-D Secure, browser information). */
export type Browser = {
  readonly user_agent: string;
  readonly accept_header: string;
  readonly language: string;
  /** In bits. */
  readonly color_depth: number;
  /** In pixels. */
  readonly screen_height: number;
  readonly screen_width: number;
  /** In minutes, as JavaScript has it: UTC minus local time. */
  readonly time_zone_offset: number;
  readonly java_enabled: boolean;
  readonly javascript_enabled: boolean;
  /** The page that the customer pays on, such as `https://shop.example`. */
  readonly origin?: string;
};

/** Amounts are in minor units of the payment's currency, and of the whole line. */
export type OrderLine = {
  readonly name: string;
  readonly quantity: number;
  readonly unit_amount: number;
  readonly total_amount: number;
  readonly tax_amount?: number;
  readonly discount_amount?: number;
  readonly sku?: string;
  readonly kind?: 'physical' | 'digital' | 'shipping' | 'discount' | 'gift_card' | 'service';
  readonly url?: string;
  readonly image_url?: string;
};

export type Order = {
  readonly reference?: string;
  readonly tax_amount?: number;
  readonly shipping_amount?: number;
  readonly lines?: readonly OrderLine[];
};

/** Strong customer authentication: whether the merchant wants a challenge, and which exemption is asked for. */
export type Sca = {
  readonly challenge?: 'preferred' | 'required' | 'avoid';
  readonly exemption?: 'low_value' | 'transaction_risk_analysis' | 'trusted_beneficiary' | 'secure_corporate';
};

/**
 * A payment that the merchant initiates while the customer is absent. `network_transaction_id` is that of the payment
 * in which the customer agreed, and keeps the chain when a card moves to another PSP.
 */
export type MerchantInitiated = {
  readonly reason: 'recurring' | 'instalment' | 'unscheduled';
  readonly network_transaction_id?: string;
};

/** What a payment passes on to its PSP. It is sealed with the payment method, and no response shows it. */
export type PaymentDetails = {
  readonly billing?: Contact;
  readonly shipping?: Contact;
  readonly browser?: Browser;
  readonly statement_descriptor?: string;
  readonly statement_descriptor_suffix?: string;
  readonly order?: Order;
  readonly sca?: Sca;
  readonly mit?: MerchantInitiated;
};

export const PAYMENT_DETAILS = [
  'billing',
  'shipping',
  'browser',
  'statement_descriptor',
  'statement_descriptor_suffix',
  'order',
  'sca',
  'mit',
] as const satisfies readonly (keyof PaymentDetails)[];
