import type { BodyShape } from '#lib/simulators/stripe/requests.ts';

const CAPTURE_METHODS = { oneOf: ['automatic', 'automatic_async', 'manual'] };
const FUTURE_USAGES = { oneOf: ['off_session', 'on_session'] };

const ADDRESS: BodyShape = {
  city: 'text',
  country: 'text',
  line1: 'text',
  line2: 'text',
  postal_code: 'text',
  state: 'text',
};

const SHIPPING: BodyShape = {
  address: { fields: ADDRESS },
  carrier: 'text',
  name: 'text',
  phone: 'text',
  tracking_number: 'text',
};

const USAGES = { oneOf: ['installment', 'recurring', 'unscheduled'] };
const IF_AVAILABLE = { oneOf: ['if_available', 'never'] };

const CARD_OPTIONS: BodyShape = {
  capture_method: { oneOf: ['manual'] },
  cvc_token: 'text',
  installments: 'hash',
  mandate_options: 'hash',
  moto: 'boolean',
  network: 'text',
  request_extended_authorization: IF_AVAILABLE,
  request_incremental_authorization: IF_AVAILABLE,
  request_multicapture: IF_AVAILABLE,
  request_overcapture: IF_AVAILABLE,
  request_three_d_secure: { oneOf: ['any', 'automatic', 'challenge'] },
  require_cvc_recollection: 'boolean',
  setup_credential_usage: USAGES,
  setup_future_usage: FUTURE_USAGES,
  statement_descriptor_suffix_kana: 'text',
  statement_descriptor_suffix_kanji: 'text',
  stored_credential_usage: USAGES,
  three_d_secure: 'hash',
};

const METHOD_OPTIONS: BodyShape = {
  ...Object.fromEntries(
    'alipay bancontact customer_balance eps ideal klarna link p24 paypal sepa_debit us_bank_account'
      .split(' ')
      .map((type) => [type, 'hash' as const]),
  ),
  card: { fields: CARD_OPTIONS },
};

const AMOUNT_DETAILS: BodyShape = {
  discount_amount: 'integer',
  enforce_arithmetic_validation: 'boolean',
  line_items: {
    items: {
      discount_amount: 'integer',
      payment_method_options: 'hash',
      product_code: 'text',
      product_name: 'text',
      quantity: 'integer',
      tax: { fields: { total_tax_amount: 'integer' } },
      unit_cost: 'integer',
      unit_of_measure: 'text',
    },
  },
  shipping: { fields: { amount: 'integer', from_postal_code: 'text', to_postal_code: 'text' } },
  tax: { fields: { total_tax_amount: 'integer' } },
};

export const CREATE_CUSTOMER: BodyShape = {
  address: { fields: ADDRESS },
  description: 'text',
  email: 'text',
  expand: 'texts',
  metadata: 'metadata',
  name: 'text',
  payment_method: 'text',
  phone: 'text',
  preferred_locales: 'texts',
  shipping: { fields: SHIPPING },
};

/** Parameters that create and confirm share. */
const PAYING_PARAMETERS = {
  allowed_payment_method_types: 'texts',
  amount_details: { fields: AMOUNT_DETAILS },
  capture_method: CAPTURE_METHODS,
  confirmation_token: 'text',
  error_on_requires_action: 'boolean',
  excluded_payment_method_types: 'texts',
  expand: 'texts',
  hooks: 'hash',
  mandate: 'text',
  mandate_data: 'hash',
  off_session: { oneOf: ['true', 'false', 'one_off', 'recurring'] },
  payment_details: { fields: { customer_reference: 'text', order_reference: 'text' } },
  payment_method: 'text',
  payment_method_data: 'hash',
  payment_method_options: { fields: METHOD_OPTIONS },
  radar_options: 'hash',
  receipt_email: 'text',
  return_url: 'text',
  setup_future_usage: FUTURE_USAGES,
  shipping: { fields: SHIPPING },
  use_stripe_sdk: 'boolean',
} as const satisfies BodyShape;

export const CREATE_INTENT: BodyShape = {
  ...PAYING_PARAMETERS,
  amount: 'integer',
  application_fee_amount: 'integer',
  automatic_payment_methods: { fields: { enabled: 'boolean', allow_redirects: { oneOf: ['always', 'never'] } } },
  confirm: 'boolean',
  confirmation_method: { oneOf: ['automatic', 'manual'] },
  currency: 'text',
  customer: 'text',
  customer_account: 'text',
  description: 'text',
  metadata: 'metadata',
  on_behalf_of: 'text',
  payment_method_configuration: 'text',
  statement_descriptor: 'text',
  statement_descriptor_suffix: 'text',
  transfer_data: 'hash',
  transfer_group: 'text',
};

export const CONFIRM_INTENT: BodyShape = { ...PAYING_PARAMETERS, amount_to_confirm: 'integer' };

export const CAPTURE_INTENT: BodyShape = {
  amount_details: 'hash',
  amount_to_capture: 'integer',
  application_fee_amount: 'integer',
  expand: 'texts',
  final_capture: 'boolean',
  hooks: 'hash',
  metadata: 'metadata',
  payment_details: 'hash',
  statement_descriptor: 'text',
  statement_descriptor_suffix: 'text',
  transfer_data: 'hash',
};

export const CANCEL_INTENT: BodyShape = {
  cancellation_reason: { oneOf: ['duplicate', 'fraudulent', 'requested_by_customer', 'abandoned'] },
  expand: 'texts',
};

export const CREATE_REFUND: BodyShape = {
  amount: 'integer',
  charge: 'text',
  currency: 'text',
  customer: 'text',
  expand: 'texts',
  instructions_email: 'text',
  metadata: 'metadata',
  origin: 'text',
  payment_intent: 'text',
  reason: { oneOf: ['duplicate', 'fraudulent', 'requested_by_customer'] },
  refund_application_fee: 'boolean',
  reverse_transfer: 'boolean',
};

export const UPDATE_DISPUTE: BodyShape = {
  evidence: 'hash',
  expand: 'texts',
  intended_submission_method: { oneOf: ['manual', 'prefer_manual', 'prefer_smart_disputes', 'smart_disputes'] },
  metadata: 'metadata',
  submit: 'boolean',
};

const PRICE: BodyShape = {
  currency: 'text',
  product: 'text',
  product_data: {
    fields: {
      name: 'text',
      description: 'text',
      images: 'texts',
      metadata: 'metadata',
      tax_code: 'text',
      unit_label: 'text',
    },
  },
  tax_behavior: { oneOf: ['exclusive', 'inclusive', 'unspecified'] },
  unit_amount: 'integer',
  unit_amount_decimal: 'text',
};

const SESSION_INTENT: BodyShape = {
  application_fee_amount: 'integer',
  capture_method: CAPTURE_METHODS,
  description: 'text',
  metadata: 'metadata',
  on_behalf_of: 'text',
  receipt_email: 'text',
  setup_future_usage: FUTURE_USAGES,
  shipping: { fields: SHIPPING },
  statement_descriptor: 'text',
  statement_descriptor_suffix: 'text',
  transfer_data: 'hash',
  transfer_group: 'text',
};

export const CREATE_SESSION: BodyShape = {
  adaptive_pricing: 'hash',
  after_expiration: 'hash',
  allow_promotion_codes: 'boolean',
  allowed_payment_method_types: 'texts',
  automatic_tax: 'hash',
  billing_address_collection: { oneOf: ['auto', 'required'] },
  branding_settings: 'hash',
  cancel_url: 'text',
  client_reference_id: 'text',
  consent_collection: 'hash',
  currency: 'text',
  custom_fields: 'hash',
  custom_text: 'hash',
  customer: 'text',
  customer_account: 'text',
  customer_creation: { oneOf: ['always', 'if_required'] },
  customer_email: 'text',
  customer_update: 'hash',
  discounts: 'hash',
  excluded_payment_method_types: 'texts',
  expand: 'texts',
  expires_at: 'integer',
  integration_identifier: 'text',
  invoice_creation: 'hash',
  line_items: {
    items: {
      price: 'text',
      price_data: { fields: PRICE },
      quantity: 'integer',
      adjustable_quantity: 'hash',
      metadata: 'metadata',
    },
  },
  locale: 'text',
  managed_payments: 'hash',
  metadata: 'metadata',
  mode: { oneOf: ['payment', 'setup', 'subscription'] },
  name_collection: 'hash',
  optional_items: 'hash',
  origin_context: 'text',
  payment_intent_data: { fields: SESSION_INTENT },
  payment_method_collection: 'text',
  payment_method_configuration: 'text',
  payment_method_data: 'hash',
  payment_method_options: { fields: METHOD_OPTIONS },
  permissions: 'hash',
  phone_number_collection: 'hash',
  redirect_on_completion: 'text',
  return_url: 'text',
  saved_payment_method_options: 'hash',
  shipping_address_collection: 'hash',
  shipping_options: 'hash',
  submit_type: { oneOf: ['auto', 'book', 'donate', 'pay', 'subscribe'] },
  success_url: 'text',
  tax_id_collection: 'hash',
  ui_mode: { oneOf: ['elements', 'embedded_page', 'form', 'hosted_page'] },
  wallet_options: 'hash',
};

/** Removed in 2026-09-30. Merchants on an older version still send it. */
export const BEFORE_ENDIVE: BodyShape = { payment_method_types: 'texts' };

export const EXPAND_ONLY: BodyShape = { expand: 'texts' };
