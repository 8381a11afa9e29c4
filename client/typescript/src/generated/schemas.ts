// Written by `npm run client` from the route table. Do not edit.

export type AbTest = {
  id: string;
  org_id: string;
  mode: 'sandbox' | 'live';
  name: string;
  description: string | null;
  status: 'draft' | 'running' | 'paused' | 'completed';
  variants: readonly {
    name: string;
    routing_rule_id: string;
    weight: number;
  }[];
  traffic_percentage: number;
  target_currencies: readonly string[];
  target_countries: readonly string[];
  target_methods: readonly string[];
  start_at: string | null;
  end_at: string | null;
  /**
   * Why it could not start at `start_at`, such as `ab_test_overlap`. It stays a draft: start it, or set another
   * time.
   */
  start_failure: string | null;
  total_transactions: number;
  created_at: string;
  updated_at: string;
};

export type AbTestComparison = {
  /** The best variant so far, even if only by chance. Null until payments of two variants have finished. */
  winning_variant: string | null;
  /** The success rate of the best variant minus that of the second best. */
  success_rate_diff: number | null;
  /** The average latency of the best variant minus that of the second best, in milliseconds. */
  latency_diff: number | null;
  /** Whether the confidence is at least 0.95, with at least 100 finished payments in each variant. */
  statistically_valid: boolean;
  /** 1 - p of a two-sided two-proportion z-test, Bonferroni-corrected beyond two variants. */
  confidence_level: number;
  /** How many more days, with the current traffic, will show the difference with 80 % power; at most 365. */
  recommended_duration: number;
};

export type AbTestExplained = {
  id: string;
  result: 'decides' | 'variant_unusable' | 'not_in_traffic' | 'no_match' | 'ended';
  traffic_percentage: number;
  conditions: readonly {
    condition: 'enabled' | 'country' | 'method' | 'currency';
    holds: boolean;
    /** One of these. Empty: anything. */
    wanted: readonly string[];
    seen: string | null;
  }[];
  variants: readonly {
    name: string;
    routing_rule_id: string;
    connection_id: string | null;
    /** Of the payments that the test targets, 0 to 1. */
    share: number;
    chosen: boolean;
  }[];
};

export type AbTestList = {
  ab_tests: readonly AbTest[];
  pagination: {
    limit: number;
    offset: number;
    total: number;
  };
};

export type AbTestResult = {
  id: string;
  test_id: string;
  variant_name: string;
  /** Payments sent through the variant. Failover attempts after it, and payments that were never sent, do not count. */
  transactions: number;
  successful: number;
  failed: number;
  /** The currency of `total_amount`: the first targeted one, or the one with the most payments. */
  currency: string | null;
  /** The sum of the successful payments in `currency`. */
  total_amount: number;
  avg_latency_ms: number | null;
  /** From 0 to 1, of the finished payments. */
  success_rate: number | null;
  updated_at: string | null;
};

export type AbTestResults = {
  results: readonly AbTestResult[];
};

export type AbTestStatus = {
  id: string;
  status: 'draft' | 'running' | 'paused' | 'completed';
};

/**
 * An address that is not a member is invited by email, at most 50 times a day per organization and 3 times a day
 * per address. They become a member with the link of the email, which works for 3 days; adding them again then
 * sends another one. A member gets the role. Only owners can grant or remove the role `owner`, and the last owner
 * who has signed in keeps it. An organization can have at most 500 members.
 */
export type AddMember = {
  email: string;
  role: 'owner' | 'admin' | 'member' | 'viewer';
};

export type Address = {
  line1?: string;
  line2?: string;
  city?: string;
  /** State or province: its code, where the country has codes. */
  state?: string;
  postal_code?: string;
  /** ISO 3166-1 alpha-2, in any case; returned in upper case. */
  country?: string;
};

export type AdyenCredentials = {
  api_key: string;
  merchant_account: string;
  webhook_secret: string | readonly string[];
  live_endpoint_url_prefix?: string;
  client_key?: string;
};

export type ApiKeyList = {
  api_keys: readonly ListedApiKey[];
  pagination: {
    limit: number;
    offset: number;
    total: number;
  };
};

/**
 * Approves the organization under its current `legal_name`. Send `legal_name` to approve it only if it still has
 * that name, or to approve the requested one. An organization without a legal name is not approved, nor one of
 * which the caller is a member while the platform has another administrator. Live keys work from the next request
 * on.
 */
export type ApproveKyc = {
  org_id: string;
  /**
   * The name that was verified: `legal_name`, or `requested_legal_name`, which takes effect with that. Returns 409
   * `legal_name_changed` if the organization has another one by now.
   */
  legal_name?: string | null;
};

/**
 * A recovery needs the approval of 2 administrators, or of the only one beside its user. After the last one, 72
 * hours pass before the user can finish it. First make sure, in another way than by email, that it is the user who
 * asks.
 */
export type ApproveRecovery = {
  /** Of the request that you reviewed. Returns 409 if there is a newer one. */
  requested_at: string;
};

/** Fields that the provider did not tell are missing. */
export type Attempt = {
  id: string;
  connection_id: string;
  provider:
    | 'adyen'
    | 'checkout'
    | 'flutterwave'
    | 'mollie'
    | 'paypal'
    | 'paystack'
    | 'razorpay'
    | 'stripe';
  status: 'processing' | 'requires_action' | 'authorized' | 'succeeded' | 'failed' | 'canceled';
  failure: Failure | null;
  psp_reference: string | null;
  latency_ms: number | null;
  started_at: string;
  /** The network's id: send it as `mit.network_transaction_id` when the saved card is charged again. */
  network_transaction_id?: string;
  /** The issuer's response code, such as `51` (ISO 8583). */
  network_decline_code?: string;
  /** The network's advice after a decline, such as `03`: do not try again. */
  advice_code?: string;
  /** The check of the address. `code` is the network's letter. */
  avs?: {
    code?: string;
    address?: 'match' | 'mismatch' | 'unchecked';
    postal_code?: 'match' | 'mismatch' | 'unchecked';
  };
  /** The check of the security code. */
  cvc?: 'match' | 'mismatch' | 'unchecked';
  /** Electronic commerce indicator of 3-D Secure, such as `05`. */
  eci?: string;
  /** Whether the issuer bears the loss of a fraud. */
  liability_shift?: boolean;
  card?: Card;
};

/**
 * What waits for a person. Of each kind, the first 5, soonest or longest waiting first. `count` is at most 100;
 * `more` says that there are others. `null`: the caller lacks the scope that reads it.
 */
export type Attention = {
  reviews: {
    count: number;
    more: boolean;
    items: readonly {
      payment_id: string;
      reason: string;
      since: string;
      amount: number;
      currency: string;
      status:
        | 'created'
        | 'processing'
        | 'requires_action'
        | 'authorized'
        | 'succeeded'
        | 'failed'
        | 'canceled'
        | 'refunded';
      /** Of an authorized payment: until when it can be captured. */
      capturable_until: string | null;
    }[];
  };
  /** Those that wait for an answer. */
  disputes: {
    count: number;
    more: boolean;
    items: readonly {
      id: string;
      payment_id: string;
      status: 'warning' | 'needs_response' | 'under_review' | 'won' | 'lost' | 'accepted' | 'expired';
      reason: string;
      amount: number;
      currency: string;
      respond_by: string | null;
      overdue: boolean;
    }[];
  };
  /** Active ones in trouble. */
  connections: {
    count: number;
    more: boolean;
    items: readonly {
      id: string;
      provider: string;
      health_status: 'degraded' | 'down';
      health_score: number | null;
      last_failure_at: string | null;
    }[];
  } | null;
  /** Open ones whose last try to collect them failed. */
  invoices: {
    count: number;
    more: boolean;
    items: readonly {
      id: string;
      subscription_id: string;
      customer_id: string;
      amount: number;
      currency: string;
      attempts: number;
      next_retry_at: string | null;
    }[];
  } | null;
  webhooks: {
    state: 'none' | 'ok' | 'failing' | 'disabled';
    failing_since: string | null;
    /** Of the last 30 days. */
    failed_events: {
      count: number;
      more: boolean;
      items: readonly {
        id: string;
      }[];
    };
  } | null;
};

/**
 * What 3-D Secure asks for of the customer's browser. Without it a provider sends the customer to a page of its
 * own, or refuses the card where the law requires authentication.
 */
export type Browser = {
  user_agent: string;
  accept_header: string;
  language: string;
  color_depth: number;
  screen_height: number;
  screen_width: number;
  /** In minutes, as JavaScript's `getTimezoneOffset()` has it. */
  time_zone_offset: number;
  java_enabled: boolean;
  javascript_enabled: boolean;
  origin?: string;
};

/** Cancels the payment of the event. Output: `payment_id`, `payment_status`. */
export type CancelPaymentStep = {
  /** Other steps and expressions refer to the step by this id. */
  id: string;
  /**
   * What happens after the last failed attempt. `stop` (the default): the execution fails. `continue`: the
   * execution continues with the next step.
   */
  on_error?: 'stop' | 'continue';
  /** The id of the next step. Default: the next step in the list. `null`: the execution ends here. */
  next?: string | null;
  type: 'cancel_payment';
};

export type CancelSubscription = {
  /**
   * `true`: the subscription ends when the next period would start. The current period is charged, and an invoice
   * that is still open then is retried until it is paid or has failed. `false` or not sent: the subscription and
   * its open invoices are canceled now, and started periods are not charged any more.
   */
  at_period_end?: boolean;
};

export type Capabilities = {
  methods: readonly string[];
  currencies: 'all' | readonly string[];
  countries: 'all' | readonly string[];
  refunds: boolean;
  partial_refunds: boolean;
  cancel: boolean;
  off_session: boolean;
  /** It can authorize without capturing (`capture: manual`). */
  manual_capture: boolean;
  /** Less than the authorized amount can be captured. */
  partial_capture: boolean;
  /** An authorization can be captured several times. */
  multi_capture: boolean;
};

/**
 * Fields that are not sent default to what the provider usually supports. Refunds and cancels that the connection
 * does not support are rejected. The captures that a provider cannot make stay `false`.
 */
export type CapabilitiesInput = {
  methods?: readonly string[];
  currencies?: 'all' | readonly string[];
  countries?: 'all' | readonly string[];
  refunds?: boolean;
  partial_refunds?: boolean;
  cancel?: boolean;
  off_session?: boolean;
  manual_capture?: boolean;
  partial_capture?: boolean;
  multi_capture?: boolean;
};

export type Capture = {
  id: string;
  amount: number;
  status: 'pending' | 'succeeded' | 'failed';
  failure: Failure | null;
  /** The rest of the authorization is released with it. */
  final: boolean;
  attempt_id: string;
  psp_reference: string | null;
  created_at: string;
};

/** Without `amount` all that is left is captured. */
export type CapturePayment = {
  /** In minor units of the currency: JPY 0, USD 2, KWD 3 decimals. */
  amount?: number;
  /** Default true: the rest of the authorization is released. `false` needs `multi_capture`. */
  final?: boolean;
};

/**
 * Captures the authorized payment of the event. Without `amount`, captures the remaining amount. Output:
 * `payment_id`, `capture_id`, `capture_status`.
 */
export type CapturePaymentStep = {
  /** Other steps and expressions refer to the step by this id. */
  id: string;
  /**
   * What happens after the last failed attempt. `stop` (the default): the execution fails. `continue`: the
   * execution continues with the next step.
   */
  on_error?: 'stop' | 'continue';
  /** The id of the next step. Default: the next step in the list. `null`: the execution ends here. */
  next?: string | null;
  type: 'capture_payment';
  /** In minor units of the currency: JPY 0, USD 2, KWD 3 decimals. */
  amount?: number;
  /** Whether what is not captured is released. False needs `multi_capture`. Default true. */
  final?: boolean;
};

export type Card = {
  brand?: string;
  last4?: string;
  funding?: 'credit' | 'debit' | 'prepaid';
  issuer_country?: string;
  exp_month?: number;
  exp_year?: number;
};

/**
 * What customers see of the organization on payment pages and receipts, beside its `name` and `legal_name`. Omitted
 * fields stay as they are; `null` clears a field.
 */
export type ChangeOrganizationSettings = {
  support_email?: string | null;
  support_phone?: string | null;
  /** The shop: payment pages have a link back to it. */
  website_url?: string | null;
  /** An image on your own server, which customers' browsers load on payment pages. */
  logo_url?: string | null;
  /**
   * Whether `customer_email` of a succeeded payment gets a receipt. Off by default. Until identity verification is
   * approved, only members who have signed in get one.
   */
  email_receipts?: boolean;
  receipt_language?: 'en' | 'de' | 'fr' | 'es' | 'nl' | 'pt';
};

/** The change that was undone. All sessions of the user have ended. */
export type ChangeUndone = {
  undone: 'passkey_added' | 'passkey_removed' | 'totp_on' | 'totp_off';
};

export type CheckoutCredentials = {
  secret_key: string;
  processing_channel_id: string;
  host_prefix: string;
  webhook_secret: string | readonly string[];
  default_country?: string;
  statement_city?: string;
};

/**
 * Chooses the next step. If the expression has no value, because a field is missing, the step fails; with
 * `on_error: "continue"` the execution continues with `else`. Output: `holds`.
 */
export type ConditionStep = {
  /** Other steps and expressions refer to the step by this id. */
  id: string;
  /**
   * What happens after the last failed attempt. `stop` (the default): the execution fails. `continue`: the
   * execution continues with the next step.
   */
  on_error?: 'stop' | 'continue';
  type: 'condition';
  /** An expression that is true or false. */
  if: string;
  /**
   * The id of the next step if the condition is true. Default: the next step in the list. `null`: the execution
   * ends here.
   */
  then?: string | null;
  /** The id of the next step if the condition is false. Default, and `null`: the execution ends here. */
  else?: string | null;
};

export type ConfigureWebhook = {
  /**
   * An https address on port 443 or 8443 without user information, of a server that is reachable on the public
   * internet.
   */
  url: string;
  events: readonly (
    | 'payment.created'
    | 'payment.authorized'
    | 'payment.authorization_expiring'
    | 'payment.captured'
    | 'payment.capture_failed'
    | 'payment.succeeded'
    | 'payment.failed'
    | 'payment.canceled'
    | 'payment.refunded'
    | 'subscription.created'
    | 'subscription.updated'
    | 'subscription.canceled'
    | 'subscription.paused'
    | 'subscription.resumed'
    | 'subscription.renewed'
    | 'invoice.created'
    | 'invoice.paid'
    | 'invoice.failed'
    | 'invoice.canceled'
    | 'payment_link.paid'
    | 'dispute.created'
    | 'dispute.updated'
    | 'dispute.response_due'
    | 'dispute.closed'
    | 'service.webhook.test'
    | '*')[];
  enabled?: boolean;
};

/**
 * As `ConfirmPayment`. Where the customer is sent afterwards, and all but what a browser knows, the shop's server
 * has said.
 */
export type ConfirmIntent = {
  input?: { [name: string]: string | number | boolean };
  /** The payer, as the card's issuer knows them. */
  billing?: Contact;
  /** Whom the goods go to. */
  shipping?: Contact;
  browser?: Browser;
  /** The `client_secret` of the response that created the intent. */
  client_secret: string;
  payment_method?: PaymentMethodOfCustomer;
};

/**
 * `payment_method` is for a payment that is `created`, `input` for a `next_action` that waits for it; at any other
 * time either is refused. Other fields are for a payment that is `created`, too: each replaces that of the intent.
 */
export type ConfirmPayment = {
  payment_method?: PaymentMethod;
  /**
   * `true`: the provider shall keep the payment method, and once the payment is authorized or paid, it is a saved
   * one of the customer: see `payment_method_id`.
   */
  save?: boolean;
  input?: { [name: string]: string | number | boolean };
  /** The payer, as the card's issuer knows them. */
  billing?: Contact;
  /** Whom the goods go to. */
  shipping?: Contact;
  browser?: Browser;
  /**
   * What the customer's statement shows, cut to what the provider takes. Some show it only after the account's
   * name.
   */
  statement_descriptor?: string;
  /** Shown after the account's own name. */
  statement_descriptor_suffix?: string;
  order?: Order;
  sca?: Sca;
  mit?: Mit;
};

export type ConfirmedIntent = {
  id: string;
  status:
    | 'created'
    | 'processing'
    | 'requires_action'
    | 'authorized'
    | 'succeeded'
    | 'failed'
    | 'canceled'
    | 'refunded';
  amount: number;
  currency: string;
  next_action: NextAction | null;
  failure: Failure | null;
};

export type Connection = {
  id: string;
  provider:
    | 'adyen'
    | 'checkout'
    | 'flutterwave'
    | 'mollie'
    | 'paypal'
    | 'paystack'
    | 'razorpay'
    | 'stripe';
  mode: 'sandbox' | 'live';
  status: 'active' | 'inactive';
  capabilities: Capabilities;
  routing_hints: {
    country_preference: readonly string[];
    method_bias: { [name: string]: number };
    fallback_only: boolean;
  };
  /**
   * Register this address at the provider for its callbacks, with its query. It may change; callbacks to earlier
   * addresses are still accepted. Events of charges that were not made here are accepted too; the same path without
   * the query rejects them. A provider that is told an address with each payment needs no registration.
   */
  callback_url: string;
  labels: readonly string[];
  workflow_id: string | null;
  fee_structure: FeeStructure | null;
  total_calls: number;
  successful_calls: number;
  failed_calls: number;
  total_latency_ms: number;
  last_success_at: string | null;
  last_failure_at: string | null;
  /**
   * How many verified events came to `callback_url` about charges of this account that were not made here. They are
   * accepted and change nothing.
   */
  foreign_events: number;
  last_foreign_event_at: string | null;
  /** 0 to 100, from the calls of the last 20 minutes; null without any. */
  health_score: number | null;
  health_status: 'unknown' | 'healthy' | 'degraded' | 'down';
  last_validated_at: string | null;
  last_validation_status: 'never' | 'valid' | 'invalid' | 'unreachable';
  last_validation_error: string | null;
  validation_failures: number;
  name_match_status: 'unknown' | 'match' | 'mismatch';
  created_at: string;
  updated_at: string;
};

export type ConnectionAudit = {
  /** Numbers the changes of this connection from 1. */
  id: number;
  /** The `X-Actor-Id` header, or the credential if it was not sent. */
  actor_id: string;
  /** Whether `actor_id` is what a caller with an API key claims in `X-Actor-Id`. It was not verified. */
  actor_claimed: boolean;
  action:
    | 'created'
    | 'updated'
    | 'status_changed'
    | 'labels_changed'
    | 'validated'
    | 'deleted'
    | 'credentials_purged';
  metadata: {
    /** By field. For credentials it only shows that they changed. */
    changes: { [name: string]: {
        from: unknown;
        to: unknown;
      } };
    /** Null for a scheduled change; `actor_id` is then `system`. */
    credential_id: string | null;
  };
  created_at: string;
};

export type ConnectionExplained = {
  id: string;
  provider: string;
  /** In the order of failover, from 1. Null: it is not tried. */
  position: number | null;
  /**
   * Why it is not tried, such as `inactive`, `currency_not_supported` or `down`. `no_fallback_in_rule` and
   * `no_fallback_in_test`: what decides goes to one connection alone. `beyond_limit`: enough others come first.
   */
  reason: string | null;
  health: 'unknown' | 'healthy' | 'degraded' | 'down';
  /** This payment would test whether a connection in trouble has recovered. */
  probe: boolean;
  preferred_country: boolean;
  method_bias: number;
  fallback_only: boolean;
  /** In minor units, for comparison. */
  fee: number;
};

export type ConnectionList = {
  connections: readonly Connection[];
  pagination: {
    total: number;
    limit: number;
    offset: number;
  };
};

export type ConnectionTest = {
  ok: boolean;
  message: string;
  capabilities: Capabilities;
  validation: {
    credentials: 'valid' | 'invalid' | 'unreachable';
    account_name: string | null;
    name_match_status: 'unknown' | 'match' | 'mismatch';
    latency_ms: number;
  };
  /** What should be changed in the credentials, such as a webhook secret that is too short. */
  warnings?: readonly string[];
};

export type Contact = {
  name?: string;
  phone?: string;
  address?: Address;
};

export type CreateAbTest = {
  name: string;
  /** Can not be changed once the test has been started. */
  variants: readonly {
    name: string;
    /** Its connection gets the payments. The rule may be disabled, because it is not matched again. */
    routing_rule_id: string;
    /** The variant's share is its weight divided by the sum of all weights. */
    weight: number;
  }[];
  description?: string | null;
  /** The share of targeted payments that take part in the test. Raising it moves nobody to another variant. */
  traffic_percentage?: number;
  /** Empty: all currencies. */
  target_currencies?: readonly string[];
  /** Empty: all countries. */
  target_countries?: readonly string[];
  /** Empty: all methods. */
  target_methods?: readonly string[];
  /** A draft starts automatically within a minute of this time; at once if it has passed. */
  start_at?: string | null;
  /**
   * The test gets no payments from this time on, and is completed automatically within a minute. Must be in the
   * future and after `start_at`.
   */
  end_at?: string | null;
};

/**
 * A public key has no scopes and can call the public endpoints only. The other kinds need `scopes`; with an empty
 * list a key can call no endpoint that requires a scope.
 */
export type CreateApiKey = {
  name: string;
  kind?: 'service' | 'secret' | 'public';
  scopes?: readonly (
    | 'connections:read'
    | 'connections:write'
    | 'payments:read'
    | 'payments:write'
    | 'fraud:read'
    | 'fraud:write'
    | 'webhooks:read'
    | 'webhooks:write'
    | 'subscriptions:read'
    | 'subscriptions:write'
    | 'invoices:read'
    | 'invoices:write'
    | 'api_keys:read'
    | 'api_keys:write'
    | 'workflows:read'
    | 'workflows:write')[];
};

export type CreateIntegration = {
  name: string;
  /**
   * Steps of the type `http_request` use `http`, which gets a signing secret. Steps of the type `notify` use
   * `slack` or `email`.
   */
  type: 'http' | 'slack' | 'email';
  config: IntegrationConfig;
  /** Steps that use a disabled integration fail. */
  enabled?: boolean;
};

export type CreatePayment = {
  /** In minor units of the currency: JPY 0, USD 2, KWD 3 decimals. */
  amount: number;
  /** ISO 4217, in any case; returned in upper case. */
  currency: string;
  method?: string;
  /** ISO 3166-1 alpha-2, in any case; returned in upper case. */
  country?: string;
  customer_id?: string;
  customer_email?: string;
  customer_ip?: string;
  description?: string;
  metadata?: Metadata;
  /**
   * `manual`: the amount is only authorized, and captured by `POST /v1/payments/{id}/capture`. Default:
   * `automatic`.
   */
  capture?: 'automatic' | 'manual';
  payment_method?: PaymentMethod;
  /**
   * `true`: the provider shall keep the payment method, and once the payment is authorized or paid, it is a saved
   * one of the customer: see `payment_method_id`.
   */
  save?: boolean;
  /** The payer, as the card's issuer knows them. */
  billing?: Contact;
  /** Whom the goods go to. */
  shipping?: Contact;
  browser?: Browser;
  /**
   * What the customer's statement shows, cut to what the provider takes. Some show it only after the account's
   * name.
   */
  statement_descriptor?: string;
  /** Shown after the account's own name. */
  statement_descriptor_suffix?: string;
  order?: Order;
  sca?: Sca;
  mit?: Mit;
};

export type CreatePaymentLink = {
  /** In minor units of the currency: JPY 0, USD 2, KWD 3 decimals. */
  amount: number;
  /** ISO 4217, in any case; returned in upper case. */
  currency: string;
  description?: string;
  /** The methods that customers can choose from. Defaults to `card`. */
  methods?: readonly string[];
  /** No payment can start from then on. Must be in the future. */
  expires_at?: string;
  /** The maximum number of payments. Defaults to 1. */
  max_payments?: number;
  /** Copied to each payment of the link. */
  metadata?: Metadata;
  /**
   * `manual`: the amount is only authorized, and captured by `POST /v1/payments/{id}/capture`. Default:
   * `automatic`.
   */
  capture?: 'automatic' | 'manual';
  /** The customer who makes its payments. */
  customer_id?: string;
  /** `true`: its payments keep their payment method for the customer. */
  save?: boolean;
  /**
   * A saved payment method, `pm_…`, that its payments are charged with. Whoever opens the page pays with it: send
   * its address to the customer alone.
   */
  payment_method?: {
    id: string;
  };
  /** The payer, as the card's issuer knows them. */
  billing?: Contact;
  /** Whom the goods go to. */
  shipping?: Contact;
  order?: Order;
  /**
   * What the customer's statement shows, cut to what the provider takes. Some show it only after the account's
   * name.
   */
  statement_descriptor?: string;
  /** Shown after the account's own name. */
  statement_descriptor_suffix?: string;
};

export type CreatePaymentMethod = {
  customer_id: string;
  type: string;
  /** By provider: tokens that can be charged without the customer. They are never returned. */
  tokens: { [name in 'adyen' | 'checkout' | 'flutterwave' | 'mollie' | 'paypal' | 'paystack' | 'razorpay' | 'stripe']?: string | { [name: string]: string } };
  card?: {
    brand?: string;
    last4?: string;
    exp_month?: number;
    exp_year?: number;
    funding?: 'credit' | 'debit' | 'prepaid';
    /** ISO 3166-1 alpha-2, in any case; returned in upper case. */
    issuer_country?: string;
  };
  /**
   * The network's id of the payment in which the customer agreed to be charged later. Payments with `mit` refer to
   * it.
   */
  network_transaction_id?: string;
  default?: true;
};

export type CreateRoutingRule = {
  name: string;
  countries: readonly string[];
  connection_id: string;
  /** Empty: every method. */
  methods?: readonly string[];
  /** The matching rule with the highest priority applies; among equals the oldest. */
  priority?: number;
  /**
   * Whether default routing is used if the connection cannot accept the payment, or fails in a way that allows
   * another attempt.
   */
  fallback_to_default?: boolean;
  enabled?: boolean;
};

export type CreateSubscription = {
  customer_id: string;
  plan_id: string;
  /** In minor units of the currency: JPY 0, USD 2, KWD 3 decimals. */
  amount: number;
  /** ISO 4217, in any case; returned in upper case. */
  currency: string;
  interval: 'daily' | 'weekly' | 'monthly' | 'quarterly' | 'yearly';
  /** How the customer pays. Defaults to the type of `payment_method`, or to `card`. */
  method?: string;
  payment_method?: PaymentMethod;
  /**
   * When the first period starts and is charged: now by default, at most 5 years ahead. The other periods start at
   * the same day and time, in UTC.
   */
  start_at?: string;
  customer_email?: string;
  /** ISO 3166-1 alpha-2, in any case; returned in upper case. */
  country?: string;
  metadata?: Metadata;
};

export type CreateWorkflowRule = {
  name: string;
  event:
    | 'payment.created'
    | 'payment.authorized'
    | 'payment.authorization_expiring'
    | 'payment.captured'
    | 'payment.capture_failed'
    | 'payment.succeeded'
    | 'payment.failed'
    | 'payment.canceled'
    | 'payment.refunded'
    | 'subscription.created'
    | 'subscription.updated'
    | 'subscription.canceled'
    | 'subscription.paused'
    | 'subscription.resumed'
    | 'subscription.renewed'
    | 'invoice.created'
    | 'invoice.paid'
    | 'invoice.failed'
    | 'invoice.canceled'
    | 'payment_link.paid'
    | 'dispute.created'
    | 'dispute.updated'
    | 'dispute.response_due'
    | 'dispute.closed';
  template_id: string;
  /**
   * An expression over `event` and `data`. The rule applies to events for which it is true; null applies to all
   * events. It may only refer to fields that events of this type can have.
   */
  condition?: string | null;
  enabled?: boolean;
  /**
   * If an event matches more rules than the plan allows executions, the rules with the highest priority run; among
   * equals, the oldest. A workflow of a connection comes last. Executions start in this order but run in parallel.
   */
  priority?: number;
};

export type CreateWorkflowTemplate = {
  name: string;
  /**
   * The execution starts with the first step. Each step leads to the next one in the list unless `next` names
   * another. Loops are not allowed, and every step must be reachable. An expression may only refer to outputs of
   * steps that can run before it, and to fields that `event`, `execution` and `data` can have. While a rule or a
   * connection uses the template, each step must also be able to succeed for at least one of their events.
   */
  steps: readonly WorkflowStep[];
};

/** The only response that contains `key`. */
export type CreatedApiKey = {
  id: string;
  name: string;
  kind: 'service' | 'secret' | 'public';
  scopes: readonly (
    | 'connections:read'
    | 'connections:write'
    | 'payments:read'
    | 'payments:write'
    | 'fraud:read'
    | 'fraud:write'
    | 'webhooks:read'
    | 'webhooks:write'
    | 'subscriptions:read'
    | 'subscriptions:write'
    | 'invoices:read'
    | 'invoices:write'
    | 'api_keys:read'
    | 'api_keys:write'
    | 'workflows:read'
    | 'workflows:write')[];
  created_at: string;
  /** The API key or the user that created it, or `system`. `null` if that was not recorded. */
  created_by: string | null;
  key: string;
};

export type CreatedPaymentLink = {
  id: string;
  org_id: string;
  mode: 'sandbox' | 'live';
  /** The page where customers pay. */
  url: string;
  amount: number;
  currency: string;
  description: string | null;
  methods: readonly string[];
  /** `completed`: it has reached `max_payments`. Only an `active` link takes new payments. */
  status: 'active' | 'completed' | 'expired' | 'inactive';
  max_payments: number;
  payments_made: number;
  expires_at: string | null;
  metadata: { [name: string]: string | number | boolean };
  capture: 'automatic' | 'manual';
  customer_id?: string;
  payment_method_id?: string;
  save?: true;
  created_at: string;
  updated_at: string;
  /**
   * Methods that no connection takes now, and why. The page does not offer them until one does; a link without any
   * other method cannot be paid until then.
   */
  warnings?: readonly {
    method: string;
    code: string;
    message: string;
  }[];
};

/** What is kept of a customer. */
export type Customer = {
  customer_id: string;
  /** See `GET /v1/payment-methods?customer_id=`. */
  payment_methods: number;
  default_payment_method_id: string | null;
  /** That name the customer. Recent ones may not be counted yet. */
  payments: number;
  payment_links: number;
  invoices: number;
  /** Open and closed ones. */
  subscriptions: number;
  erasure: CustomerErasure | null;
};

/** Runs until nothing is left that names the customer. */
export type CustomerErasure = {
  id: string;
  requested_at: string;
};

export type DelayStep = {
  /** Other steps and expressions refer to the step by this id. */
  id: string;
  /**
   * What happens after the last failed attempt. `stop` (the default): the execution fails. `continue`: the
   * execution continues with the next step.
   */
  on_error?: 'stop' | 'continue';
  /** The id of the next step. Default: the next step in the list. `null`: the execution ends here. */
  next?: string | null;
  type: 'delay';
  /** From 1m to 30d. */
  for: string;
};

export type Deleted = {
  id: string;
  deleted: true;
};

/** A customer's dispute of a charge, as its provider has it. */
export type Dispute = {
  id: string;
  org_id: string;
  mode: 'sandbox' | 'live';
  payment_id: string;
  connection_id: string;
  provider:
    | 'adyen'
    | 'checkout'
    | 'flutterwave'
    | 'mollie'
    | 'paypal'
    | 'paystack'
    | 'razorpay'
    | 'stripe';
  /** The provider's id of the dispute. */
  psp_reference: string;
  /** The provider's id of the disputed charge. */
  charge_reference: string | null;
  /** What is disputed, in minor units of `currency`. */
  amount: number;
  currency: string;
  /**
   * `warning`: an inquiry; no money is withheld yet. `needs_response` and `under_review`: the money is withheld.
   * `won`: it came back, or was never taken. `lost`, `accepted` and `expired`: it is gone, by a decision, because
   * the shop gave in, or because nobody answered in time.
   */
  status: 'warning' | 'needs_response' | 'under_review' | 'won' | 'lost' | 'accepted' | 'expired';
  reason:
    | 'fraudulent'
    | 'unrecognized'
    | 'duplicate'
    | 'product_not_received'
    | 'product_unacceptable'
    | 'subscription_canceled'
    | 'credit_not_processed'
    | 'processing_error'
    | 'authorization'
    | 'debit_not_authorized'
    | 'insufficient_funds'
    | 'general';
  /** The code of the provider or of the card network. */
  provider_reason: string | null;
  /** Until when it can be answered; `null` if the provider does not tell. */
  respond_by: string | null;
  /** What the shop answered through this service, and which user or key did so. */
  answer: {
    type: 'accept' | 'evidence';
    fields: readonly string[];
    at: string;
    by: string;
  } | null;
  /** How it can be answered now. Nothing: it cannot be, or only in the dashboard of the provider. */
  answer_options: {
    accept: boolean;
    evidence_fields: readonly string[];
  };
  opened_at: string;
  closed_at: string | null;
  /** When this service heard of it. */
  created_at: string;
  updated_at: string;
};

/**
 * Texts in the words of the shop. A provider takes those that `answer_options.evidence_fields` of the dispute
 * names. They go to the provider and are not kept here. Dates are `YYYY-MM-DD`.
 */
export type DisputeEvidence = {
  explanation?: string;
  product_description?: string;
  customer_name?: string;
  customer_email?: string;
  customer_ip?: string;
  customer_phone?: string;
  billing_address?: string;
  shipping_address?: string;
  shipping_carrier?: string;
  tracking_number?: string;
  shipping_date?: string;
  service_date?: string;
  refund_policy?: string;
  refund_refusal?: string;
  cancellation_policy?: string;
  cancellation_refusal?: string;
  access_log?: string;
  duplicate_explanation?: string;
};

/**
 * Newest first. With rare matches a page may hold fewer than `limit` objects, or none: while `has_more` is true,
 * the `Link` header leads to the next page.
 */
export type DisputeList = {
  disputes: readonly Dispute[];
  pagination: {
    limit: number;
    offset: number;
    has_more: boolean;
  };
};

/** Where the collection of an invoice stands, by the retry policy of now. */
export type Dunning = {
  invoice_id: string;
  status: 'open' | 'paid' | 'failed' | 'canceled';
  /** The number of collection attempts so far. */
  attempts: number;
  /** Whether an attempt is running, or waits for its outcome. */
  collecting: boolean;
  policy: {
    source: 'plan' | 'organization' | 'default';
    delays: readonly string[];
    max_retries: number;
  };
  /** Of the policy's retries, those that were made or are planned. */
  retries_used: number;
  /** Those that can still be planned. */
  retries_left: number;
  /**
   * The planned retry, and those that would follow if each fails at once. Empty while an attempt is running, and
   * where none is left.
   */
  planned: readonly {
    retry: number;
    at: string;
  }[];
};

export type EditedRoutingRule = {
  /** Of the stored rule that this one is; left out for a new one. */
  id?: string;
  name?: string;
  countries: readonly string[];
  methods?: readonly string[];
  connection_id: string;
  fallback_to_default?: boolean;
  enabled?: boolean;
};

export type EmailIntegration = {
  id: string;
  org_id: string;
  name: string;
  type: 'email';
  config: {
    to: readonly string[];
  };
  enabled: boolean;
  created_at: string;
  updated_at: string;
};

export type Event = {
  id: string;
  org_id: string;
  type:
    | 'payment.created'
    | 'payment.authorized'
    | 'payment.authorization_expiring'
    | 'payment.captured'
    | 'payment.capture_failed'
    | 'payment.succeeded'
    | 'payment.failed'
    | 'payment.canceled'
    | 'payment.refunded'
    | 'subscription.created'
    | 'subscription.updated'
    | 'subscription.canceled'
    | 'subscription.paused'
    | 'subscription.resumed'
    | 'subscription.renewed'
    | 'invoice.created'
    | 'invoice.paid'
    | 'invoice.failed'
    | 'invoice.canceled'
    | 'payment_link.paid'
    | 'dispute.created'
    | 'dispute.updated'
    | 'dispute.response_due'
    | 'dispute.closed'
    | 'service.webhook.test';
  created_at: string;
  /** The resource as it was when the event occurred. Of a payment it holds the main fields. */
  data: { [name: string]: unknown };
  status: 'pending' | 'delivered' | 'failed' | 'skipped';
  /** At most 50: the first and the newest. */
  attempts: readonly {
    at: string;
    status_code: number | null;
    duration_ms: number;
    error: string | null;
    /**
     * The start of your endpoint's response, at most 500 characters, of the newest attempt that got one other than
     * 2xx. Numbers like those of cards, tokens and signatures are left out.
     */
    response?: string;
  }[];
  next_attempt_at: string | null;
};

/** Newest first. A page may hold fewer than `limit` events, or none: while `has_more` is true, follow `Link`. */
export type EventList = {
  events: readonly Event[];
  pagination: {
    limit: number;
    offset: number;
    has_more: boolean;
  };
};

export type EventPayload = {
  /** The same at every attempt: use it to recognize repeats. */
  id: string;
  type:
    | 'payment.created'
    | 'payment.authorized'
    | 'payment.authorization_expiring'
    | 'payment.captured'
    | 'payment.capture_failed'
    | 'payment.succeeded'
    | 'payment.failed'
    | 'payment.canceled'
    | 'payment.refunded'
    | 'subscription.created'
    | 'subscription.updated'
    | 'subscription.canceled'
    | 'subscription.paused'
    | 'subscription.resumed'
    | 'subscription.renewed'
    | 'invoice.created'
    | 'invoice.paid'
    | 'invoice.failed'
    | 'invoice.canceled'
    | 'payment_link.paid'
    | 'dispute.created'
    | 'dispute.updated'
    | 'dispute.response_due'
    | 'dispute.closed'
    | 'service.webhook.test';
  org_id: string;
  created_at: string;
  /** The resource as it was when the event happened. */
  data: { [name: string]: unknown };
  /** When this attempt was sent, in Unix seconds. Reject what differs from your time by more than 300 seconds. */
  timestamp: number;
};

export type FailedRequest = {
  /** As `X-Request-Id` of the response says it. */
  request_id: string;
  created_at: string;
  method: string;
  /** The path of the endpoint, such as `/v1/payments/{id}`. */
  route: string;
  /** The id in the path. `null` without one, or if it is not one of ours. */
  resource_id: string | null;
  status: number;
  /** `code` of the response. */
  code: string;
  /** The API key or the session that was used. */
  credential_id: string;
  credential_kind: 'service' | 'secret' | 'public' | 'session';
};

/**
 * Requests of the last 7 days with a valid API key or session that got an error, newest first, for finding out why
 * an integration fails. It is a sample: at most 20 requests a minute are kept, 5 more of public keys, and of those
 * that are alike (same credential, endpoint and code) about 3. Nothing that was sent is kept, neither body nor
 * query.
 */
export type FailedRequestList = {
  failed_requests: readonly FailedRequest[];
  pagination: {
    limit: number;
    offset: number;
    has_more: boolean;
  };
};

export type Failure = {
  code: string;
  category:
    | 'soft_decline'
    | 'hard_decline'
    | 'fraud'
    | 'provider_error'
    | 'configuration'
    | 'expired';
  message: string;
  provider_code: string | null;
  retryable: boolean;
};

/** `percentage` in percent, `fixed` in minor units. The most specific fee applies. */
export type FeeStructure = {
  percentage?: number;
  fixed?: number;
  /** By method; at most 100. */
  per_method?: { [name: string]: {
      percentage?: number;
      fixed?: number;
    } };
  /** By currency of ISO 4217, in any case; returned in upper case. */
  per_currency?: { [name: string]: {
      percentage?: number;
      fixed?: number;
    } };
};

export type FlutterwaveCredentials = {
  secret_key: string;
  webhook_secret: string | readonly string[];
  public_key?: string;
  encryption_key?: string;
};

export type FraudLists = {
  countries?: readonly string[];
  emails?: readonly string[];
  /** Includes their subdomains. */
  email_domains?: readonly string[];
  customer_ids?: readonly string[];
  /** Addresses, or networks such as 203.0.113.0/24. */
  ips?: readonly string[];
};

export type FraudListsShown = {
  countries: readonly string[];
  emails: readonly string[];
  email_domains: readonly string[];
  customer_ids: readonly string[];
  ips: readonly string[];
};

/** A match in `allowed` overrides everything else. Without a saved policy this returns a disabled one. */
export type FraudPolicy = {
  enabled: boolean;
  max_amount: { [name: string]: number };
  velocity: readonly {
    field: string;
    max_payments: number;
    max_amount?: number;
    currency?: string;
    window: string;
  }[];
  blocked: FraudListsShown;
  allowed: FraudListsShown;
  action: 'block' | 'flag';
  updated_at: string | null;
};

export type HttpIntegration = {
  id: string;
  org_id: string;
  name: string;
  type: 'http';
  config: {
    url: string;
    /** Each value as `****`. */
    headers: { [name: string]: string };
  };
  enabled: boolean;
  created_at: string;
  updated_at: string;
  /**
   * The secret that signs requests, as with webhooks. Returned in full when one integration is read with the scope
   * `workflows:write`; masked otherwise.
   */
  signing_secret: string;
};

/**
 * Sends a POST request to an integration, signed like a webhook with the integration's own secret. `webhook-id` and
 * `X-Service-Event-Id` are `<execution id>_<step id>`, the same for each attempt: use them to recognize repeats. A
 * 2xx response within 10 seconds is a success. Network errors, 408, 409, 425, 429 and 5xx are retried after 5 s, 1
 * min, 5 min, 30 min and 2 h. Any other response fails the step. Output: `status_code` (null if there was no
 * response) and `duration_ms`. To check the result, use `steps.<id>.status == "succeeded"` or
 * `steps.<id>.status_code == 200`. A comparison with `<` or `>` has no value if `status_code` is null, and `has()`
 * is true for null.
 */
export type HttpRequestStep = {
  /** Other steps and expressions refer to the step by this id. */
  id: string;
  /**
   * What happens after the last failed attempt. `stop` (the default): the execution fails. `continue`: the
   * execution continues with the next step.
   */
  on_error?: 'stop' | 'continue';
  /** The id of the next step. Default: the next step in the list. `null`: the execution ends here. */
  next?: string | null;
  type: 'http_request';
  /** An integration of type `http`. */
  integration_id: string;
  /**
   * The JSON body to send. Strings may contain `{{ expressions }}`. A string that consists of one expression is
   * replaced by its value, so it may become a number, a boolean or null. Your own body has no `timestamp` unless
   * you add one, so check the `webhook-timestamp` header. Default: `{ id, execution_id, step_id, org_id, event: {
   * id, type, created_at, data }, timestamp }`.
   */
  body?: { [name: string]: unknown };
};

/** An external service that workflows can call or notify. */
export type Integration = HttpIntegration | SlackIntegration | EmailIntegration;

export type IntegrationConfig = {
  /**
   * For `http`: where requests go, an https URL on port 443 or 8443 with a public address, and not this API. It is
   * shown to clients, so put secrets into headers. For `slack`: the address of an incoming webhook, of Slack or a
   * compatible service. It is a secret, and shown without its path.
   */
  url?: string;
  /** For `http`: sent with each request. Names are stored in lower case. Values are secrets and never shown. */
  headers?: { [name: string]: string };
  /**
   * For `email`: one address or several. Until identity verification is approved, these must be addresses of
   * members who have signed in.
   */
  to?: string | readonly string[];
};

export type IntegrationList = {
  integrations: readonly Integration[];
  pagination: {
    limit: number;
    offset: number;
    total: number;
  };
};

/** What a subscription owes for one period. Each period has exactly one invoice. */
export type Invoice = {
  id: string;
  org_id: string;
  subscription_id: string;
  customer_id: string;
  plan_id: string;
  /** For people: the end of the subscription id, and the number of the invoice within it. */
  number: string;
  amount: number;
  currency: string;
  /**
   * `failed`: all retries are used up. An `open` or `failed` invoice can be retried or canceled; `paid` and
   * `canceled` are final.
   */
  status: 'open' | 'paid' | 'failed' | 'canceled';
  period_start: string;
  period_end: string;
  /**
   * The number of collection attempts: the first one, those of the retry policy, and requested ones. An attempt
   * that the retry budget of the card forbids counts, although the PSP is not called. Retries of the payment itself
   * (`POST /v1/payments/{id}/retry`) do not count.
   */
  attempts: number;
  /** When the retry policy collects it next; `null` if no retry is planned. */
  next_retry_at: string | null;
  /** The payment of the last attempt, or the one that paid it. */
  payment_id: string | null;
  created_at: string;
  updated_at: string;
};

/**
 * Newest first. With rare matches a page may hold fewer than `limit` objects, or none: while `has_more` is true,
 * the `Link` header leads to the next page.
 */
export type InvoiceList = {
  invoices: readonly Invoice[];
  pagination: {
    limit: number;
    offset: number;
    has_more: boolean;
  };
};

export type ListedApiKey = {
  id: string;
  name: string;
  kind: 'service' | 'secret' | 'public';
  scopes: readonly (
    | 'connections:read'
    | 'connections:write'
    | 'payments:read'
    | 'payments:write'
    | 'fraud:read'
    | 'fraud:write'
    | 'webhooks:read'
    | 'webhooks:write'
    | 'subscriptions:read'
    | 'subscriptions:write'
    | 'invoices:read'
    | 'invoices:write'
    | 'api_keys:read'
    | 'api_keys:write'
    | 'workflows:read'
    | 'workflows:write')[];
  created_at: string;
  /** The API key or the user that created it, or `system`. `null` if that was not recorded. */
  created_by: string | null;
  /** `null` until it is used. For a public key up to an hour late. */
  last_used_at: string | null;
};

/** `everywhere` ends all of the user's sessions, not only this one. */
export type LogOut = {
  everywhere?: boolean;
};

export type MagicLink = {
  email: string;
};

export type MagicLinkSent = {
  sent: true;
  message: string;
};

export type Member = {
  id: string;
  email: string;
  role: 'owner' | 'admin' | 'member' | 'viewer';
  /** `active` once the member has opened the link of the invitation. Until then they have no access. */
  status: 'invited' | 'active';
  created_at: string;
  /** The user who added the member. `null` if that was not recorded. */
  created_by: string | null;
  /** The user who gave this role. `null` if that was not recorded. */
  role_given_by: string | null;
  /**
   * When the invitation was sent. `null` if none was needed, or it could not be sent: add the member again to send
   * it.
   */
  invited_at: string | null;
  joined_at: string | null;
};

export type MemberList = {
  members: readonly Member[];
  pagination: {
    limit: number;
    offset: number;
    total: number;
  };
};

/**
 * Up to 50 keys. It stays in this service: a provider gets only `org_id`, `connection_id`, `payment_id` and
 * `customer_email`.
 */
export type Metadata = { [name: string]: string | number | boolean };

/**
 * The merchant initiates the payment while the customer is absent. It needs a saved payment method that the
 * provider can charge so.
 */
export type Mit = {
  reason: 'recurring' | 'instalment' | 'unscheduled';
  /**
   * That of the payment in which the customer agreed, from its attempt. It keeps the chain when a saved card is
   * charged at another provider.
   */
  network_transaction_id?: string;
};

export type MollieCredentials = {
  api_key: string;
  webhook_secret?: string | readonly string[];
};

/** What the customer has to do, and what `confirm` waits for. */
export type NextAction = {
  type: 'redirect';
  url: string;
  method: 'GET' | 'POST';
  fields?: { [name: string]: string };
} | {
  type: 'collect';
  field: 'otp' | 'pin' | 'phone' | 'birthday' | 'address';
} | {
  type: 'display';
  [name: string]: unknown;
} | {
  type: 'await';
} | {
  type: 'sdk';
  provider:
    | 'adyen'
    | 'checkout'
    | 'flutterwave'
    | 'mollie'
    | 'paypal'
    | 'paystack'
    | 'razorpay'
    | 'stripe';
  data: { [name: string]: string };
};

/**
 * Notifies people: posts a message to a Slack channel, or sends an email to each address. Output: `status_code` and
 * `duration_ms` for Slack, as with `http_request`; the numbers `mailed` and `rejected` for email.
 */
export type NotifyStep = {
  /** Other steps and expressions refer to the step by this id. */
  id: string;
  /**
   * What happens after the last failed attempt. `stop` (the default): the execution fails. `continue`: the
   * execution continues with the next step.
   */
  on_error?: 'stop' | 'continue';
  /** The id of the next step. Default: the next step in the list. `null`: the execution ends here. */
  next?: string | null;
  type: 'notify';
  /** An integration of type `slack` or `email`. */
  integration_id: string;
  /** May contain `{{ expressions }}`. */
  message: string;
  /** The subject of the email. May contain `{{ expressions }}`. */
  subject?: string;
};

export type Order = {
  reference?: string;
  /** The part of the payment's amount that is tax. */
  tax_amount?: number;
  /** Tax included. Leave it out if shipping is one of the lines. */
  shipping_amount?: number;
  /** All of the order: with `shipping_amount` they come to the payment's amount. */
  lines?: readonly OrderLine[];
};

export type OrderLine = {
  name: string;
  quantity: number;
  /** Tax included. Below 0 only for `discount` and `gift_card`. */
  unit_amount: number;
  /** `quantity` × `unit_amount` − `discount_amount`, tax included. */
  total_amount: number;
  /** The part of `total_amount` that is tax. Below 0 where that is. */
  tax_amount?: number;
  discount_amount?: number;
  sku?: string;
  kind?: 'physical' | 'digital' | 'shipping' | 'discount' | 'gift_card' | 'service';
  url?: string;
  image_url?: string;
};

export type OrderRoutingRules = {
  /** The ids of all rules, in the order in which they are to be tried. */
  rules: readonly string[];
};

export type Organization = {
  id: string;
  name: string;
  legal_name: string | null;
  /** The legal name that waits for approval. Until then `legal_name` stays. `null` if none waits. */
  requested_legal_name: string | null;
  kyc: 'pending' | 'approved' | 'rejected';
  plan: 'free' | 'growth' | 'scale';
  /** The user who changed a name last. `null` if nobody has. */
  renamed_by: string | null;
  /** The role of the signed-in user; `null` with an API key. */
  role: 'owner' | 'admin' | 'member' | 'viewer' | null;
  created_at: string;
};

export type OrganizationAudit = {
  id: string;
  /** The user or the API key that acted. Never what `X-Actor-Id` claims. */
  actor_id: string;
  action:
    | 'api_key_created'
    | 'api_key_revoked'
    | 'member_added'
    | 'member_removed'
    | 'role_changed'
    | 'renamed'
    | 'second_factor_enabled'
    | 'second_factor_disabled'
    | 'passkey_added'
    | 'passkey_removed';
  target: {
    type: 'api_key' | 'user' | 'organization';
    id: string;
    /** `null` for users: `GET /v1/members` shows their addresses. */
    name: string | null;
  };
  metadata: {
    /** By field. */
    changes: { [name: string]: {
        from: unknown;
        to: unknown;
      } };
    /** The API key or the session that was used. */
    credential_id: string | null;
    /** `X-Actor-Id` of a call with an API key, as it was sent. */
    claimed_actor_id: string | null;
  };
  created_at: string;
};

export type OrganizationSettings = {
  support_email: string | null;
  support_phone: string | null;
  website_url: string | null;
  logo_url: string | null;
  email_receipts: boolean;
  receipt_language: 'en' | 'de' | 'fr' | 'es' | 'nl' | 'pt';
};

export type Passkey = {
  id: string;
  name: string | null;
  transports: readonly string[];
  created_at: string;
  /** The user who added it. `null` if that was not recorded. */
  created_by: string | null;
  last_used_at: string | null;
};

/** The result of `navigator.credentials.get()`, as its `toJSON()` returns it. */
export type PasskeyAuthentication = {
  id: string;
  rawId: string;
  type: 'public-key';
  authenticatorAttachment?: string | null;
  clientExtensionResults?: { [name: string]: unknown };
  response: {
    clientDataJSON: string;
    authenticatorData: string;
    signature: string;
    userHandle?: string | null;
  };
};

/** For `PublicKeyCredential.parseCreationOptionsFromJSON()`. The challenge works once and expires in 5 minutes. */
export type PasskeyCreationOptions = {
  rp: {
    id: string;
    name: string;
  };
  user: {
    id: string;
    name: string;
    displayName: string;
  };
  challenge: string;
  pubKeyCredParams: readonly {
    type: 'public-key';
    alg: number;
  }[];
  timeout: number;
  excludeCredentials: readonly {
    id: string;
    type: 'public-key';
    transports: readonly string[];
  }[];
  authenticatorSelection: {
    residentKey: 'required';
    requireResidentKey: boolean;
    userVerification: 'required';
  };
  attestation: 'none';
  extensions: {
    credProps: boolean;
  };
};

export type PasskeyDeleted = {
  id: string;
  deleted: true;
};

/**
 * The result of `navigator.credentials.create()`, as its `toJSON()` returns it, and optionally a name for the
 * passkey.
 */
export type PasskeyRegistration = {
  id: string;
  rawId: string;
  type: 'public-key';
  authenticatorAttachment?: string | null;
  clientExtensionResults?: { [name: string]: unknown };
  response: {
    clientDataJSON: string;
    attestationObject: string;
    transports?: readonly string[] | null;
  };
  name?: string | null;
};

/**
 * `code` is required if two-factor authentication is on: a code of the authenticator app, or a recovery code. The
 * code is used up.
 */
export type PasskeyRegistrationStart = {
  code?: string;
};

/** For `PublicKeyCredential.parseRequestOptionsFromJSON()`. The challenge works once and expires in 5 minutes. */
export type PasskeyRequestOptions = {
  rpId: string;
  challenge: string;
  allowCredentials: readonly never[];
  timeout: number;
  userVerification: 'required';
};

export type Passkeys = {
  credentials: readonly Passkey[];
};

/**
 * Pauses the subscription of the event, or of the event's payment. Output: `subscription_id`,
 * `subscription_status`.
 */
export type PauseSubscriptionStep = {
  /** Other steps and expressions refer to the step by this id. */
  id: string;
  /**
   * What happens after the last failed attempt. `stop` (the default): the execution fails. `continue`: the
   * execution continues with the next step.
   */
  on_error?: 'stop' | 'continue';
  /** The id of the next step. Default: the next step in the list. `null`: the execution ends here. */
  next?: string | null;
  type: 'pause_subscription';
};

/** A declined payment is no error: its `status` is `failed`, and `failure` says why. */
export type Payment = {
  id: string;
  org_id: string;
  mode: 'sandbox' | 'live';
  amount: number;
  currency: string;
  status:
    | 'created'
    | 'processing'
    | 'requires_action'
    | 'authorized'
    | 'succeeded'
    | 'failed'
    | 'canceled'
    | 'refunded';
  method: string;
  country: string | null;
  customer_id: string | null;
  customer_email: string | null;
  customer_ip: string | null;
  description: string | null;
  metadata: { [name: string]: string | number | boolean };
  connection_id: string | null;
  provider:
    | 'adyen'
    | 'checkout'
    | 'flutterwave'
    | 'mollie'
    | 'paypal'
    | 'paystack'
    | 'razorpay'
    | 'stripe' | null;
  psp_reference: string | null;
  amount_refunded: number;
  /**
   * What disputes withhold or have taken, in minor units: see `GET /v1/disputes?payment_id=`. Missing on a payment
   * that was never disputed. It is never part of `amount_refunded`.
   */
  amount_disputed?: number;
  refunds: readonly Refund[];
  attempts: readonly Attempt[];
  next_action: NextAction | null;
  failure: Failure | null;
  late_success: boolean;
  review: {
    reason: string;
    at: string;
    [name: string]: unknown;
  } | null;
  routing: {
    source: 'ab_test' | 'rule' | 'default';
    rule_id?: string;
    ab_test_id?: string;
    variant?: string;
    considered: readonly {
      connection_id: string;
      usable: boolean;
      reason: string | null;
    }[];
    /** Why the remaining connections were not tried. */
    stopped?: 'retry_budget_exhausted';
  } | null;
  fraud: {
    decision: string;
    reasons: readonly string[];
  } | null;
  payment_link_id: string | null;
  /** The invoice that this payment is for; missing on payments without an invoice. */
  invoice_id?: string;
  /** The saved payment method that it is charged with, or that it has made (`save`). */
  payment_method_id?: string;
  capture: 'automatic' | 'manual';
  /** What the provider authorized; null until it has. It may be less than `amount`. */
  authorized_amount?: number | null;
  /** The issuer approved only a part of `amount`. */
  partially_approved?: true;
  /** What succeeded captures have taken. Refunds give back at most this. */
  captured_amount?: number;
  /** What of the authorization was not captured. */
  released_amount?: number;
  /** What is not captured by then is released: the payment fails with `authorization_expired`. */
  capturable_until?: string | null;
  captures?: readonly Capture[];
  created_at: string;
  updated_at: string;
};

export type PaymentIntent = {
  id: string;
  org_id: string;
  mode: 'sandbox' | 'live';
  amount: number;
  currency: string;
  status:
    | 'created'
    | 'processing'
    | 'requires_action'
    | 'authorized'
    | 'succeeded'
    | 'failed'
    | 'canceled'
    | 'refunded';
  method: string;
  country: string | null;
  customer_id: string | null;
  customer_email: string | null;
  customer_ip: string | null;
  description: string | null;
  metadata: { [name: string]: string | number | boolean };
  connection_id: string | null;
  provider:
    | 'adyen'
    | 'checkout'
    | 'flutterwave'
    | 'mollie'
    | 'paypal'
    | 'paystack'
    | 'razorpay'
    | 'stripe' | null;
  psp_reference: string | null;
  amount_refunded: number;
  /**
   * What disputes withhold or have taken, in minor units: see `GET /v1/disputes?payment_id=`. Missing on a payment
   * that was never disputed. It is never part of `amount_refunded`.
   */
  amount_disputed?: number;
  refunds: readonly Refund[];
  attempts: readonly Attempt[];
  next_action: NextAction | null;
  failure: Failure | null;
  late_success: boolean;
  review: {
    reason: string;
    at: string;
    [name: string]: unknown;
  } | null;
  routing: {
    source: 'ab_test' | 'rule' | 'default';
    rule_id?: string;
    ab_test_id?: string;
    variant?: string;
    considered: readonly {
      connection_id: string;
      usable: boolean;
      reason: string | null;
    }[];
    /** Why the remaining connections were not tried. */
    stopped?: 'retry_budget_exhausted';
  } | null;
  fraud: {
    decision: string;
    reasons: readonly string[];
  } | null;
  payment_link_id: string | null;
  /** The invoice that this payment is for; missing on payments without an invoice. */
  invoice_id?: string;
  /** The saved payment method that it is charged with, or that it has made (`save`). */
  payment_method_id?: string;
  capture: 'automatic' | 'manual';
  /** What the provider authorized; null until it has. It may be less than `amount`. */
  authorized_amount?: number | null;
  /** The issuer approved only a part of `amount`. */
  partially_approved?: true;
  /** What succeeded captures have taken. Refunds give back at most this. */
  captured_amount?: number;
  /** What of the authorization was not captured. */
  released_amount?: number;
  /** What is not captured by then is released: the payment fails with `authorization_expired`. */
  capturable_until?: string | null;
  captures?: readonly Capture[];
  created_at: string;
  updated_at: string;
  client_secret: string;
};

export type PaymentLink = {
  id: string;
  org_id: string;
  mode: 'sandbox' | 'live';
  /** The page where customers pay. */
  url: string;
  amount: number;
  currency: string;
  description: string | null;
  methods: readonly string[];
  /** `completed`: it has reached `max_payments`. Only an `active` link takes new payments. */
  status: 'active' | 'completed' | 'expired' | 'inactive';
  max_payments: number;
  payments_made: number;
  expires_at: string | null;
  metadata: { [name: string]: string | number | boolean };
  capture: 'automatic' | 'manual';
  customer_id?: string;
  payment_method_id?: string;
  save?: true;
  created_at: string;
  updated_at: string;
};

/** Newest first. A page of large links may contain fewer than `limit`: follow the `Link` header until there is none. */
export type PaymentLinkList = {
  payment_links: readonly PaymentLink[];
  pagination: {
    limit: number;
    offset: number;
    total: number;
  };
};

/**
 * Newest first. Where hits are rare or payments large, a page holds fewer than `limit`, or none: while `has_more`
 * is true, `Link` leads on.
 */
export type PaymentList = {
  payments: readonly Payment[];
  pagination: {
    limit: number;
    offset: number;
    has_more: boolean;
  };
};

export type PaymentMethod = {
  type?: string;
  /**
   * A saved payment method, `pm_…`, in place of `type` and `token`. Beside it there may be `return_url`, and
   * `tokens` of the same card at further providers.
   */
  id?: string;
  token?: string | { [name: string]: string };
  tokens?: { [name in 'adyen' | 'checkout' | 'flutterwave' | 'mollie' | 'paypal' | 'paystack' | 'razorpay' | 'stripe']?: string | { [name: string]: string } };
  phone?: string;
  network?: string;
  bank?: string;
  /**
   * Where the customer goes after the payment. It stays as it is, byte for byte; `payment_id` and `status` are
   * added at the end of its query, before a fragment. If it has a parameter of one of these names, that appears
   * twice, and ours is the last. Without a URL, a page of ours says how the payment ended, and a customer whose
   * payment failed can try again there for a day.
   */
  return_url?: string;
};

export type PaymentMethodOfCustomer = {
  type: string;
  token?: string | { [name: string]: string };
  tokens?: { [name in 'adyen' | 'checkout' | 'flutterwave' | 'mollie' | 'paypal' | 'paystack' | 'razorpay' | 'stripe']?: string | { [name: string]: string } };
  phone?: string;
  network?: string;
  bank?: string;
};

/**
 * A payment counts on the day (UTC) that it was created, with what became of it since, seconds late. Without
 * `from`: 30 days; at most 366.
 */
export type PaymentStats = {
  from: string;
  to: string;
  total: number;
  by_status: {
    created: number;
    processing: number;
    requires_action: number;
    authorized: number;
    succeeded: number;
    failed: number;
    canceled: number;
    refunded: number;
  };
  /**
   * Of the payments that succeeded or failed, the share that succeeded, 0 to 1. Those whose authorization nobody
   * captured count as neither.
   */
  success_rate: number | null;
  /** A dispute counts on the day (UTC) that we heard of it, with what became of it since. */
  disputes: {
    total: number;
    by_status: {
      warning: number;
      needs_response: number;
      under_review: number;
      won: number;
      lost: number;
      accepted: number;
      expired: number;
    };
  };
  /** The failed payments by the code of their failure, most first. `null`: counted by a release that did not know. */
  by_reason: readonly {
    code: string | null;
    category: string | null;
    count: number;
  }[];
  by_currency: readonly ({
    currency: string;
    total: number;
    by_status: {
      created: number;
      processing: number;
      requires_action: number;
      authorized: number;
      succeeded: number;
      failed: number;
      canceled: number;
      refunded: number;
    };
    /**
     * Of the payments that succeeded or failed, the share that succeeded, 0 to 1. Those whose authorization nobody
     * captured count as neither.
     */
    success_rate: number | null;
    /** A dispute counts on the day (UTC) that we heard of it, with what became of it since. */
    disputes: {
      total: number;
      by_status: {
        warning: number;
        needs_response: number;
        under_review: number;
        won: number;
        lost: number;
        accepted: number;
        expired: number;
      };
    };
    /** The sum of what succeeded payments took, in minor units. Later refunds are not taken off. */
    volume: number;
    refunded_amount: number;
    /** The sum of all disputes, however they ended. */
    disputed_amount: number;
    /** Of the disputes that are lost, accepted or expired. */
    dispute_lost_amount: number;
  })[];
  by_provider: readonly ({
    provider: string | null;
    total: number;
    by_status: {
      created: number;
      processing: number;
      requires_action: number;
      authorized: number;
      succeeded: number;
      failed: number;
      canceled: number;
      refunded: number;
    };
    /**
     * Of the payments that succeeded or failed, the share that succeeded, 0 to 1. Those whose authorization nobody
     * captured count as neither.
     */
    success_rate: number | null;
    /** A dispute counts on the day (UTC) that we heard of it, with what became of it since. */
    disputes: {
      total: number;
      by_status: {
        warning: number;
        needs_response: number;
        under_review: number;
        won: number;
        lost: number;
        accepted: number;
        expired: number;
      };
    };
    /** The failed payments by the code of their failure, most first. `null`: counted by a release that did not know. */
    by_reason: readonly {
      code: string | null;
      category: string | null;
      count: number;
    }[];
    /** How long the provider took for a call, in milliseconds. `null` without calls. */
    latency: {
      calls: number;
      average_ms: number | null;
    };
    money: readonly {
      currency: string;
      /** The sum of what succeeded payments took, in minor units. Later refunds are not taken off. */
      volume: number;
      refunded_amount: number;
      /** The sum of all disputes, however they ended. */
      disputed_amount: number;
      /** Of the disputes that are lost, accepted or expired. */
      dispute_lost_amount: number;
    }[];
  })[];
  by_day: readonly ({
    day: string;
    total: number;
    by_status: {
      created: number;
      processing: number;
      requires_action: number;
      authorized: number;
      succeeded: number;
      failed: number;
      canceled: number;
      refunded: number;
    };
    /**
     * Of the payments that succeeded or failed, the share that succeeded, 0 to 1. Those whose authorization nobody
     * captured count as neither.
     */
    success_rate: number | null;
    /** A dispute counts on the day (UTC) that we heard of it, with what became of it since. */
    disputes: {
      total: number;
      by_status: {
        warning: number;
        needs_response: number;
        under_review: number;
        won: number;
        lost: number;
        accepted: number;
        expired: number;
      };
    };
    money: readonly {
      currency: string;
      /** The sum of what succeeded payments took, in minor units. Later refunds are not taken off. */
      volume: number;
      refunded_amount: number;
      /** The sum of all disputes, however they ended. */
      disputed_amount: number;
      /** Of the disputes that are lost, accepted or expired. */
      dispute_lost_amount: number;
    }[];
  })[];
};

/** All that is recorded of a payment, the oldest first. Nothing is shown that is not recorded. */
export type PaymentTimeline = {
  payment_id: string;
  /**
   * False if not all is shown: of a payment with very many entries, events or workflow runs, of which these are the
   * newest, or of an earlier release, which did not keep when events were made.
   */
  complete: boolean;
  /** Scopes that the caller lacks: entries that need them are left out. */
  hidden: readonly (
    | 'connections:read'
    | 'connections:write'
    | 'payments:read'
    | 'payments:write'
    | 'fraud:read'
    | 'fraud:write'
    | 'webhooks:read'
    | 'webhooks:write'
    | 'subscriptions:read'
    | 'subscriptions:write'
    | 'invoices:read'
    | 'invoices:write'
    | 'api_keys:read'
    | 'api_keys:write'
    | 'workflows:read'
    | 'workflows:write')[];
  entries: readonly TimelineEntry[];
};

export type PaypalCredentials = {
  client_id: string;
  client_secret: string;
  webhook_secret: string | readonly string[];
  merchant_id?: string;
};

export type PaystackCredentials = {
  secret_key: string;
  public_key?: string;
  webhook_secret?: string | readonly string[];
};

/** A change that an administrator of the platform made. It is written together with the change and never edited. */
export type PlatformAct = {
  id: string;
  actor_id: string;
  actor_email: string;
  action:
    | 'kyc_approved'
    | 'kyc_rejected'
    | 'legal_name_rejected'
    | 'plan_changed'
    | 'rate_changed'
    | 'capacity_changed'
    | 'admin_added'
    | 'admin_changed'
    | 'admin_removed'
    | 'recovery_requested'
    | 'recovery_approved'
    | 'recovery_rejected'
    | 'recovery_canceled'
    | 'recovery_finished'
    | 'organization_quarantined'
    | 'organization_released'
    | 'command_run';
  target: {
    type: 'organization' | 'user';
    id: string;
    name: string;
  };
  metadata: {
    /** `from` and `to` are the same if the decision confirmed the current value. */
    changes: { [name: string]: {
        from: string | null;
        to: string | null;
      } };
    reason: string | null;
    /** For decisions about an identity: the legal name that was verified. */
    legal_name?: string | null;
  };
  created_at: string;
};

export type PlatformAdmin = {
  /** The id of the user. */
  id: string;
  email: string;
  role: 'platform_owner' | 'platform_admin';
  created_at: string;
};

export type PlatformAdminList = {
  admins: readonly PlatformAdmin[];
  pagination: {
    limit: number;
    offset: number;
    total: number;
  };
};

export type PlatformAudit = {
  entries: readonly PlatformAct[];
  pagination: {
    limit: number;
    offset: number;
    has_more: boolean;
  };
};

/** The signed-in user's role on the platform. `role` is null for users who are not administrators. */
export type PlatformMe = {
  is_admin: boolean;
  role: 'platform_owner' | 'platform_admin' | null;
};

export type PlatformOrganization = {
  id: string;
  name: string;
  legal_name: string | null;
  /** The legal name that waits for approval. Until then `legal_name` stays. */
  requested_legal_name: string | null;
  /** Live keys work only while it is `approved`. */
  kyc: 'pending' | 'approved' | 'rejected';
  plan: 'free' | 'growth' | 'scale';
  created_at: string;
  /** Requests a minute that each of its API keys may make. */
  rate: {
    payments: number;
    writes: number;
    reads: number;
  };
  /** `list_shards`: over how many partitions of the store its lists are spread. */
  capacity: {
    list_shards: number;
  };
};

export type PlatformOrganizationList = {
  organizations: readonly PlatformOrganization[];
  pagination: {
    limit: number;
    offset: number;
    has_more: boolean;
  };
};

/** A request of a user who has lost the second factor and passkeys. */
export type PlatformRecovery = {
  /** The id of the user. */
  id: string;
  email: string;
  status: 'requested' | 'approved' | 'rejected' | 'canceled' | 'finished';
  /** False once it is decided or finished, or has expired. */
  open: boolean;
  requested_at: string;
  approvals: readonly {
    user_id: string;
    email: string;
    approved_at: string;
  }[];
  usable_from: string | null;
  expires_at: string;
};

export type PlatformRecoveryList = {
  recoveries: readonly PlatformRecovery[];
  pagination: {
    limit: number;
    offset: number;
    total: number;
  };
};

export type Problem = {
  error:
    | 'invalid_request'
    | 'unauthorized'
    | 'payment_required'
    | 'forbidden'
    | 'not_found'
    | 'conflict'
    | 'unprocessable'
    | 'rate_limited'
    | 'internal_error'
    | 'provider_error'
    | 'unavailable';
  code:
    | 'invalid_request'
    | 'malformed_json'
    | 'unsupported_content_type'
    | 'body_too_large'
    | 'raw_card_data'
    | 'org_id_required'
    | 'idempotency_key_required'
    | 'idempotency_key_invalid'
    | 'provider_immutable'
    | 'mode_immutable'
    | 'mode_not_allowed'
    | 'url_not_allowed'
    | 'workflow_loop'
    | 'refund_exceeds_remaining'
    | 'capture_exceeds_authorized'
    | 'amount_not_supported'
    | 'webhook_unroutable'
    | 'invalid_api_key'
    | 'wrong_stage'
    | 'invalid_session'
    | 'invalid_link'
    | 'totp_required'
    | 'invalid_code'
    | 'invalid_passkey'
    | 'fresh_proof_required'
    | 'invalid_signature'
    | 'plan_limit_reached'
    | 'feature_not_in_plan'
    | 'missing_scope'
    | 'missing_role'
    | 'second_factor_required'
    | 'own_organization'
    | 'bad_origin'
    | 'org_mismatch'
    | 'scope_escalation'
    | 'own_recovery'
    | 'kyc_required'
    | 'organization_quarantined'
    | 'not_found'
    | 'route_not_found'
    | 'idempotency_in_progress'
    | 'setup_limit_reached'
    | 'outcome_unknown'
    | 'payment_not_confirmable'
    | 'payment_not_cancelable'
    | 'payment_not_capturable'
    | 'payment_not_retryable'
    | 'retry_budget_exhausted'
    | 'payment_not_refundable'
    | 'payment_disputed'
    | 'dispute_not_answerable'
    | 'dispute_answer_refused'
    | 'dispute_answer_unsupported'
    | 'connection_in_use'
    | 'routing_rule_in_use'
    | 'ab_test_not_startable'
    | 'ab_test_not_pausable'
    | 'ab_test_not_completable'
    | 'ab_test_not_editable'
    | 'ab_test_has_run'
    | 'ab_test_overlap'
    | 'ab_test_limit'
    | 'ab_test_rule_missing'
    | 'passkey_limit'
    | 'payment_method_limit'
    | 'payment_method_in_use'
    | 'customer_being_erased'
    | 'customer_in_use'
    | 'payment_link_not_active'
    | 'subscription_canceled'
    | 'subscription_not_resumable'
    | 'invoice_not_retryable'
    | 'invoice_not_cancelable'
    | 'workflow_integration_in_use'
    | 'workflow_integration_disabled'
    | 'workflow_template_in_use'
    | 'workflow_limit_reached'
    | 'workflow_execution_over'
    | 'webhooks_disabled'
    | 'legal_name_changed'
    | 'legal_name_missing'
    | 'capacity_only_grows'
    | 'last_platform_owner'
    | 'totp_enabled'
    | 'totp_not_set_up'
    | 'totp_not_enabled'
    | 'mail_not_configured'
    | 'recovery_waiting'
    | 'recovery_not_needed'
    | 'recovery_not_open'
    | 'last_owner'
    | 'member_limit_reached'
    | 'secret_rotation_limit'
    | 'write_conflict'
    | 'record_full'
    | 'idempotency_key_reused'
    | 'rate_limited'
    | 'internal_error'
    | 'provider_error'
    | 'events_waiting'
    | 'service_unavailable'
    | 'storage_full';
  /** For people; programs should use `code`. */
  message: string;
  /** `fields` lists the errors of an invalid request, at most 50; `more` is the number of further errors. */
  details?: {
    fields?: readonly {
      path: string;
      message: string;
    }[];
    more?: number;
    [name: string]: unknown;
  };
  /** Whole seconds, as in the header `Retry-After`. */
  retry_after?: number;
};

/** For 10 minutes the session may make changes that could lock the user out or let somebody else in. */
export type Proof = {
  method: 'passkey' | 'totp' | 'mail';
  valid_until: string;
};

/**
 * One of three. `code`: of the authenticator app, or a recovery code. `passkey`: a signature for the challenge of
 * `POST /v1/auth/webauthn/authenticate/begin`. `token`: of a sign-in link, for users who have neither a passkey nor
 * two-factor authentication. Each is used up.
 */
export type Prove = {
  code?: string;
  passkey?: PasskeyAuthentication;
  token?: string;
};

export type RazorpayCredentials = {
  key_id: string;
  key_secret: string;
  webhook_secret: string | readonly string[];
  account_id?: string;
};

/**
 * A way back for users who have lost the second factor and passkeys. Administrators of the platform approve it; 72
 * hours later it can be finished.
 */
export type Recovery = {
  status: 'requested' | 'approved' | 'rejected' | 'canceled' | 'finished';
  requested_at: string;
  /** When the waiting time ends. `null` until the recovery is approved. */
  usable_from: string | null;
  expires_at: string;
};

/** The token of the links in the email about the request. */
export type RecoveryToken = {
  token: string;
};

export type Refund = {
  id: string;
  amount: number;
  status: 'pending' | 'succeeded' | 'failed';
  reason: string | null;
  /**
   * Why the refund failed; null unless `status` is `failed`. Codes: `refund_declined`, `insufficient_balance`,
   * `try_again_later`, `refund_canceled`, `already_refunded`, `charge_disputed`, `not_refundable`,
   * `invalid_account`, `expired`, `amount_not_supported`, `account_restricted`, `provider_unavailable`,
   * `no_verdict`.
   */
  failure: Failure | null;
  metadata: { [name: string]: string | number | boolean };
  attempt_id: string;
  psp_reference: string | null;
  created_at: string;
};

/**
 * Without `amount` all that is left is refunded. What the provider cannot refund exactly, or as too little, is
 * refused (`amount_not_supported`); a part may leave a rest that is so.
 */
export type RefundPayment = {
  /** In minor units of the currency: JPY 0, USD 2, KWD 3 decimals. */
  amount?: number;
  reason?: string;
  metadata?: Metadata;
  /** Refund it although the customer disputes it (`payment_disputed`). The customer may then get the money twice. */
  force?: boolean;
};

/**
 * Refunds the payment of the event. Without `amount`, refunds the remaining amount. Output: `payment_id`,
 * `refund_id`, `refund_status`.
 */
export type RefundPaymentStep = {
  /** Other steps and expressions refer to the step by this id. */
  id: string;
  /**
   * What happens after the last failed attempt. `stop` (the default): the execution fails. `continue`: the
   * execution continues with the next step.
   */
  on_error?: 'stop' | 'continue';
  /** The id of the next step. Default: the next step in the list. `null`: the execution ends here. */
  next?: string | null;
  type: 'refund_payment';
  /** In minor units of the currency: JPY 0, USD 2, KWD 3 decimals. */
  amount?: number;
  /** May contain `{{ expressions }}`. The step fails if the resulting text is empty or longer than 200 characters. */
  reason?: string;
};

/** Also withdraws an approval: live keys are refused from the next request on. The audit log keeps `reason`. */
export type RejectKyc = {
  org_id: string;
  reason: string;
  /**
   * The name that was reviewed. With `requested_legal_name`, only that request is rejected: `legal_name` and `kyc`
   * stay.
   */
  legal_name?: string | null;
};

/** Also withdraws an approval. The audit log keeps `reason`. */
export type RejectRecovery = {
  /** Of the request that you reviewed. Returns 409 if there is a newer one. */
  requested_at: string;
  reason: string;
};

/**
 * Omitted fields stay as they are. Identity verification is about `legal_name`: a different one (apart from
 * spelling, punctuation and legal form) sets `kyc` from `rejected` back to `pending`. While `kyc` is `approved`,
 * only owners can change `legal_name`. A new one waits in `requested_legal_name` and takes effect when it is
 * approved; the current one withdraws the request. `null` sets `kyc` back to `pending`. In production the
 * organization's API keys then stop working, until it is approved again. The name matches of connections stay until
 * they are validated again.
 */
export type RenameOrganization = {
  name?: string;
  legal_name?: string | null;
};

export type ReplayFailedEvents = {
  /** Events created at this time or later. Attempts go on for two days, so after an outage begin two days before it. */
  since: string;
  /** Events created before this time. Now, if omitted. */
  until?: string;
  type?:
    | 'payment.created'
    | 'payment.authorized'
    | 'payment.authorization_expiring'
    | 'payment.captured'
    | 'payment.capture_failed'
    | 'payment.succeeded'
    | 'payment.failed'
    | 'payment.canceled'
    | 'payment.refunded'
    | 'subscription.created'
    | 'subscription.updated'
    | 'subscription.canceled'
    | 'subscription.paused'
    | 'subscription.resumed'
    | 'subscription.renewed'
    | 'invoice.created'
    | 'invoice.paid'
    | 'invoice.failed'
    | 'invoice.canceled'
    | 'payment_link.paid'
    | 'dispute.created'
    | 'dispute.updated'
    | 'dispute.response_due'
    | 'dispute.closed'
    | 'service.webhook.test';
};

export type ReplayOfFailedEvents = {
  since: string;
  until: string;
  type:
    | 'payment.created'
    | 'payment.authorized'
    | 'payment.authorization_expiring'
    | 'payment.captured'
    | 'payment.capture_failed'
    | 'payment.succeeded'
    | 'payment.failed'
    | 'payment.canceled'
    | 'payment.refunded'
    | 'subscription.created'
    | 'subscription.updated'
    | 'subscription.canceled'
    | 'subscription.paused'
    | 'subscription.resumed'
    | 'subscription.renewed'
    | 'invoice.created'
    | 'invoice.paid'
    | 'invoice.failed'
    | 'invoice.canceled'
    | 'payment_link.paid'
    | 'dispute.created'
    | 'dispute.updated'
    | 'dispute.response_due'
    | 'dispute.closed'
    | 'service.webhook.test' | null;
  /** Events are replayed from now on, oldest first. Disabling webhooks ends the replay. */
  accepted: true;
  /**
   * True if a replay of the organization was still running. These events were added to it, and each event is sent
   * once in it. An event that the replay before has sent is sent again 5 minutes after that. A replay sends 5000
   * events in 5 minutes at most, and then pauses.
   */
  joined?: boolean;
};

export type ReplayRouting = {
  /** A whole set of rules, in the order in which they are tried: it takes the place of the stored. */
  rules: readonly EditedRoutingRule[];
  limit?: number;
};

/** The token of a sign-in link, which is used up. It shows that the mailbox is yours. */
export type RequestRecovery = {
  token: string;
};

export type RetryPayment = {
  payment_method?: PaymentMethod;
  /** The payer, as the card's issuer knows them. */
  billing?: Contact;
  /** Whom the goods go to. */
  shipping?: Contact;
  browser?: Browser;
  /**
   * What the customer's statement shows, cut to what the provider takes. Some show it only after the account's
   * name.
   */
  statement_descriptor?: string;
  /** Shown after the account's own name. */
  statement_descriptor_suffix?: string;
  order?: Order;
  sca?: Sca;
  mit?: Mit;
};

/** When an unpaid invoice is collected again. An empty `plan_id` is the organization's default. */
export type RetryPolicy = {
  org_id: string;
  plan_id: string;
  delays: readonly string[];
  max_retries: number;
  created_at: string;
  updated_at: string;
};

/** By how long they wait, longest first. The list follows the payments, seconds late. */
export type ReviewList = {
  payments: readonly Payment[];
  pagination: {
    limit: number;
    offset: number;
    has_more: boolean;
  };
};

export type RevokedApiKey = {
  id: string;
  deleted: true;
  /** The ids, if `descendants` was `true`. */
  revoked_descendants?: readonly string[];
};

export type RotateWebhookSecret = {
  /** For a leaked secret: revokes all previous secrets now. Otherwise the previous secret signs for 24 more hours. */
  expire_previous?: boolean;
};

export type RoutingHintsInput = {
  country_preference?: readonly string[];
  /** By method; at most 100. */
  method_bias?: { [name: string]: number };
  fallback_only?: boolean;
};

/**
 * The connections are those of now. What a payment recorded counts too: a connection that was down then, or had no
 * token of it, is so in the replay. A payment that went where tokens decide may need its own tokens elsewhere.
 */
export type RoutingReplay = {
  /** How many were looked at: the newest. */
  payments: number;
  /** How many of them had been routed; others were blocked, or never confirmed. */
  replayed: number;
  /** How many go elsewhere by the edited rules than by the stored ones. */
  moved: number;
  /** How many go elsewhere by the stored rules than they once went, as rules, connections or their health changed. */
  differs_from_recorded: number;
  oldest_at: string | null;
  newest_at: string | null;
  /** Most first. Null is a payment that no connection could take. */
  moves: readonly {
    from: string | null;
    to: string | null;
    payments: number;
  }[];
  /** The newest payments that move. */
  sample: readonly {
    payment_id: string;
    created_at: string;
    from: string | null;
    to: string | null;
  }[];
};

/** Sends payments with these countries and methods to one connection. A payment without a country matches no rule. */
export type RoutingRule = {
  id: string;
  name: string;
  countries: readonly string[];
  methods: readonly string[];
  connection_id: string;
  priority: number;
  fallback_to_default: boolean;
  enabled: boolean;
  created_at: string;
  updated_at: string;
};

export type RoutingRuleExplained = {
  id: string;
  name: string;
  position: number;
  connection_id: string;
  fallback_to_default: boolean;
  /**
   * `earlier_rule` and `ab_test`: it matches, but that one decides. `connection_unusable`: it matches first, but
   * its connection cannot take the payment.
   */
  result: 'decides' | 'connection_unusable' | 'earlier_rule' | 'ab_test' | 'no_match';
  conditions: readonly {
    condition: 'enabled' | 'country' | 'method' | 'currency';
    holds: boolean;
    /** One of these. Empty: anything. */
    wanted: readonly string[];
    seen: string | null;
  }[];
};

/** The rules in their new order. As few as possible get another `priority`: so many have `changed`. */
export type RoutingRuleOrder = {
  rules: readonly RoutingRule[];
  changed: number;
};

export type RoutingSimulation = {
  /**
   * `blocked`: by the fraud policy. `refused`: the API would answer with the error in `failure`, for example as the
   * plan has no payments left. The routing below is then what would follow otherwise.
   */
  outcome: 'routed' | 'blocked' | 'no_route' | 'refused';
  connection_id: string | null;
  provider: string | null;
  failure: {
    code: string;
    message: string;
  } | null;
  mode: 'sandbox' | 'live';
  method: string;
  routing: {
    source: 'ab_test' | 'rule' | 'default';
    rule_id: string | null;
    ab_test_id: string | null;
    variant: string | null;
  };
  /** Another payment like this may go elsewhere: see the shares of `ab_tests`. Send an `id` or customer. */
  by_chance: boolean;
  /** The connections that may see it, in order of failover. */
  order: readonly string[];
  rules: readonly RoutingRuleExplained[];
  ab_tests: readonly AbTestExplained[];
  /** Null without an enabled fraud policy, and for a payment that is refused. */
  fraud: {
    decision: string;
    reasons: readonly string[];
    /** Rules that count payments are not applied: a simulation is not counted, nor does it read counts. */
    velocity_rules: number;
  } | null;
  connections: readonly ConnectionExplained[];
};

/**
 * An upsert by `id`: fields that are not sent stay unchanged. `provider` and `credentials` are required for a new
 * connection; `provider` and `mode` never change.
 */
export type SaveConnection = {
  id?: string;
  provider?:
    | 'adyen'
    | 'checkout'
    | 'flutterwave'
    | 'mollie'
    | 'paypal'
    | 'paystack'
    | 'razorpay'
    | 'stripe';
  mode?: 'sandbox' | 'live';
  status?: 'active' | 'inactive';
  /**
   * The credentials of the connection's provider. Required for a new connection; otherwise they replace all earlier
   * ones. No response shows them.
   */
  credentials?:
    | AdyenCredentials
    | CheckoutCredentials
    | FlutterwaveCredentials
    | MollieCredentials
    | PaypalCredentials
    | PaystackCredentials
    | RazorpayCredentials
    | StripeCredentials;
  capabilities?: CapabilitiesInput;
  routing_hints?: RoutingHintsInput;
  /** At most 20 different labels. */
  labels?: readonly string[];
  workflow_id?: string | null;
  fee_structure?: FeeStructure | null;
};

/** Fields that are not sent stay unchanged; a sent field is replaced as a whole. */
export type SaveFraudPolicy = {
  enabled?: boolean;
  /** By currency of ISO 4217, in any case; returned in upper case. */
  max_amount?: { [name: string]: number };
  velocity?: readonly VelocityRule[];
  blocked?: FraudLists;
  allowed?: FraudLists;
  action?: 'block' | 'flag';
};

/** Adds an administrator, who need not have signed in before, or changes the role of one. No email is sent. */
export type SavePlatformAdmin = {
  email: string;
  role: 'platform_owner' | 'platform_admin';
};

/**
 * Fields that are not sent stay unchanged; a new policy starts with the delays 24h, 72h, 120h and 3 retries. The
 * last delay repeats; without delays there are no retries.
 */
export type SaveRetryPolicy = {
  plan_id?: string;
  delays?: readonly string[];
  max_retries?: number;
};

/** A customer's card or account, kept for later payments. */
export type SavedPaymentMethod = {
  id: string;
  org_id: string;
  mode: 'sandbox' | 'live';
  customer_id: string;
  type: string;
  /** As far as it is known. `null` for other than cards. */
  card: {
    brand?: string;
    last4?: string;
    exp_month?: number;
    exp_year?: number;
    funding?: 'credit' | 'debit' | 'prepaid';
    issuer_country?: string;
  } | null;
  /** Those that have a token of it. A payment with it goes to their connections only. */
  providers: readonly (
    | 'adyen'
    | 'checkout'
    | 'flutterwave'
    | 'mollie'
    | 'paypal'
    | 'paystack'
    | 'razorpay'
    | 'stripe')[];
  network_transaction_id: string | null;
  /** Exactly one of a customer's methods is the default: at first the first. */
  default: boolean;
  created_at: string;
  updated_at: string;
};

/** Newest first. A customer may have up to 50. */
export type SavedPaymentMethodList = {
  payment_methods: readonly SavedPaymentMethod[];
  pagination: {
    limit: number;
    offset: number;
    total: number;
  };
};

/** Strong customer authentication. The issuer decides: it may ask for a challenge in spite of an exemption. */
export type Sca = {
  challenge?: 'preferred' | 'required' | 'avoid';
  exemption?: 'low_value' | 'transaction_risk_analysis' | 'trusted_beneficiary' | 'secure_corporate';
};

/**
 * What this organization has with exactly this id, reference, customer or address. Of a customer these are the
 * newest. Kinds that the caller may not read are left out. Refunds, captures and attempts are found with their
 * payment.
 */
export type SearchResults = {
  results: readonly {
    type:
      | 'payment'
      | 'dispute'
      | 'payment_link'
      | 'payment_method'
      | 'customer'
      | 'subscription'
      | 'invoice'
      | 'connection'
      | 'event'
      | 'workflow_run';
    id: string;
    found_by: 'id' | 'psp_reference' | 'customer_id' | 'customer_email';
    /** The payment that it is, or that it belongs to. */
    payment_id: string | null;
  }[];
};

/**
 * The number only grows: it is for an organization whose lists take more than a few hundred new records a second.
 * Lists of a large organization cost more to read. New records are spread over the partitions a minute later, when
 * every process reads them all; existing records stay where they are.
 */
export type SetCapacity = {
  list_shards: 4 | 16 | 64;
};

export type SetLabels = {
  /** At most 20 different labels. */
  labels: readonly string[];
};

export type SetPlan = {
  plan: 'free' | 'growth' | 'scale';
};

/**
 * Requests a minute that each service or secret key of the organization may make; the limit for ten seconds grows
 * with their sum. Requests of sessions, and of public keys by IP address, keep the usual limits. It takes effect
 * within one request of each process of the service. If the request fails with 5xx, send it again with the same
 * idempotency key: some keys may still have the former limits.
 */
export type SetRate = {
  payments: number;
  writes: number;
  reads: number;
};

export type SetStatus = {
  status: 'active' | 'inactive';
};

/**
 * The signed-in user and their organizations. The session ends at `expires_at` at the latest, and earlier after 12
 * hours without a request.
 */
export type SignedIn = {
  user: {
    id: string;
    email: string;
    totp_enabled: boolean;
  };
  stage: 'sandbox' | 'live';
  organizations: readonly {
    id: string;
    name: string;
    role: 'owner' | 'admin' | 'member' | 'viewer';
    /** What the role allows in this organization. */
    scopes: readonly (
      | 'connections:read'
      | 'connections:write'
      | 'payments:read'
      | 'payments:write'
      | 'fraud:read'
      | 'fraud:write'
      | 'webhooks:read'
      | 'webhooks:write'
      | 'subscriptions:read'
      | 'subscriptions:write'
      | 'invoices:read'
      | 'invoices:write'
      | 'api_keys:read'
      | 'api_keys:write'
      | 'workflows:read'
      | 'workflows:write')[];
  }[];
  expires_at: string;
  /** What counts as now here: a browser’s clock may be wrong. */
  server_time: string;
};

export type SignedOut = {
  signed_out: true;
};

/** A payment as `CreatePayment` takes it. Any text may stand for a token: it is not used or stored. */
export type SimulateRouting = {
  /**
   * Its id decides whether a payment without customer_id is in an A/B test, and whether it probes a connection that
   * is in trouble. Without one, the result is that of most such payments.
   */
  id?: string;
  /** A whole set of rules, in the order in which they are tried: it takes the place of the stored. */
  rules?: readonly EditedRoutingRule[];
  /** In minor units of the currency: JPY 0, USD 2, KWD 3 decimals. */
  amount: number;
  /** ISO 4217, in any case; returned in upper case. */
  currency: string;
  method?: string;
  /** ISO 3166-1 alpha-2, in any case; returned in upper case. */
  country?: string;
  customer_id?: string;
  customer_email?: string;
  customer_ip?: string;
  description?: string;
  metadata?: Metadata;
  /**
   * `manual`: the amount is only authorized, and captured by `POST /v1/payments/{id}/capture`. Default:
   * `automatic`.
   */
  capture?: 'automatic' | 'manual';
  payment_method?: PaymentMethod;
  save?: boolean;
  /** The payer, as the card's issuer knows them. */
  billing?: Contact;
  /** Whom the goods go to. */
  shipping?: Contact;
  browser?: Browser;
  /**
   * What the customer's statement shows, cut to what the provider takes. Some show it only after the account's
   * name.
   */
  statement_descriptor?: string;
  /** Shown after the account's own name. */
  statement_descriptor_suffix?: string;
  order?: Order;
  sca?: Sca;
  mit?: Mit;
};

export type SlackIntegration = {
  id: string;
  org_id: string;
  name: string;
  type: 'slack';
  config: {
    /** Without its path. */
    url: string;
  };
  enabled: boolean;
  created_at: string;
  updated_at: string;
};

/** Runs a template now for an existing event of any type and age. */
export type StartWorkflowExecution = {
  template_id: string;
  event_id: string;
};

export type StripeCredentials = {
  secret_key: string;
  webhook_secret: string | readonly string[];
  publishable_key?: string;
  account?: string;
};

/** A customer who is charged off-session for each period. The payment method is never returned. */
export type Subscription = {
  id: string;
  org_id: string;
  mode: 'sandbox' | 'live';
  customer_id: string;
  customer_email: string | null;
  country: string | null;
  plan_id: string;
  /** Per period, in minor units. */
  amount: number;
  currency: string;
  method: string;
  /** The saved payment method that it is charged with: its tokens are read at each charge. */
  payment_method_id?: string;
  /**
   * Periods are counted from `start_at`, in UTC: a subscription that starts on the 31st renews on the last day of
   * shorter months, and on the 31st of longer ones.
   */
  interval: 'daily' | 'weekly' | 'monthly' | 'quarterly' | 'yearly';
  /** `canceled` is final. */
  status: 'active' | 'paused' | 'canceled';
  start_at: string;
  /**
   * When the next period starts and is charged, or, with `cancel_at_period_end`, when the subscription ends. `null`
   * while nothing renews.
   */
  next_renewal_at: string | null;
  cancel_at_period_end: boolean;
  canceled_at: string | null;
  metadata: { [name: string]: string | number | boolean };
  created_at: string;
  updated_at: string;
};

/**
 * Seconds late. What moved counts on the day (UTC) that it happened, a start on that of its first period. Without
 * `from`: 30 days; it may be at most 731 days ago.
 */
export type SubscriptionStats = {
  from: string;
  to: string;
  by_currency: readonly ({
    currency: string;
    /** How the subscriptions stand now, whatever `to` says. */
    now: {
      active: number;
      paused: number;
      canceled: number;
      /** Not started: the first period is not billed yet. */
      scheduled: number;
      /** Of the active ones, those that end with their period. */
      ending: number;
      /**
       * Monthly recurring revenue in minor units: a twelfth of what active subscriptions are charged in a year (365
       * days, 52 weeks, 12 months, 4 quarters or 1 year of their interval), before fees and taxes.
       */
      mrr: number;
    };
    /** Before `from`. */
    start: {
      active: number;
      /**
       * Monthly recurring revenue in minor units: a twelfth of what active subscriptions are charged in a year (365
       * days, 52 weeks, 12 months, 4 quarters or 1 year of their interval), before fees and taxes.
       */
      mrr: number;
    };
    /** At the end of `to`. */
    end: {
      active: number;
      /**
       * Monthly recurring revenue in minor units: a twelfth of what active subscriptions are charged in a year (365
       * days, 52 weeks, 12 months, 4 quarters or 1 year of their interval), before fees and taxes.
       */
      mrr: number;
    };
    /** Started: their first period began. One that is canceled before that is never counted. */
    new: number;
    canceled: number;
    /** By a person, or after the last retry of an invoice. */
    paused: number;
    /** No longer active: paused or canceled. */
    churned: number;
    /** Active again after a pause. */
    reactivated: number;
    mrr_new: number;
    /** From higher amounts. */
    mrr_expansion: number;
    /** From lower amounts. */
    mrr_contraction: number;
    mrr_churned: number;
    mrr_reactivated: number;
    /** `churned` by the active subscriptions at the start, 0 to 1. */
    churn_rate: number | null;
    /** `mrr_churned` by the revenue at the start, 0 to 1. */
    mrr_churn_rate: number | null;
    by_day: readonly {
      day: string;
      active: number;
      /**
       * Monthly recurring revenue in minor units: a twelfth of what active subscriptions are charged in a year (365
       * days, 52 weeks, 12 months, 4 quarters or 1 year of their interval), before fees and taxes.
       */
      mrr: number;
      /** Started: their first period began. One that is canceled before that is never counted. */
      new: number;
      canceled: number;
      /** By a person, or after the last retry of an invoice. */
      paused: number;
      /** No longer active: paused or canceled. */
      churned: number;
      /** Active again after a pause. */
      reactivated: number;
      mrr_new: number;
      /** From higher amounts. */
      mrr_expansion: number;
      /** From lower amounts. */
      mrr_contraction: number;
      mrr_churned: number;
      mrr_reactivated: number;
    }[];
  })[];
};

/** Adds metadata to the payment of the event. Existing keys get the new value. Output: `payment_id`. */
export type TagPaymentStep = {
  /** Other steps and expressions refer to the step by this id. */
  id: string;
  /**
   * What happens after the last failed attempt. `stop` (the default): the execution fails. `continue`: the
   * execution continues with the next step.
   */
  on_error?: 'stop' | 'continue';
  /** The id of the next step. Default: the next step in the list. `null`: the execution ends here. */
  next?: string | null;
  type: 'tag_payment';
  /**
   * Up to 50 keys. String values may contain `{{ expressions }}`. A string that consists of one expression is
   * replaced by its value, so it may become a number or a boolean. The step fails if the expression has no value or
   * if the result is not allowed in metadata.
   */
  metadata: Metadata;
};

export type TimelineEntry = {
  kind: 'created';
  at: string;
  /** What happened, in one English sentence. */
  text: string;
  origin: 'api' | 'payment_link' | 'invoice';
  /** The payment link or invoice that it is for. */
  origin_id: string | null;
  amount: number;
  currency: string;
} | {
  kind: 'fraud_checked';
  at: string;
  /** What happened, in one English sentence. */
  text: string;
  decision: string;
  reasons: readonly string[];
} | {
  kind: 'routed';
  at: string;
  /** What happened, in one English sentence. */
  text: string;
  source: 'ab_test' | 'rule' | 'default';
  rule_id: string | null;
  ab_test_id: string | null;
  variant: string | null;
  considered: readonly {
    connection_id: string;
    usable: boolean;
    reason: string | null;
  }[];
  stopped: string | null;
} | {
  kind: 'attempt';
  at: string;
  /** What happened, in one English sentence. */
  text: string;
  attempt_id: string;
  number: number;
  connection_id: string;
  provider:
    | 'adyen'
    | 'checkout'
    | 'flutterwave'
    | 'mollie'
    | 'paypal'
    | 'paystack'
    | 'razorpay'
    | 'stripe';
  status: string;
  failure: {
    code: string;
    category: string;
    message: string;
    provider_code: string | null;
  } | null;
  latency_ms: number | null;
  psp_reference: string | null;
  /** Whether the provider has decided. While it has not, it is polled. */
  is_known: boolean;
  /** It succeeded after the payment had failed or was canceled. */
  is_late: boolean;
  ab_test: {
    test_id: string;
    variant: string;
  } | null;
} | {
  kind: 'polled';
  at: string;
  /** What happened, in one English sentence. */
  text: string;
  attempt_id: string;
  provider:
    | 'adyen'
    | 'checkout'
    | 'flutterwave'
    | 'mollie'
    | 'paypal'
    | 'paystack'
    | 'razorpay'
    | 'stripe';
  /** How often a timer has asked. Null if nobody counted. */
  polls: number | null;
} | {
  kind: 'review';
  at: string;
  /** What happened, in one English sentence. */
  text: string;
  reason: string;
} | {
  kind: 'capture';
  at: string;
  /** What happened, in one English sentence. */
  text: string;
  capture_id: string;
  attempt_id: string;
  amount: number;
  currency: string;
  status: 'pending' | 'succeeded' | 'failed';
  failure: {
    code: string;
    category: string;
    message: string;
    provider_code: string | null;
  } | null;
  final: boolean;
  psp_reference: string | null;
} | {
  kind: 'release';
  at: string;
  /** What happened, in one English sentence. */
  text: string;
  attempt_id: string;
  reason: string;
  is_done: boolean;
} | {
  kind: 'refund';
  at: string;
  /** What happened, in one English sentence. */
  text: string;
  refund_id: string;
  attempt_id: string;
  amount: number;
  currency: string;
  status: 'pending' | 'succeeded' | 'failed';
  reason: string | null;
  failure: {
    code: string;
    category: string;
    message: string;
    provider_code: string | null;
  } | null;
  is_automatic: boolean;
  psp_reference: string | null;
} | {
  kind: 'dispute';
  at: string;
  /** What happened, in one English sentence. */
  text: string;
  dispute_id: string;
  status: string;
  reason: string;
  amount: number;
  currency: string;
  respond_by: string | null;
} | {
  kind: 'dispute_answer';
  at: string;
  /** What happened, in one English sentence. */
  text: string;
  dispute_id: string;
  answer: 'accept' | 'evidence';
  /** Who asked for it: a member, or an API key. */
  by: {
    type: 'user' | 'api_key';
    id: string;
  };
} | {
  kind: 'dispute_closed';
  at: string;
  /** What happened, in one English sentence. */
  text: string;
  dispute_id: string;
  status: string;
} | {
  kind: 'action';
  at: string;
  /** What happened, in one English sentence. */
  text: string;
  action: 'capture' | 'cancel' | 'end_review' | 'refund' | 'retry';
  /** Who asked for it: a member, or an API key. */
  by: {
    type: 'user' | 'api_key';
    id: string;
  };
  /** The refund, capture or attempt that it made. */
  resource_id: string | null;
} | {
  kind: 'receipt';
  at: string;
  /** What happened, in one English sentence. */
  text: string;
  is_sent: boolean;
} | {
  kind: 'event';
  at: string;
  /** What happened, in one English sentence. */
  text: string;
  event_id: string;
  type:
    | 'payment.created'
    | 'payment.authorized'
    | 'payment.authorization_expiring'
    | 'payment.captured'
    | 'payment.capture_failed'
    | 'payment.succeeded'
    | 'payment.failed'
    | 'payment.canceled'
    | 'payment.refunded'
    | 'subscription.created'
    | 'subscription.updated'
    | 'subscription.canceled'
    | 'subscription.paused'
    | 'subscription.resumed'
    | 'subscription.renewed'
    | 'invoice.created'
    | 'invoice.paid'
    | 'invoice.failed'
    | 'invoice.canceled'
    | 'payment_link.paid'
    | 'dispute.created'
    | 'dispute.updated'
    | 'dispute.response_due'
    | 'dispute.closed'
    | 'service.webhook.test';
  status: 'pending' | 'delivered' | 'failed' | 'skipped';
  deliveries: readonly {
    at: string;
    status_code: number | null;
    duration_ms: number;
    error: string | null;
  }[];
  next_attempt_at: string | null;
  /** The request whose work made the event, as the logs name it. */
  request_id: string | null;
} | {
  kind: 'workflow_run';
  at: string;
  /** What happened, in one English sentence. */
  text: string;
  execution_id: string;
  template_id: string;
  event_id: string;
  status: 'pending' | 'running' | 'waiting' | 'succeeded' | 'failed' | 'canceled' | 'refused';
  steps: readonly {
    id: string;
    type: string;
    status: 'running' | 'succeeded' | 'failed' | 'canceled';
    started_at: string;
    ended_at: string | null;
  }[];
  next_step_at: string | null;
  error: string | null;
};

export type TotpCode = {
  code: string;
};

/**
 * Shown once. Codes are required only after a code of the authenticator app has turned it on. Each recovery code
 * replaces a code of the app once. Spaces, dashes and case do not matter, and digits may be of any script.
 */
export type TotpSetup = {
  secret: string;
  otpauth_url: string;
  recovery_codes: readonly string[];
};

export type TotpState = {
  totp_enabled: boolean;
};

/** The token of the link in the mail about the change. */
export type UndoChange = {
  token: string;
};

/** The next 6 periods at most, if nothing changes. Empty while nothing renews. */
export type UpcomingPeriods = {
  subscription_id: string;
  periods: readonly {
    /** The number of the period, from 1. */
    number: number;
    start: string;
    end: string;
    /** Its start, or later where the organization may not take payments before that. */
    charged_at: string;
    /** Whether it has started, and is not charged yet. */
    started: boolean;
    amount: number;
    currency: string;
    plan_id: string;
  }[];
};

/** Fields that are not sent stay unchanged. */
export type UpdateAbTest = {
  name?: string;
  /** Can not be changed once the test has been started. */
  variants?: readonly {
    name: string;
    /** Its connection gets the payments. The rule may be disabled, because it is not matched again. */
    routing_rule_id: string;
    /** The variant's share is its weight divided by the sum of all weights. */
    weight: number;
  }[];
  description?: string | null;
  /** The share of targeted payments that take part in the test. Raising it moves nobody to another variant. */
  traffic_percentage?: number;
  /** Empty: all currencies. */
  target_currencies?: readonly string[];
  /** Empty: all countries. */
  target_countries?: readonly string[];
  /** Empty: all methods. */
  target_methods?: readonly string[];
  /** A draft starts automatically within a minute of this time; at once if it has passed. */
  start_at?: string | null;
  /**
   * The test gets no payments from this time on, and is completed automatically within a minute. Must be in the
   * future and after `start_at`.
   */
  end_at?: string | null;
};

/**
 * Fields that are not sent stay, also within `config`. The type never changes. `headers` replaces all headers. A
 * value sent as `****` stays, as long as `url` has the same server. An address of `slack` that is sent as it is
 * shown stays.
 */
export type UpdateIntegration = {
  name?: string;
  config?: IntegrationConfig;
  /** Steps that use a disabled integration fail. */
  enabled?: boolean;
};

/** Fields that are not sent stay unchanged. */
export type UpdatePaymentMethod = {
  /** Each adds or replaces the token of its provider; `null` removes it. */
  tokens?: { [name in 'adyen' | 'checkout' | 'flutterwave' | 'mollie' | 'paypal' | 'paystack' | 'razorpay' | 'stripe']?: string | { [name: string]: string } | null };
  card?: {
    brand?: string;
    last4?: string;
    exp_month?: number;
    exp_year?: number;
    funding?: 'credit' | 'debit' | 'prepaid';
    /** ISO 3166-1 alpha-2, in any case; returned in upper case. */
    issuer_country?: string;
  };
  /**
   * The network's id of the payment in which the customer agreed to be charged later. Payments with `mit` refer to
   * it.
   */
  network_transaction_id?: string;
  default?: true;
};

/** Fields that are not sent stay unchanged. */
export type UpdateRoutingRule = {
  name?: string;
  countries?: readonly string[];
  connection_id?: string;
  /** Empty: every method. */
  methods?: readonly string[];
  /** The matching rule with the highest priority applies; among equals the oldest. */
  priority?: number;
  /**
   * Whether default routing is used if the connection cannot accept the payment, or fails in a way that allows
   * another attempt.
   */
  fallback_to_default?: boolean;
  enabled?: boolean;
};

/**
 * Fields that are not sent stay unchanged. Changes apply from the next period on, without proration: a period that
 * has started is charged on the terms it started with, even if it is charged late. A new payment method applies to
 * the next charge, including retries of the same method type.
 */
export type UpdateSubscription = {
  /** In minor units of the currency: JPY 0, USD 2, KWD 3 decimals. */
  amount?: number;
  method?: string;
  payment_method?: PaymentMethod;
  plan_id?: string;
  metadata?: Metadata;
  /**
   * `paused`: nothing renews, and started periods that are not charged yet wait. `active`: a paused subscription is
   * charged for those, and then renews at the next date ahead.
   */
  status?: 'active' | 'paused';
};

/** Fields that are not sent keep their values. */
export type UpdateWorkflowRule = {
  name?: string;
  event?:
    | 'payment.created'
    | 'payment.authorized'
    | 'payment.authorization_expiring'
    | 'payment.captured'
    | 'payment.capture_failed'
    | 'payment.succeeded'
    | 'payment.failed'
    | 'payment.canceled'
    | 'payment.refunded'
    | 'subscription.created'
    | 'subscription.updated'
    | 'subscription.canceled'
    | 'subscription.paused'
    | 'subscription.resumed'
    | 'subscription.renewed'
    | 'invoice.created'
    | 'invoice.paid'
    | 'invoice.failed'
    | 'invoice.canceled'
    | 'payment_link.paid'
    | 'dispute.created'
    | 'dispute.updated'
    | 'dispute.response_due'
    | 'dispute.closed';
  /**
   * An expression over `event` and `data`. The rule applies to events for which it is true; null applies to all
   * events. It may only refer to fields that events of this type can have.
   */
  condition?: string | null;
  template_id?: string;
  enabled?: boolean;
  /**
   * If an event matches more rules than the plan allows executions, the rules with the highest priority run; among
   * equals, the oldest. A workflow of a connection comes last. Executions start in this order but run in parallel.
   */
  priority?: number;
};

/**
 * Fields that are not sent keep their values. Each change creates a new version. Running executions keep the
 * version they started with.
 */
export type UpdateWorkflowTemplate = {
  name?: string;
  /**
   * The execution starts with the first step. Each step leads to the next one in the list unless `next` names
   * another. Loops are not allowed, and every step must be reachable. An expression may only refer to outputs of
   * steps that can run before it, and to fields that `event`, `execution` and `data` can have. While a rule or a
   * connection uses the template, each step must also be able to succeed for at least one of their events.
   */
  steps?: readonly WorkflowStep[];
};

export type UserSession = {
  id: string;
  /** Whether it is the session of this request. */
  current: boolean;
  created_at: string;
  last_used_at: string;
  /** It ends then at the latest, and earlier after 12 hours without a request. */
  expires_at: string;
  /** How its user proved last who they are. `null` if that was not recorded. */
  proved_by: 'passkey' | 'totp' | 'mail' | null;
};

/** Where the user is signed in, newest first. Sessions that have ended are left out. */
export type UserSessionList = {
  sessions: readonly UserSession[];
  pagination: {
    limit: number;
    offset: number;
    total: number;
  };
};

/** The connection after the check. */
export type ValidatedConnection = {
  id: string;
  provider:
    | 'adyen'
    | 'checkout'
    | 'flutterwave'
    | 'mollie'
    | 'paypal'
    | 'paystack'
    | 'razorpay'
    | 'stripe';
  mode: 'sandbox' | 'live';
  status: 'active' | 'inactive';
  capabilities: Capabilities;
  routing_hints: {
    country_preference: readonly string[];
    method_bias: { [name: string]: number };
    fallback_only: boolean;
  };
  /**
   * Register this address at the provider for its callbacks, with its query. It may change; callbacks to earlier
   * addresses are still accepted. Events of charges that were not made here are accepted too; the same path without
   * the query rejects them. A provider that is told an address with each payment needs no registration.
   */
  callback_url: string;
  labels: readonly string[];
  workflow_id: string | null;
  fee_structure: FeeStructure | null;
  total_calls: number;
  successful_calls: number;
  failed_calls: number;
  total_latency_ms: number;
  last_success_at: string | null;
  last_failure_at: string | null;
  /**
   * How many verified events came to `callback_url` about charges of this account that were not made here. They are
   * accepted and change nothing.
   */
  foreign_events: number;
  last_foreign_event_at: string | null;
  /** 0 to 100, from the calls of the last 20 minutes; null without any. */
  health_score: number | null;
  health_status: 'unknown' | 'healthy' | 'degraded' | 'down';
  last_validated_at: string | null;
  last_validation_status: 'never' | 'valid' | 'invalid' | 'unreachable';
  last_validation_error: string | null;
  validation_failures: number;
  name_match_status: 'unknown' | 'match' | 'mismatch';
  created_at: string;
  updated_at: string;
  /** What should be changed in the credentials, such as a webhook secret that is too short. */
  warnings?: readonly string[];
};

/** Limits accepted payments within a sliding window of this length. With `currency`, counts only payments in it. */
export type VelocityRule = {
  field: 'customer_id' | 'customer_email' | 'ip' | 'token';
  max_payments: number;
  /** In minor units of the currency: JPY 0, USD 2, KWD 3 decimals. */
  max_amount?: number;
  /** ISO 4217, in any case; returned in upper case. */
  currency?: string;
  /** Seconds, minutes, hours or days: from 1s to 30d. */
  window: string;
};

export type WebhookAudit = {
  /** Counts 1, 2, 3 … */
  id: number;
  /** `X-Actor-Id`, or the credential where that was not sent; `system` where the service made the change. */
  actor_id: string;
  /** Whether `actor_id` is what a caller with an API key claims in `X-Actor-Id`. It was not verified. */
  actor_claimed: boolean;
  action: 'webhook.configured' | 'webhook.secret_rotated' | 'webhook.disabled';
  metadata: {
    /** By field. Of secrets it says only that they changed. */
    changes: { [name: string]: {
        from: unknown;
        to: unknown;
      } };
    /** Null where the service made the change. */
    credential_id: string | null;
    /** Why the service disabled webhooks. */
    reason?: 'gone' | 'failing';
  };
  created_at: string;
};

export type WebhookConfig = {
  url: string;
  events: readonly string[];
  enabled: boolean;
  /** Since when webhooks are disabled; null while they are enabled. */
  disabled_at: string | null;
  /**
   * Why the service disabled webhooks: the endpoint responded with 410 (`gone`), or failed every delivery for 5
   * days and an event for the 5th time or later (`failing`). Null while webhooks are enabled, or where a person
   * disabled them. Events of that time are `failed`, and can be replayed once webhooks are enabled.
   */
  disabled_reason: 'gone' | 'failing' | null;
  /** Complete with the scope `webhooks:write`, masked otherwise. */
  signing_secret: string;
  /**
   * After a rotation: until this time `webhook-signature` carries a signature by each valid secret, newest first,
   * and `X-Service-Signature` is made with the oldest valid one. Null where only the newest secret signs.
   */
  previous_secret_expires_at: string | null;
  created_at: string;
  updated_at: string;
};

export type WorkflowError = {
  code: string;
  message: string;
  details?: { [name: string]: unknown };
};

/** One run of a template for one event. */
export type WorkflowExecution = {
  id: string;
  org_id: string;
  template_id: string;
  /** The version of the template that it runs. */
  template_version: number;
  /** The rule that started the execution. */
  rule_id: string | null;
  /** The connection whose `workflow_id` started the execution. If `rule_id` is null too, a request started it. */
  connection_id: string | null;
  event: {
    id: string;
    type:
      | 'payment.created'
      | 'payment.authorized'
      | 'payment.authorization_expiring'
      | 'payment.captured'
      | 'payment.capture_failed'
      | 'payment.succeeded'
      | 'payment.failed'
      | 'payment.canceled'
      | 'payment.refunded'
      | 'subscription.created'
      | 'subscription.updated'
      | 'subscription.canceled'
      | 'subscription.paused'
      | 'subscription.resumed'
      | 'subscription.renewed'
      | 'invoice.created'
      | 'invoice.paid'
      | 'invoice.failed'
      | 'invoice.canceled'
      | 'payment_link.paid'
      | 'dispute.created'
      | 'dispute.updated'
      | 'dispute.response_due'
      | 'dispute.closed'
      | 'service.webhook.test';
  };
  /**
   * `waiting`: for a delay, or for the retry of a step. `refused`: the execution never ran, because the plan's
   * limit for the month was reached or a resource was deleted; see `error`.
   */
  status: 'pending' | 'running' | 'waiting' | 'succeeded' | 'failed' | 'canceled' | 'refused';
  /** The steps that have started, in order. */
  steps: readonly WorkflowStepRun[];
  error: WorkflowError | null;
  /** When the execution continues. Null while it is running and after it has ended. */
  next_step_at: string | null;
  /** The time of the event, or of the request that started the execution. */
  created_at: string;
  updated_at: string;
  started_at: string | null;
  ended_at: string | null;
};

/**
 * Newest first. With a filter, a page may have fewer than `limit` items, or none, while `has_more` is true. Follow
 * the `Link` header.
 */
export type WorkflowExecutionList = {
  executions: readonly WorkflowExecution[];
  pagination: {
    limit: number;
    offset: number;
    has_more: boolean;
  };
};

/**
 * Runs a template for each event of a type. It applies to events that happen after the rule was created or enabled,
 * or after its event, condition or template was changed. At most ten rules can have the same event type. A rule is
 * rejected if rules, enabled or not, would trigger each other in an endless loop, or if its template has a step
 * that can never succeed for such an event.
 */
export type WorkflowRule = {
  id: string;
  org_id: string;
  name: string;
  event:
    | 'payment.created'
    | 'payment.authorized'
    | 'payment.authorization_expiring'
    | 'payment.captured'
    | 'payment.capture_failed'
    | 'payment.succeeded'
    | 'payment.failed'
    | 'payment.canceled'
    | 'payment.refunded'
    | 'subscription.created'
    | 'subscription.updated'
    | 'subscription.canceled'
    | 'subscription.paused'
    | 'subscription.resumed'
    | 'subscription.renewed'
    | 'invoice.created'
    | 'invoice.paid'
    | 'invoice.failed'
    | 'invoice.canceled'
    | 'payment_link.paid'
    | 'dispute.created'
    | 'dispute.updated'
    | 'dispute.response_due'
    | 'dispute.closed'
    | 'service.webhook.test';
  condition: string | null;
  template_id: string;
  enabled: boolean;
  priority: number;
  created_at: string;
  updated_at: string;
};

export type WorkflowRuleList = {
  rules: readonly WorkflowRule[];
  pagination: {
    limit: number;
    offset: number;
    total: number;
  };
};

export type WorkflowStep =
  | HttpRequestStep
  | NotifyStep
  | TagPaymentStep
  | CancelPaymentStep
  | CapturePaymentStep
  | RefundPaymentStep
  | PauseSubscriptionStep
  | DelayStep
  | ConditionStep;

export type WorkflowStepRun = {
  id: string;
  type:
    | 'http_request'
    | 'notify'
    | 'tag_payment'
    | 'cancel_payment'
    | 'capture_payment'
    | 'refund_payment'
    | 'pause_subscription'
    | 'delay'
    | 'condition';
  /**
   * `running`: the step is running, waits for a retry, or is a delay that has not ended. `canceled`: a delay during
   * which the execution was canceled. `failed` with `outcome_unknown`: the step was running when the execution
   * ended, and may have moved money. The outcome replaces this status once it is known.
   */
  status: 'running' | 'succeeded' | 'failed' | 'canceled';
  /** The number of attempts, including a running one. */
  tries: number;
  /** When the first attempt started. */
  started_at: string;
  /** Null while the step is `running`. A delay ends when the execution continues. */
  ended_at: string | null;
  /** Available to expressions of later steps as `steps.<id>`, together with `status`. */
  output: { [name: string]: string | number | boolean | null };
  error: WorkflowError | null;
};

/** A list of steps. A rule or a connection runs it. */
export type WorkflowTemplate = {
  id: string;
  org_id: string;
  name: string;
  steps: readonly WorkflowStep[];
  /** Increases with each change, starting at 1. */
  version: number;
  created_at: string;
  updated_at: string;
};

export type WorkflowTemplateList = {
  templates: readonly WorkflowTemplate[];
  pagination: {
    limit: number;
    offset: number;
    total: number;
  };
};
