import { HERE } from '#lib/simulators/frame/wire.ts';
import { type Form, metadataOf, textAt, textsAt } from '#lib/simulators/stripe/form.ts';
import type { Session } from '#lib/simulators/stripe/objects.ts';

type Making = {
  readonly id: string;
  readonly amount: number;
  readonly currency: string;
  readonly livemode: boolean;
  readonly now: number;
  readonly expires_at: number;
};

/** An open session for a hosted page, as Stripe shows it. */
export function newSession(input: Form, { id, amount, currency, livemode, now, expires_at }: Making): Session {
  const allowed = textsAt(input, 'allowed_payment_method_types');
  return {
    id,
    object: 'checkout.session',
    after_expiration: null,
    allow_promotion_codes: null,
    allowed_payment_method_types: allowed.length > 0 ? allowed : null,
    amount_subtotal: amount,
    amount_total: amount,
    automatic_tax: { enabled: false, liability: null, provider: null, status: null },
    billing_address_collection: textAt(input, 'billing_address_collection'),
    cancel_url: textAt(input, 'cancel_url'),
    client_reference_id: textAt(input, 'client_reference_id'),
    client_secret: null,
    consent: null,
    consent_collection: null,
    created: now,
    currency,
    currency_conversion: null,
    custom_fields: [],
    custom_text: { after_submit: null, shipping_address: null, submit: null, terms_of_service_acceptance: null },
    customer: textAt(input, 'customer'),
    customer_account: null,
    customer_creation: 'if_required',
    customer_details: null,
    customer_email: textAt(input, 'customer_email'),
    discounts: [],
    expires_at,
    invoice: null,
    invoice_creation: { enabled: false },
    livemode,
    locale: textAt(input, 'locale'),
    metadata: metadataOf(input),
    mode: 'payment',
    payment_intent: null,
    payment_link: null,
    payment_method_collection: 'if_required',
    payment_method_configuration_details: null,
    payment_method_options: { card: { request_three_d_secure: 'automatic' } },
    payment_method_types: allowed.length > 0 ? allowed : ['card'],
    payment_status: 'unpaid',
    phone_number_collection: { enabled: false },
    recovered_from: null,
    setup_intent: null,
    shipping_address_collection: null,
    shipping_cost: null,
    shipping_options: [],
    status: 'open',
    submit_type: null,
    subscription: null,
    success_url: textAt(input, 'success_url'),
    total_details: { amount_discount: 0, amount_shipping: 0, amount_tax: 0 },
    ui_mode: 'hosted_page',
    url: `${HERE}/stripe/pay/${id}`,
    wallet_options: null,
  };
}
