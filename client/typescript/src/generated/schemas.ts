// Written by `npm run client` from the route table. Do not edit.

/** Splits payments between routing rules, to compare them. */
export type AbTest = {
  /** The id of the object. */
  id: string;
  /** The organization that it belongs to. */
  org_id: string;
  mode: Mode;
  /** A name for people. */
  name: string;
  /** A text for people. Null without one. */
  description: string | null;
  status: AbTestState;
  /** The routing rules that are compared. */
  variants: readonly {
    /** The name of the variant. */
    name: string;
    /** The rule whose connection gets the payments. */
    routing_rule_id: string;
    /** The variant's share is its weight divided by the sum of all weights. */
    weight: number;
  }[];
  /** The share of targeted payments that take part, in percent. */
  traffic_percentage: number;
  /** The currencies that take part. Empty: all. */
  target_currencies: readonly string[];
  /** The countries that take part. Empty: all. */
  target_countries: readonly string[];
  /** The payment methods that take part. Empty: all. */
  target_methods: readonly string[];
  /** When it starts by itself. Null: only on request. */
  start_at: string | null;
  /** When it is completed by itself. Null: only on request. */
  end_at: string | null;
  /**
   * Why it could not start at `start_at`, such as `ab_test_overlap`. It stays a draft: start it, or set another
   * time. Null if it could.
   */
  start_failure: string | null;
  /** How many payments were sent through its variants. */
  total_transactions: number;
  created_at: CreatedAt;
  updated_at: UpdatedAt;
};

/** The best variant against the second best. */
export type AbTestComparison = {
  /** The best variant so far, even if only by chance. Null until payments of two variants have finished. */
  winning_variant: string | null;
  /** The success rate of the best variant minus that of the second best. Null until both have finished payments. */
  success_rate_diff: number | null;
  /**
   * The average latency of the best variant minus that of the second best, in milliseconds. Null without calls of
   * both.
   */
  latency_diff: number | null;
  /** Whether the confidence is at least 0.95, with at least 100 finished payments in each variant. */
  statistically_valid: boolean;
  /** 1 - p of a two-sided two-proportion z-test, Bonferroni-corrected beyond two variants. */
  confidence_level: number;
  /** How many more days, with the current traffic, will show the difference with 80 % power; at most 365. */
  recommended_duration: number;
};

/** What an A/B test means for the payment. */
export type AbTestExplained = {
  /** The id of the object. */
  id: string;
  /** `decides`: it chooses the connection. Otherwise why it does not. */
  result: 'decides' | 'variant_unusable' | 'not_in_traffic' | 'no_match' | 'ended';
  /** The share of targeted payments that take part, in percent. */
  traffic_percentage: number;
  /** What has to be true. */
  conditions: readonly RuleCondition[];
  /** Its variants. */
  variants: readonly {
    /** The name of the variant. */
    name: string;
    /** The rule of the variant. */
    routing_rule_id: string;
    /** The connection of that rule. Null if the rule is gone. */
    connection_id: string | null;
    /** Of the payments that the test targets, 0 to 1. */
    share: number;
    /** Whether the payment gets this variant. */
    chosen: boolean;
  }[];
};

/** A/B tests, newest first. */
export type AbTestList = {
  /** The tests of this page. */
  ab_tests: readonly AbTest[];
  pagination: CountedPagination;
};

/** What one variant has reached. */
export type AbTestResult = {
  /** The id of the object. */
  id: string;
  /** The A/B test. */
  test_id: string;
  /** The name of the variant. */
  variant_name: string;
  /** Payments sent through the variant. Failover attempts after it, and payments that were never sent, do not count. */
  transactions: number;
  /** Payments that succeeded. */
  successful: number;
  /** Payments that failed. */
  failed: number;
  /**
   * The currency of `total_amount`: the first targeted one, or the one with the most payments. Null without
   * payments.
   */
  currency: CurrencyCode | null;
  /** The sum of the successful payments in `currency`. */
  total_amount: number;
  /** The average time of a provider's call, in milliseconds. Null without calls. */
  avg_latency_ms: number | null;
  /** From 0 to 1, of the finished payments. Null without any. */
  success_rate: number | null;
  /** When a payment last counted. Null without payments. */
  updated_at: string | null;
};

/** The results of all variants. */
export type AbTestResults = {
  /** One for each variant. */
  results: readonly AbTestResult[];
};

/** The test and its new status. */
export type AbTestStatus = {
  /** The id of the object. */
  id: string;
  status: AbTestState;
};

/**
 * An address that is not a member is invited by email, at most 50 times a day per organization and 3 times a day
 * per address. They become a member with the link of the email, which works for 3 days; adding them again then
 * sends another one. A member gets the role. Only owners can grant or remove the role `owner`, and the last owner
 * who has signed in keeps it. An organization can have at most 500 members.
 */
export type AddMember = {
  /** The address of the user, who gets mail. */
  email: string;
  /** What the member may do. */
  role: 'owner' | 'admin' | 'member' | 'viewer';
};

/** A postal address. */
export type Address = {
  /** Street and number. */
  line1?: string;
  /** Anything else of the street address. */
  line2?: string;
  /** The city. */
  city?: string;
  /** State or province: its code, where the country has codes. */
  state?: string;
  /** The postal code. */
  postal_code?: string;
  country?: Country;
};

/** Credentials of an Adyen account. */
export type AdyenCredentials = {
  /** The API key of a web service user. */
  api_key: string;
  /** The name of the merchant account. */
  merchant_account: string;
  /** The HMAC key of the standard webhook, in hexadecimal. A list while it is rotated. */
  webhook_secret: string | readonly string[];
  /** Only for live accounts: the company's part of the host name. */
  live_endpoint_url_prefix?: string;
  /** The public client key, for the components of Adyen on your page. */
  client_key?: string;
};

/**
 * A request of an agent that a person decides about. Approving runs nothing: the agent repeats its request, with
 * the same idempotency key, and it runs once.
 */
export type AgentApproval = {
  /** The id of the object. */
  id: string;
  /** `used` once the agent has repeated it. `expired` when nobody decided, or nothing was repeated, in time. */
  status: 'pending' | 'approved' | 'rejected' | 'used' | 'expired';
  /** The agent's API key. */
  key_id: string;
  /** What the agent's program calls itself; a claim. Null if it does not say. */
  agent_name: string | null;
  /** Method and path of what it wants to do. */
  operation: string;
  /** Who decides needs this scope. */
  scope: string;
  /** The id in the path: the payment to refund, for example. `null` where something new is made. */
  resource_id: string | null;
  /**
   * What it moves, in minor units: a subscription each period, a link with all its payments. `null` where that is
   * not known beforehand.
   */
  amount: number | null;
  /** The currency of `amount`. Null without `amount`. */
  currency: CurrencyCode | null;
  /** As the agent sent it. Null without one. */
  customer_id: string | null;
  /** As the agent sent it, up to 200 characters. Null without one. */
  description: string | null;
  /** What else it sent that matters to who decides, such as `interval`, `max_payments`, `reason` or `force`. */
  terms: StoredMetadata;
  created_at: CreatedAt;
  /** Until then it can be decided and repeated. */
  expires_at: string;
  /** The user who decided. Null until then. */
  decided_by: string | null;
  /** When it was decided. Null until then. */
  decided_at: string | null;
  /** When the agent repeated it. Null until then. */
  used_at: string | null;
};

/** Newest first. For members with a session: no API key may see or decide them. */
export type AgentApprovalList = {
  /** The requests of this page. */
  agent_approvals: readonly AgentApproval[];
  pagination: Pagination;
};

/** What agents' keys may move without a person. */
export type AgentLimits = {
  /**
   * By currency: what each agent's key may move within any 24 hours without a person, in minor units. The amounts
   * of all its requests count together, each for a day and until the hour is over. A currency that is missing:
   * every request asks a person.
   */
  daily: { [name: string]: number };
};

/** The organization's API keys, newest first. */
export type ApiKeyList = {
  /** The keys of this page. */
  api_keys: readonly ListedApiKey[];
  pagination: CountedPagination;
};

/**
 * Approves the organization under its current `legal_name`. Send `legal_name` to approve it only if it still has
 * that name, or to approve the requested one. An organization without a legal name is not approved, nor one of
 * which the caller is a member while the platform has another administrator. Live keys work from the next request
 * on.
 */
export type ApproveKyc = {
  /** The id of the organization. */
  org_id: string;
  /**
   * The name that was verified: `legal_name`, or `requested_legal_name`, which takes effect with that. Returns 409
   * `legal_name_changed` if the organization has another one by now. `null`: it has none.
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
  /** The id of the attempt. */
  id: string;
  /** The connection that was tried. */
  connection_id: string;
  provider: Provider;
  /** How the attempt stands. `processing`: the provider has not decided. */
  status: 'processing' | 'requires_action' | 'authorized' | 'succeeded' | 'failed' | 'canceled';
  /** Why it failed. Null unless it failed. */
  failure: Failure | null;
  /** The provider's own id of it. Null until the provider has given one. */
  psp_reference: string | null;
  /** How long the provider took, in milliseconds. Null without an answer. */
  latency_ms: number | null;
  /** When it began. */
  started_at: string;
  /** The network's id: send it as `mit.network_transaction_id` when the saved card is charged again. */
  network_transaction_id?: string;
  /** The issuer's response code, such as `51` (ISO 8583). */
  network_decline_code?: string;
  /** The network's advice after a decline, such as `03`: do not try again. */
  advice_code?: string;
  avs?: Avs;
  /** The check of the security code. */
  cvc?: 'match' | 'mismatch' | 'unchecked';
  /** Electronic commerce indicator of 3-D Secure, such as `05`. */
  eci?: string;
  /** Whether the issuer bears the loss of a fraud. */
  liability_shift?: boolean;
  /** What the provider tells about the card. */
  card?: Card;
};

/**
 * What waits for a person. Of each kind, the first 5, soonest or longest waiting first. `count` is at most 100;
 * `more` says that there are others. `null`: the caller lacks the scope that reads it.
 */
export type Attention = {
  /** Payments that a person should look at. */
  reviews: {
    /** How many there are, up to a limit. */
    count: number;
    /** Whether there are others than those in `count`. */
    more: boolean;
    /** The first of them. */
    items: readonly {
      /** The payment. */
      payment_id: string;
      /** Why. */
      reason: string;
      /** Since when. */
      since: string;
      amount: MinorUnits;
      currency: CurrencyCode;
      status: PaymentStatus;
      /** Of an authorized payment: until when it can be captured. Null for others. */
      capturable_until: string | null;
    }[];
  };
  /** Those that wait for an answer. */
  disputes: {
    /** How many there are, up to a limit. */
    count: number;
    /** Whether there are others than those in `count`. */
    more: boolean;
    /** The first of them. */
    items: readonly {
      /** The id of the object. */
      id: string;
      /** The payment that it belongs to. */
      payment_id: string;
      status: DisputeStatus;
      /** Why the customer disputes. */
      reason: string;
      amount: MinorUnits;
      currency: CurrencyCode;
      /** Until when it can be answered. Null if that is unknown. */
      respond_by: string | null;
      /** Whether that time is over. */
      overdue: boolean;
    }[];
  };
  /** Active ones in trouble. Null: the caller lacks the scope that reads them. */
  connections: {
    /** How many there are, up to a limit. */
    count: number;
    /** Whether there are others than those in `count`. */
    more: boolean;
    /** The first of them. */
    items: readonly {
      /** The id of the object. */
      id: string;
      /** The payment service provider. */
      provider: string;
      /** How the connection stands. */
      health_status: 'degraded' | 'down';
      /** 0 to 100, from the calls of the last minutes. Null without any. */
      health_score: number | null;
      /** When a call last failed. Null: never. */
      last_failure_at: string | null;
    }[];
  } | null;
  /** Open ones whose last try to collect them failed. Null: the caller lacks the scope that reads them. */
  invoices: {
    /** How many there are, up to a limit. */
    count: number;
    /** Whether there are others than those in `count`. */
    more: boolean;
    /** The first of them. */
    items: readonly {
      /** The id of the object. */
      id: string;
      /** The id of the subscription. */
      subscription_id: string;
      /** The merchant's own id of the customer. */
      customer_id: string;
      amount: MinorUnits;
      currency: CurrencyCode;
      /** How many attempts were made to collect it. */
      attempts: number;
      /** When the next attempt is made. Null: none is planned. */
      next_retry_at: string | null;
    }[];
  } | null;
  /** The state of webhooks. Null: the caller lacks the scope that reads it. */
  webhooks: {
    /** `none`: not configured. `failing`: deliveries fail at the moment. */
    state: 'none' | 'ok' | 'failing' | 'disabled';
    /** Since when every delivery has failed. Null unless `failing`. */
    failing_since: string | null;
    /** Of the last 30 days. */
    failed_events: {
      /** How many there are, up to a limit. */
      count: number;
      /** Whether there are others than those in `count`. */
      more: boolean;
      /** The first of them. */
      items: readonly {
        /** The id of the object. */
        id: string;
      }[];
    };
  } | null;
  /** Requests of agents that wait for approval. Null for API keys: only people decide about them. */
  approvals: {
    /** How many there are, up to a limit. */
    count: number;
    /** Whether there are others than those in `count`. */
    more: boolean;
    /** The first of them. */
    items: readonly {
      /** The id of the object. */
      id: string;
      /** Method and path of what the agent wants to do. */
      operation: string;
      /** What it moves, in the currency's minor unit. Null if that is not known beforehand. */
      amount: number | null;
      /** The currency of `amount`. Null without it. */
      currency: CurrencyCode | null;
      /** Until then it can be decided. */
      expires_at: string;
    }[];
  } | null;
};

/**
 * What 3-D Secure asks for of the customer's browser. Without it a provider sends the customer to a page of its
 * own, or refuses the card where the law requires authentication.
 */
export type Browser = {
  /** The `User-Agent` header that the browser sends. */
  user_agent: string;
  /** The `Accept` header that the browser sends. */
  accept_header: string;
  /** `navigator.language`, such as `en-GB`. */
  language: string;
  /** `screen.colorDepth`, in bits. */
  color_depth: number;
  /** `screen.height`, in pixels. */
  screen_height: number;
  /** `screen.width`, in pixels. */
  screen_width: number;
  /** In minutes, as JavaScript's `getTimezoneOffset()` has it. */
  time_zone_offset: number;
  /** `navigator.javaEnabled()`. */
  java_enabled: boolean;
  /** Whether the browser runs JavaScript. */
  javascript_enabled: boolean;
  /** The origin of the page, such as `https://shop.example`. */
  origin?: string;
};

/** Cancels the payment of the event. Output: `payment_id`, `payment_status`. */
export type CancelPaymentStep = {
  id: StepId;
  on_error?: OnError;
  next?: NextStep;
  /** What the step does. */
  type: 'cancel_payment';
};

/** When the subscription ends. */
export type CancelSubscription = {
  /**
   * `true`: the subscription ends when the next period would start. The current period is charged, and an invoice
   * that is still open then is retried until it is paid or has failed. `false` or not sent: the subscription and
   * its open invoices are canceled now, and started periods are not charged any more.
   */
  at_period_end?: boolean;
};

/** What a connection can do. */
export type Capabilities = {
  /** The payment methods that it takes. */
  methods: readonly string[];
  /** The currencies that it takes (ISO 4217), or `all`. */
  currencies: 'all' | readonly string[];
  /** The countries of payers that it takes (ISO 3166-1 alpha-2), or `all`. */
  countries: 'all' | readonly string[];
  /** It can refund. */
  refunds: boolean;
  /** It can refund a part. */
  partial_refunds: boolean;
  /** It can cancel a payment that has not succeeded. */
  cancel: boolean;
  /** It can charge a saved payment method without the customer. */
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
  /** The payment methods that it takes. */
  methods?: readonly Method[];
  /** The currencies that it takes (ISO 4217), or `all`. */
  currencies?: 'all' | readonly Currency[];
  /** The countries of payers that it takes (ISO 3166-1 alpha-2), or `all`. */
  countries?: 'all' | readonly Country[];
  /** It can refund. */
  refunds?: boolean;
  /** It can refund a part. */
  partial_refunds?: boolean;
  /** It can cancel a payment that has not succeeded. */
  cancel?: boolean;
  /** It can charge a saved payment method without the customer. */
  off_session?: boolean;
  /** It can authorize without capturing (`capture: manual`). */
  manual_capture?: boolean;
  /** Less than the authorized amount can be captured. */
  partial_capture?: boolean;
  /** An authorization can be captured several times. */
  multi_capture?: boolean;
};

/** Takes authorized money. */
export type Capture = {
  /** The id of the object. */
  id: string;
  amount: MinorUnits;
  /** `pending` while the provider has not decided. */
  status: 'pending' | 'succeeded' | 'failed';
  /** Why it failed. Null unless it failed. */
  failure: Failure | null;
  /** The rest of the authorization is released with it. */
  final: boolean;
  /** The attempt that made the charge. */
  attempt_id: string;
  /** The provider's own id of it. Null until the provider has given one. */
  psp_reference: string | null;
  created_at: CreatedAt;
};

/** Without `amount` all that is left is captured. */
export type CapturePayment = {
  amount?: Amount;
  /** Default true: the rest of the authorization is released. `false` needs `multi_capture`. */
  final?: boolean;
};

/**
 * Captures the authorized payment of the event. Without `amount`, captures the remaining amount. Output:
 * `payment_id`, `capture_id`, `capture_status`.
 */
export type CapturePaymentStep = {
  id: StepId;
  on_error?: OnError;
  next?: NextStep;
  /** What the step does. */
  type: 'capture_payment';
  amount?: Amount;
  /** Whether what is not captured is released. False needs `multi_capture`. Default true. */
  final?: boolean;
};

/** What the provider tells about the card. */
export type Card = {
  /** The brand, such as `visa`. */
  brand?: string;
  /** The last four digits. */
  last4?: string;
  /** How the card is funded. */
  funding?: 'credit' | 'debit' | 'prepaid';
  /** The country of the issuer (ISO 3166-1 alpha-2). */
  issuer_country?: string;
  /** The month in which it expires, 1 to 12. */
  exp_month?: number;
  /** The year in which it expires, with four digits. */
  exp_year?: number;
};

/** Changes the limits of the currencies that it names. `null` removes one. */
export type ChangeAgentLimits = {
  /**
   * By currency: what each agent's key may move within any 24 hours without a person, in minor units. The amounts
   * of all its requests count together, each for a day and until the hour is over. A currency that is missing:
   * every request asks a person.
   */
  daily: { [name in Currency]?: number | null };
};

/**
 * What customers see of the organization on payment pages and receipts, beside its `name` and `legal_name`. Omitted
 * fields stay as they are; `null` clears a field.
 */
export type ChangeOrganizationSettings = {
  /** Where customers can write. Null: it is not shown. */
  support_email?: string | null;
  /** Where customers can call. Null: it is not shown. */
  support_phone?: string | null;
  /** The shop: payment pages have a link back to it. `null` removes it. */
  website_url?: string | null;
  /** An image on your own server, which customers' browsers load on payment pages. `null` removes it. */
  logo_url?: string | null;
  /**
   * Whether `customer_email` of a succeeded payment gets a receipt. Off by default. Until identity verification is
   * approved, only members who have signed in get one.
   */
  email_receipts?: boolean;
  /** The language of receipts where the customer's is unknown. */
  receipt_language?: 'en' | 'de' | 'fr' | 'es' | 'nl' | 'pt';
};

/** The change that was undone. All sessions of the user have ended. */
export type ChangeUndone = {
  /** What was undone. */
  undone: 'passkey_added' | 'passkey_removed' | 'totp_on' | 'totp_off';
};

/** Credentials of a Checkout.com account. */
export type CheckoutCredentials = {
  /** The secret key. */
  secret_key: string;
  /** The id of the processing channel. */
  processing_channel_id: string;
  /** The account's own part of the API's host name. */
  host_prefix: string;
  /** The signature key of the webhook. A list while it is rotated. */
  webhook_secret: string | readonly string[];
  /** The country for hosted pages where a payment has none (ISO 3166-1 alpha-2). */
  default_country?: string;
  /** The city on statements. Required for statements of a payment. */
  statement_city?: string;
};

/**
 * Chooses the next step. If the expression has no value, because a field is missing, the step fails; with
 * `on_error: "continue"` the execution continues with `else`. Output: `holds`.
 */
export type ConditionStep = {
  id: StepId;
  on_error?: OnError;
  /** What the step does. */
  type: 'condition';
  /** An expression that is true or false. */
  if: string;
  /**
   * The id of the next step if the condition is true. Default: the next step in the list. `null`: the execution
   * ends here.
   */
  then?: NextStep;
  /** The id of the next step if the condition is false. Default, and `null`: the execution ends here. */
  else?: NextStep;
};

/** Replaces the whole configuration; only the signing secret stays. */
export type ConfigureWebhook = {
  /**
   * An https address on port 443 or 8443 without user information, of a server that is reachable on the public
   * internet.
   */
  url: IntegrationUrl;
  /** Which event types to send. `*` for all. */
  events: readonly EventSelection[];
  /** Whether events are sent. */
  enabled?: boolean;
};

/**
 * As `ConfirmPayment`. Where the customer is sent afterwards, and all but what a browser knows, the shop's server
 * has said.
 */
export type ConfirmIntent = {
  input?: CustomerInput;
  /** The payer, as the card's issuer knows them. */
  billing?: Contact;
  /** Whom the goods go to. */
  shipping?: Contact;
  browser?: Browser;
  /** The `client_secret` of the response that created the intent. */
  client_secret: string;
  /** What the customer pays with. */
  payment_method?: PaymentMethodOfCustomer;
};

/**
 * `payment_method` is for a payment that is `created`, `input` for a `next_action` that waits for it; at any other
 * time either is refused. Other fields are for a payment that is `created`, too: each replaces that of the intent.
 */
export type ConfirmPayment = {
  /** What the customer pays with. */
  payment_method?: PaymentMethod;
  /**
   * `true`: the provider shall keep the payment method, and once the payment is authorized or paid, it is a saved
   * one of the customer: see `payment_method_id`.
   */
  save?: boolean;
  input?: CustomerInput;
  /** The payer, as the card's issuer knows them. */
  billing?: Contact;
  /** Whom the goods go to. */
  shipping?: Contact;
  browser?: Browser;
  statement_descriptor?: StatementDescriptor;
  statement_descriptor_suffix?: StatementDescriptorSuffix;
  /** What is bought. It replaces that of the payment. */
  order?: Order;
  sca?: Sca;
  mit?: Mit;
};

/** What the customer's browser may know of the payment. */
export type ConfirmedIntent = {
  /** The id of the object. */
  id: string;
  status: PaymentStatus;
  amount: MinorUnits;
  currency: CurrencyCode;
  /** What the customer has to do. Null unless the status is `requires_action`. */
  next_action: NextAction | null;
  /** Why it failed. Null unless it failed. */
  failure: Failure | null;
};

/** An organization's own account at a provider. */
export type Connection = {
  /** The id of the object. */
  id: string;
  provider: Provider;
  mode: Mode;
  /** Only an `active` connection takes payments. */
  status: 'active' | 'inactive';
  /** What the connection can do. */
  capabilities: Capabilities;
  /** What routing prefers. */
  routing_hints: {
    /** Countries whose payments it gets first. */
    country_preference: readonly string[];
    /** By payment method, from -1 (avoid) to 1 (prefer). */
    method_bias: { [name: string]: number };
    /** Whether it is tried only when no other connection can take the payment. */
    fallback_only: boolean;
  };
  /**
   * Register this address at the provider for its callbacks, with its query. It may change; callbacks to earlier
   * addresses are still accepted. Events of charges that were not made here are accepted too; the same path without
   * the query rejects them. A provider that is told an address with each payment needs no registration.
   */
  callback_url: string;
  /** Words of your own, to find it by. */
  labels: readonly string[];
  /** The workflow template that runs for its payments. Null: none. */
  workflow_id: string | null;
  /** What the provider charges, to route by cost. Null: unknown. */
  fee_structure: FeeStructure | null;
  /** How many calls the provider got. */
  total_calls: number;
  /** How many calls the provider answered. */
  successful_calls: number;
  /** How many calls failed for technical reasons. Declines are no failures. */
  failed_calls: number;
  /** The time of all calls together, in milliseconds. */
  total_latency_ms: number;
  /** When a call last succeeded. Null: never. */
  last_success_at: string | null;
  /** When a call last failed. Null: never. */
  last_failure_at: string | null;
  /**
   * How many verified events came to `callback_url` about charges of this account that were not made here. They are
   * accepted and change nothing.
   */
  foreign_events: number;
  /** When such an event last came. Null: never. */
  last_foreign_event_at: string | null;
  /** 0 to 100, from the calls of the last 20 minutes; null without any. */
  health_score: number | null;
  /** From the calls of the last minutes. Routing avoids a connection that is `down`. */
  health_status: 'unknown' | 'healthy' | 'degraded' | 'down';
  /** When its credentials were last checked. Null: never. */
  last_validated_at: string | null;
  /** What the last check found. */
  last_validation_status: 'never' | 'valid' | 'invalid' | 'unreachable';
  /** Why the last check failed. Null if it did not. */
  last_validation_error: string | null;
  /** How many checks in a row have failed. */
  validation_failures: number;
  name_match_status: NameMatchStatus;
  created_at: CreatedAt;
  updated_at: UpdatedAt;
};

/** A change of a connection. */
export type ConnectionAudit = {
  /** Numbers the changes of this connection from 1. */
  id: number;
  /** The `X-Actor-Id` header, or the credential if it was not sent. */
  actor_id: string;
  /** Whether `actor_id` is what a caller with an API key claims in `X-Actor-Id`. It was not verified. */
  actor_claimed: boolean;
  /** What was done. */
  action:
    | 'created'
    | 'updated'
    | 'status_changed'
    | 'labels_changed'
    | 'validated'
    | 'deleted'
    | 'credentials_purged';
  /** Details of the change. */
  metadata: {
    changes: Changes;
    /** Null for a scheduled change; `actor_id` is then `system`. */
    credential_id: string | null;
  };
  /** When it was done. */
  created_at: string;
};

/** What a connection means for the payment. */
export type ConnectionExplained = {
  /** The id of the object. */
  id: string;
  /** The payment service provider. */
  provider: string;
  /** In the order of failover, from 1. Null: it is not tried. */
  position: number | null;
  /**
   * Why it is not tried, such as `inactive`, `currency_not_supported` or `down`. `no_fallback_in_rule` and
   * `no_fallback_in_test`: what decides goes to one connection alone. `beyond_limit`: enough others come first.
   * Null if it is tried.
   */
  reason: string | null;
  /** How the connection stands. */
  health: 'unknown' | 'healthy' | 'degraded' | 'down';
  /** This payment would test whether a connection in trouble has recovered. */
  probe: boolean;
  /** Whether it prefers the country of the payment. */
  preferred_country: boolean;
  /** From -1 (avoid) to 1 (prefer), for the payment method. */
  method_bias: number;
  /** Whether it is tried only when no other connection can take the payment. */
  fallback_only: boolean;
  /** In minor units, for comparison. */
  fee: number;
};

/** Connections, newest first. */
export type ConnectionList = {
  /** The connections of this page. */
  connections: readonly Connection[];
  pagination: CountedPagination;
};

/** Whether credentials work. Nothing is stored. */
export type ConnectionTest = {
  /** Whether the connection could be used. */
  ok: boolean;
  /** The result in one sentence. */
  message: string;
  /** What the connection could do. */
  capabilities: Capabilities;
  /** What the check found. */
  validation: {
    /** `unreachable`: the provider did not answer. */
    credentials: 'valid' | 'invalid' | 'unreachable';
    /** The name of the account at the provider. Null where it does not tell. */
    account_name: string | null;
    name_match_status: NameMatchStatus;
    /** How long the provider took, in milliseconds. */
    latency_ms: number;
  };
  /** What should be changed in the credentials, such as a webhook secret that is too short. */
  warnings?: readonly string[];
};

/** A person or a company with an address. */
export type Contact = {
  /** The full name. */
  name?: string;
  /** With country code, such as `+4930123456`. */
  phone?: string;
  /** The postal address. */
  address?: Address;
};

/** A new test is a draft: `start` runs it. */
export type CreateAbTest = {
  name: Name;
  variants: Variants;
  /** A text for people. `null` removes it. */
  description?: string | null;
  /** The share of targeted payments that take part in the test. Raising it moves nobody to another variant. */
  traffic_percentage?: number;
  /** Empty: all currencies. */
  target_currencies?: readonly Currency[];
  /** Empty: all countries. */
  target_countries?: readonly Country[];
  /** Empty: all methods. */
  target_methods?: readonly Method[];
  /** A draft starts automatically within a minute of this time; at once if it has passed. `null`: only on request. */
  start_at?: string | null;
  /**
   * The test gets no payments from this time on, and is completed automatically within a minute. Must be in the
   * future and after `start_at`. `null`: only on request.
   */
  end_at?: string | null;
};

/**
 * A public key has no scopes and can call the public endpoints only. The other kinds need `scopes`; with an empty
 * list a key can call no endpoint that requires a scope.
 */
export type CreateApiKey = CreateKeyOfKind | CreateDefaultKey;

/** A server, an address or a channel that steps write to. */
export type CreateIntegration = CreateHttpIntegration | CreateSlackIntegration | CreateEmailIntegration;

/** A payment. It is routed to a connection and charged at once, or after `confirm` if it is an intent. */
export type CreatePayment = {
  amount: Amount;
  currency: Currency;
  /** The payment method, such as `card`. It may also stand in `payment_method.type`. */
  method?: Method;
  country?: Country;
  /** The merchant's own id of the customer. */
  customer_id?: string;
  /** The customer's email address. */
  customer_email?: string;
  /** The customer's IP address. */
  customer_ip?: string;
  /** What the customer pays for, 1 to 500 characters. */
  description?: string;
  metadata?: Metadata;
  capture?: CaptureMode;
  /** What the customer pays with. */
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
  statement_descriptor?: StatementDescriptor;
  statement_descriptor_suffix?: StatementDescriptorSuffix;
  /** What is bought. */
  order?: Order;
  sca?: Sca;
  mit?: Mit;
};

/** A page where customers pay, without code at the merchant. */
export type CreatePaymentLink = {
  amount: Amount;
  currency: Currency;
  /** What the customer pays for, as the page shows it. */
  description?: string;
  /** The methods that customers can choose from. Defaults to `card`. */
  methods?: readonly Method[];
  /** No payment can start from then on. Must be in the future. */
  expires_at?: string;
  /** The maximum number of payments. Defaults to 1. */
  max_payments?: number;
  /** Copied to each payment of the link. */
  metadata?: Metadata;
  capture?: CaptureMode;
  /** The customer who makes its payments. */
  customer_id?: string;
  /** `true`: its payments keep their payment method for the customer. */
  save?: boolean;
  /**
   * A saved payment method, `pm_…`, that its payments are charged with. Whoever opens the page pays with it: send
   * its address to the customer alone.
   */
  payment_method?: {
    /** The id of the object. */
    id: string;
  };
  /** The payer, as the card's issuer knows them. */
  billing?: Contact;
  /** Whom the goods go to. */
  shipping?: Contact;
  /** What is bought. */
  order?: Order;
  statement_descriptor?: StatementDescriptor;
  statement_descriptor_suffix?: StatementDescriptorSuffix;
};

/** Saves a payment method that providers have tokens of. */
export type CreatePaymentMethod = {
  /** The merchant's own id of the customer. */
  customer_id: string;
  /** The payment method, such as `card`. */
  type: Method;
  /** By provider: tokens that can be charged without the customer. They are never returned. */
  tokens: { [name in Provider]?: Token };
  card?: CardInput;
  /**
   * The network's id of the payment in which the customer agreed to be charged later. Payments with `mit` refer to
   * it.
   */
  network_transaction_id?: string;
  /** `true`: it becomes the default of its customer. */
  default?: true;
};

/** Which connection takes which payments. */
export type CreateRoutingRule = {
  name: Name;
  /** The countries of payers. */
  countries: readonly Country[];
  /** The connection that gets the payments. */
  connection_id: string;
  /** Empty: every method. */
  methods?: readonly Method[];
  /** The matching rule with the highest priority applies; among equals the oldest. */
  priority?: number;
  /**
   * Whether default routing is used if the connection cannot accept the payment, or fails in a way that allows
   * another attempt.
   */
  fallback_to_default?: boolean;
  /** Whether it is used. */
  enabled?: boolean;
};

/** A subscription of a customer. */
export type CreateSubscription = {
  /** The merchant's own id of the customer. */
  customer_id: string;
  /** The merchant's own id of the plan. */
  plan_id: string;
  amount: Amount;
  currency: Currency;
  interval: Interval;
  /** How the customer pays. Defaults to the type of `payment_method`, or to `card`. */
  method?: Method;
  /** What the customer pays with. */
  payment_method?: PaymentMethod;
  /**
   * When the first period starts and is charged: now by default, at most 5 years ahead. The other periods start at
   * the same day and time, in UTC.
   */
  start_at?: string;
  /** The customer's email address. */
  customer_email?: string;
  country?: Country;
  metadata?: Metadata;
};

/** Which template runs for which events. */
export type CreateWorkflowRule = {
  name: Name;
  event: ConditionTrigger;
  /** The id of the workflow template. */
  template_id: string;
  /**
   * An expression over `event` and `data`. The rule applies to events for which it is true; null applies to all
   * events. It may only refer to fields that events of this type can have.
   */
  condition?: string | null;
  /** Whether it is used. */
  enabled?: boolean;
  /**
   * If an event matches more rules than the plan allows executions, the rules with the highest priority run; among
   * equals, the oldest. A workflow of a connection comes last. Executions start in this order but run in parallel.
   */
  priority?: number;
};

/** Steps that a rule or a connection can run. */
export type CreateWorkflowTemplate = {
  name: Name;
  steps: Steps;
};

/** The only response that contains `key`. */
export type CreatedApiKey = {
  /** The id of the object. */
  id: string;
  /** A name for people. */
  name: string;
  kind: ApiKeyKind;
  /** What the key may do. */
  scopes: readonly Scope[];
  created_at: CreatedAt;
  /** The API key or the user that created it, or `system`. `null` if that was not recorded. */
  created_by: string | null;
  /** Whether it is the key of an agent. */
  agent: boolean;
  /** The key. It is shown only this once: store it as a secret. */
  key: string;
};

/** The link, with what to look out for. */
export type CreatedPaymentLink = PaymentLink & {
  /**
   * Methods that no connection takes now, and why. The page does not offer them until one does; a link without any
   * other method cannot be paid until then.
   */
  warnings?: readonly {
    /** The payment method. */
    method: string;
    /** What it is about. */
    code: string;
    /** One sentence for people. */
    message: string;
  }[];
};

/** What the credential of this request may do. */
export type CurrentApiKey = {
  /** The API key, or the session. */
  id: string;
  /** The organization that it belongs to. */
  org_id: string;
  mode: Mode;
  /** What the request was made with: a kind of key, or a session. */
  kind: 'service' | 'secret' | 'session';
  /** Of a session: those of the role. */
  scopes: readonly Scope[];
  /** Whether it is the key of an agent. */
  agent: boolean;
};

/** What is kept of a customer. */
export type Customer = {
  /** The merchant's own id of the customer. */
  customer_id: string;
  /** See `GET /v1/payment-methods?customer_id=`. */
  payment_methods: number;
  /** The saved payment method that is used by default. Null without one. */
  default_payment_method_id: string | null;
  /** That name the customer. Recent ones may not be counted yet. */
  payments: number;
  /** How many payment links are kept of the customer. */
  payment_links: number;
  /** How many invoices are kept of the customer. */
  invoices: number;
  /** Open and closed ones. */
  subscriptions: number;
  /** The erasure that is under way. Null if none is. */
  erasure: CustomerErasure | null;
};

/** Runs until nothing is left that names the customer. */
export type CustomerErasure = {
  /** The id of the object. */
  id: string;
  /** When the erasure was requested. */
  requested_at: string;
};

/** Waits. */
export type DelayStep = {
  id: StepId;
  on_error?: OnError;
  next?: NextStep;
  /** What the step does. */
  type: 'delay';
  /** From 1m to 30d. */
  for: string;
};

/** The object is deleted. */
export type Deleted = {
  /** The id of the object. */
  id: string;
  /** Always true. */
  deleted: true;
};

/** A customer's dispute of a charge, as its provider has it. */
export type Dispute = DisputeSnapshot & {
  /** How it can be answered now. Nothing: it cannot be, or only in the dashboard of the provider. */
  answer_options: {
    /** Whether it can be accepted here. */
    accept: boolean;
    /** Which fields of evidence the provider takes. Empty: answer in its dashboard. */
    evidence_fields: readonly string[];
  };
};

/**
 * Texts in the words of the shop. A provider takes those that `answer_options.evidence_fields` of the dispute
 * names. They go to the provider and are not kept here. Dates are `YYYY-MM-DD`.
 */
export type DisputeEvidence = {
  /** Your answer in your own words. */
  explanation?: string;
  /** What was sold. */
  product_description?: string;
  /** The name of the customer. */
  customer_name?: string;
  /** The email address of the customer. */
  customer_email?: string;
  /** The IP address from which the customer bought. */
  customer_ip?: string;
  /** The phone number of the customer. */
  customer_phone?: string;
  /** The billing address. */
  billing_address?: string;
  /** Where it was sent. */
  shipping_address?: string;
  /** Who carried it. */
  shipping_carrier?: string;
  /** The tracking number of the carrier. */
  tracking_number?: string;
  /** The day it was sent, as YYYY-MM-DD. */
  shipping_date?: string;
  /** The day of the service, as YYYY-MM-DD. */
  service_date?: string;
  /** Your refund policy. */
  refund_policy?: string;
  /** Why you do not refund. */
  refund_refusal?: string;
  /** Your cancellation policy. */
  cancellation_policy?: string;
  /** Why you do not accept the cancellation. */
  cancellation_refusal?: string;
  /** When the customer used a digital product. */
  access_log?: string;
  /** Why the charge is not a duplicate. */
  duplicate_explanation?: string;
};

/**
 * Newest first. With rare matches a page may hold fewer than `limit` objects, or none: while `has_more` is true,
 * the `Link` header leads to the next page.
 */
export type DisputeList = {
  /** The disputes of this page. */
  disputes: readonly Dispute[];
  pagination: Pagination;
};

/** Where the collection of an invoice stands, by the retry policy of now. */
export type Dunning = {
  /** The id of the invoice. */
  invoice_id: string;
  status: InvoiceStatus;
  /** The number of collection attempts so far. */
  attempts: number;
  /** Whether an attempt is running, or waits for its outcome. */
  collecting: boolean;
  /** The retry policy that applies. */
  policy: {
    /** Where it comes from: the plan, the organization or the default. */
    source: 'plan' | 'organization' | 'default';
    /** How long to wait before each retry, such as `24h`. */
    delays: readonly string[];
    /** The most retries of an invoice. */
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
    /** Counts the retries from 1. */
    retry: number;
    /** When it is due. */
    at: string;
  }[];
};

/** A routing rule, as it would be. */
export type EditedRoutingRule = {
  /** Of the stored rule that this one is; left out for a new one. */
  id?: string;
  name?: Name;
  /** The countries of payers. */
  countries: readonly Country[];
  /** The payment methods. Empty: every method. */
  methods?: readonly Method[];
  /** The connection that gets the payments. */
  connection_id: string;
  /** Whether default routing follows if the connection cannot take the payment. */
  fallback_to_default?: boolean;
  /** Whether it is used. */
  enabled?: boolean;
};

/** Mails to members. */
export type EmailIntegration = {
  /** The id of the object. */
  id: string;
  /** The organization that it belongs to. */
  org_id: string;
  /** A name for people. */
  name: string;
  /** What kind of integration it is. */
  type: 'email';
  /** Where it leads. */
  config: {
    /** The addresses, of members of the organization. */
    to: readonly string[];
  };
  /** Whether steps may use it. */
  enabled: boolean;
  created_at: CreatedAt;
  updated_at: UpdatedAt;
};

/** Newest first. A page may hold fewer than `limit` events, or none: while `has_more` is true, follow `Link`. */
export type EventList = {
  /** The events of this page. */
  events: readonly Event[];
  pagination: Pagination;
};

/** A request that got an error. */
export type FailedRequest = {
  /** As `X-Request-Id` of the response says it. */
  request_id: string;
  /**
   * The `X-Request-Id` that the client sent. `null` without one, and if it is no such id or looks like a key or a
   * card number.
   */
  client_request_id: string | null;
  /** When the request came. */
  created_at: string;
  /** The HTTP method. */
  method: string;
  /** The path of the endpoint, such as `/v1/payments/{id}`. */
  route: string;
  /** The id in the path. `null` without one, or if it is not one of ours. */
  resource_id: string | null;
  /** The HTTP status of the response. */
  status: number;
  /** `code` of the response. */
  code: string;
  /** The API key or the session that was used. */
  credential_id: string;
  /** What the request was made with: a kind of key, or a session. */
  credential_kind: 'service' | 'secret' | 'public' | 'session';
};

/**
 * Requests of the last 7 days with a valid API key or session that got an error, newest first, for finding out why
 * an integration fails. It is a sample: at most 20 requests a minute are kept, 5 more of public keys, and of those
 * that are alike (same credential, endpoint and code) about 3. Nothing that was sent is kept, neither body nor
 * query.
 */
export type FailedRequestList = {
  /** The requests of this page. */
  failed_requests: readonly FailedRequest[];
  pagination: Pagination;
};

/** Why something failed. */
export type Failure = {
  /** What happened, such as `insufficient_funds`. Unknown codes may be added: then go by `category`. */
  code: string;
  /** `soft_decline` may work later, `hard_decline` will not. `configuration` is about the account at the provider. */
  category:
    | 'soft_decline'
    | 'hard_decline'
    | 'fraud'
    | 'provider_error'
    | 'configuration'
    | 'expired';
  /** One sentence for people. */
  message: string;
  /** The provider's own code. Null if it gave none. */
  provider_code: string | null;
  /** Whether the same payment method may be tried again. */
  retryable: boolean;
};

/** `percentage` in percent, `fixed` in minor units. The most specific fee applies. */
export type FeeStructure = {
  /** In percent of the amount. */
  percentage?: number;
  /** In the currency's minor unit, for each payment. */
  fixed?: number;
  /** By method; at most 100. */
  per_method?: { [name in Method]?: {
      /** In percent of the amount. */
      percentage?: number;
      /** In the currency's minor unit, for each payment. */
      fixed?: number;
    } };
  /** By currency of ISO 4217, in any case; returned in upper case. */
  per_currency?: { [name in Currency]?: {
      /** In percent of the amount. */
      percentage?: number;
      /** In the currency's minor unit, for each payment. */
      fixed?: number;
    } };
};

/** Credentials of a Flutterwave account. */
export type FlutterwaveCredentials = {
  /** The secret key. */
  secret_key: string;
  /** The secret hash of the dashboard. A list while it is rotated. */
  webhook_secret: string | readonly string[];
  /** The public key. */
  public_key?: string;
  /** The encryption key. It is not used. */
  encryption_key?: string;
};

/** Payments are on the list if they match any entry. */
export type FraudLists = {
  /** Countries of payers (ISO 3166-1 alpha-2). */
  countries?: readonly Country[];
  /** Customers' email addresses. */
  emails?: readonly string[];
  /** Includes their subdomains. */
  email_domains?: readonly string[];
  /** The merchant's own ids of customers. */
  customer_ids?: readonly string[];
  /** Addresses, or networks such as 203.0.113.0/24. */
  ips?: readonly string[];
};

/** Payments are on the list if they match any entry. */
export type FraudListsShown = {
  /** Countries of payers (ISO 3166-1 alpha-2). */
  countries: readonly string[];
  /** Customers' email addresses. */
  emails: readonly string[];
  /** Domains of customers' email addresses. */
  email_domains: readonly string[];
  /** The merchant's own ids of customers. */
  customer_ids: readonly string[];
  /** Customers' IP addresses and networks. */
  ips: readonly string[];
};

/** A match in `allowed` overrides everything else. Without a saved policy this returns a disabled one. */
export type FraudPolicy = {
  /** Whether payments are checked. */
  enabled: boolean;
  /** The largest payment, in the currency's minor unit, by currency. */
  max_amount: { [name: string]: number };
  /** Limits of payments in a time. */
  velocity: readonly {
    /** What payments are counted by. */
    field: string;
    /** The most payments within the window. */
    max_payments: number;
    /** The most money within the window, in the currency's minor unit. */
    max_amount?: number;
    currency?: CurrencyCode;
    /** How far back payments count, such as `10m`. */
    window: string;
  }[];
  /** Payments that are always refused. */
  blocked: FraudListsShown;
  /** Payments that no other rule is applied to. */
  allowed: FraudListsShown;
  /** `block` refuses a payment before a provider is asked, `flag` only marks it. */
  action: 'block' | 'flag';
  /** When it was last changed. Null: never. */
  updated_at: string | null;
};

/** Requests to a server of yours. */
export type HttpIntegration = {
  /** The id of the object. */
  id: string;
  /** The organization that it belongs to. */
  org_id: string;
  /** A name for people. */
  name: string;
  /** What kind of integration it is. */
  type: 'http';
  /** Where it leads. */
  config: {
    /** Where requests go. */
    url: string;
    /** Each value as `****`. */
    headers: { [name: string]: string };
  };
  /** Whether steps may use it. */
  enabled: boolean;
  created_at: CreatedAt;
  updated_at: UpdatedAt;
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
  id: StepId;
  on_error?: OnError;
  next?: NextStep;
  /** What the step does. */
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

/** Where the integration leads. Its fields depend on the type. */
export type IntegrationConfig = {
  url?: IntegrationUrl;
  headers?: IntegrationHeaders;
  to?: Recipients;
};

/** Integrations, newest first. */
export type IntegrationList = {
  /** The integrations of this page. */
  integrations: readonly Integration[];
  pagination: CountedPagination;
};

/** What a subscription owes for one period. Each period has exactly one invoice. */
export type Invoice = {
  /** The id of the object. */
  id: string;
  /** The organization that it belongs to. */
  org_id: string;
  /** The id of the subscription. */
  subscription_id: string;
  /** The merchant's own id of the customer. */
  customer_id: string;
  /** The merchant's own id of the plan. */
  plan_id: string;
  /** For people: the end of the subscription id, and the number of the invoice within it. */
  number: string;
  amount: MinorUnits;
  currency: CurrencyCode;
  /**
   * `failed`: all retries are used up. An `open` or `failed` invoice can be retried or canceled; `paid` and
   * `canceled` are final.
   */
  status: InvoiceStatus;
  /** When the period begins. */
  period_start: string;
  /** When the period ends. */
  period_end: string;
  /**
   * The number of collection attempts: the first one, those of the retry policy, and requested ones. An attempt
   * that the retry budget of the card forbids counts, although the PSP is not called. Retries of the payment itself
   * (`POST /v1/payments/{id}/retry`) do not count.
   */
  attempts: number;
  /** When the retry policy collects it next; `null` if no retry is planned. */
  next_retry_at: string | null;
  /** The payment of the last attempt, or the one that paid it. Null before the first attempt. */
  payment_id: string | null;
  created_at: CreatedAt;
  updated_at: UpdatedAt;
};

/**
 * Newest first. With rare matches a page may hold fewer than `limit` objects, or none: while `has_more` is true,
 * the `Link` header leads to the next page.
 */
export type InvoiceList = {
  /** The invoices of this page. */
  invoices: readonly Invoice[];
  pagination: Pagination;
};

/** An API key without its text. */
export type ListedApiKey = {
  /** The id of the object. */
  id: string;
  /** A name for people. */
  name: string;
  kind: ApiKeyKind;
  /** What the key may do. */
  scopes: readonly Scope[];
  created_at: CreatedAt;
  /** The API key or the user that created it, or `system`. `null` if that was not recorded. */
  created_by: string | null;
  /** Whether it is the key of an agent. */
  agent: boolean;
  /** `null` until it is used. For a public key up to an hour late. */
  last_used_at: string | null;
};

/** `everywhere` ends all of the user's sessions, not only this one. */
export type LogOut = {
  /** `true` ends all of the user's sessions. */
  everywhere?: boolean;
};

/** Asks for a sign-in link. */
export type MagicLink = {
  /** The address that gets the mail. */
  email: string;
};

/** The response is the same for every address. */
export type MagicLinkSent = {
  /** Always true. */
  sent: true;
  /** One sentence for people. */
  message: string;
};

/** A user in the organization. */
export type Member = {
  /** The id of the user. */
  id: string;
  /** An email address. */
  email: string;
  /** What the member may do. */
  role: 'owner' | 'admin' | 'member' | 'viewer';
  /** `active` once the member has opened the link of the invitation. Until then they have no access. */
  status: 'invited' | 'active';
  /** When the user was added. */
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
  /** When the member opened the invitation. Null until then. */
  joined_at: string | null;
};

/** The members, newest first. */
export type MemberList = {
  /** The members of this page. */
  members: readonly Member[];
  pagination: CountedPagination;
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
  /** Why the customer is charged without being there. */
  reason: 'recurring' | 'instalment' | 'unscheduled';
  /**
   * That of the payment in which the customer agreed, from its attempt. It keeps the chain when a saved card is
   * charged at another provider.
   */
  network_transaction_id?: string;
};

/** Credentials of a Mollie account. */
export type MollieCredentials = {
  /** The API key of one website profile. */
  api_key: string;
  /** The secret of an endpoint for signed events. A list while it is rotated. */
  webhook_secret?: string | readonly string[];
};

/** What the customer has to do, and what `confirm` waits for. */
export type NextAction =
  | RedirectNextAction
  | CollectNextAction
  | DisplayNextAction
  | AwaitNextAction
  | SdkNextAction;

/**
 * Notifies people: posts a message to a Slack channel, or sends an email to each address. Output: `status_code` and
 * `duration_ms` for Slack, as with `http_request`; the numbers `mailed` and `rejected` for email.
 */
export type NotifyStep = {
  id: StepId;
  on_error?: OnError;
  next?: NextStep;
  /** What the step does. */
  type: 'notify';
  /** An integration of type `slack` or `email`. */
  integration_id: string;
  /** May contain `{{ expressions }}`. */
  message: string;
  /** The subject of the email. May contain `{{ expressions }}`. */
  subject?: string;
};

/** What is bought. */
export type Order = {
  /** Your own order number. */
  reference?: string;
  /** The part of the payment's amount that is tax. */
  tax_amount?: number;
  /** Tax included. Leave it out if shipping is one of the lines. */
  shipping_amount?: number;
  /** All of the order: with `shipping_amount` they come to the payment's amount. */
  lines?: readonly OrderLine[];
};

/** One line of an order. */
export type OrderLine = {
  /** What it is, as the customer knows it. */
  name: string;
  /** How many. */
  quantity: number;
  /** Tax included. Below 0 only for `discount` and `gift_card`. */
  unit_amount: number;
  /** `quantity` × `unit_amount` − `discount_amount`, tax included. */
  total_amount: number;
  /** The part of `total_amount` that is tax. Below 0 where that is. */
  tax_amount?: number;
  /** The discount of the line, in the currency's minor unit. */
  discount_amount?: number;
  /** Your own article number. */
  sku?: string;
  /** What kind of line it is. Default: `physical`. */
  kind?: 'physical' | 'digital' | 'shipping' | 'discount' | 'gift_card' | 'service';
  /** The page of the article. */
  url?: string;
  /** An image of the article. */
  image_url?: string;
};

/** A new order of all rules. */
export type OrderRoutingRules = {
  /** The ids of all rules, in the order in which they are to be tried. */
  rules: readonly string[];
};

/** A merchant. */
export type Organization = {
  /** The id of the object. */
  id: string;
  /** The name that customers see. */
  name: string;
  /** The name that identity verification is about. Null until it is set. */
  legal_name: string | null;
  /** The legal name that waits for approval. Until then `legal_name` stays. `null` if none waits. */
  requested_legal_name: string | null;
  /** The state of identity verification. Only `approved` organizations get live keys. */
  kyc: 'pending' | 'approved' | 'rejected';
  /** The plan, which sets limits. */
  plan: 'free' | 'growth' | 'scale';
  /** The user who changed a name last. `null` if nobody has. */
  renamed_by: string | null;
  /** The role of the signed-in user; `null` with an API key. */
  role: 'owner' | 'admin' | 'member' | 'viewer' | null;
  created_at: CreatedAt;
};

/** A change of keys, members or settings. */
export type OrganizationAudit = {
  /** The id of the object. */
  id: string;
  /** The user or the API key that acted. Never what `X-Actor-Id` claims. */
  actor_id: string;
  /** What was done. */
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
    | 'passkey_removed'
    | 'agent_limits_changed'
    | 'agent_acted'
    | 'agent_asked'
    | 'agent_approved'
    | 'agent_rejected';
  /** What it was done to. */
  target: {
    /** What kind of object it is. */
    type: 'api_key' | 'user' | 'organization' | 'agent_approval';
    /** The id of the object. */
    id: string;
    /** `null` for users: `GET /v1/members` shows their addresses. */
    name: string | null;
  };
  /** Details of the change. */
  metadata: {
    /** By field. */
    changes: Changes;
    /** The API key or the session that was used. Null where neither was used. */
    credential_id: string | null;
    /** `X-Actor-Id` of a call with an API key, as it was sent. Null if none was sent. */
    claimed_actor_id: string | null;
  };
  /** When it was done. */
  created_at: string;
};

/** What customers see of the organization. */
export type OrganizationSettings = {
  /** Where customers can write. Null: it is not shown. */
  support_email: string | null;
  /** Where customers can call. Null: it is not shown. */
  support_phone: string | null;
  /** The shop: payment pages have a link back to it. Null: none. */
  website_url: string | null;
  /** An image on the merchant's server, shown on payment pages. Null: none. */
  logo_url: string | null;
  /** Whether `customer_email` of a succeeded payment gets a receipt. */
  email_receipts: boolean;
  /** The language of receipts where the customer's is unknown. */
  receipt_language: 'en' | 'de' | 'fr' | 'es' | 'nl' | 'pt';
};

/** A passkey of the user. */
export type Passkey = {
  /** The id of the object. */
  id: string;
  /** A name for people. Null without one. */
  name: string | null;
  /** How the browser reaches it, as WebAuthn says. */
  transports: readonly string[];
  created_at: CreatedAt;
  /** The user who added it. `null` if that was not recorded. */
  created_by: string | null;
  /** When it was last used. Null: never. */
  last_used_at: string | null;
};

/** The result of `navigator.credentials.get()`, as its `toJSON()` returns it. */
export type PasskeyAuthentication = {
  /** `id` of the credential, in base64url. */
  id: string;
  /** `rawId` of the credential, in base64url. */
  rawId: string;
  /** Always `public-key`. */
  type: 'public-key';
  /** As the browser says it. May be null. */
  authenticatorAttachment?: string | null;
  /** As the browser says it. */
  clientExtensionResults?: { [name: string]: unknown };
  /** As the browser says it. */
  response: {
    /** In base64url. */
    clientDataJSON: string;
    /** In base64url. */
    authenticatorData: string;
    /** In base64url. */
    signature: string;
    /** In base64url. May be null. */
    userHandle?: string | null;
  };
};

/** For `PublicKeyCredential.parseCreationOptionsFromJSON()`. The challenge works once and expires in 5 minutes. */
export type PasskeyCreationOptions = {
  /** This service. */
  rp: {
    /** Its domain. */
    id: string;
    /** Its name. */
    name: string;
  };
  /** The user. */
  user: {
    /** The id of the user, in base64url. */
    id: string;
    /** The address of the user. */
    name: string;
    /** The name that the browser shows. */
    displayName: string;
  };
  /** The challenge, in base64url. */
  challenge: string;
  /** The algorithms that are taken. */
  pubKeyCredParams: readonly {
    /** Always `public-key`. */
    type: 'public-key';
    /** The number of the algorithm in COSE. */
    alg: number;
  }[];
  /** How long the browser may take, in milliseconds. */
  timeout: number;
  /** The user's passkeys. */
  excludeCredentials: readonly {
    /** Its id, in base64url. */
    id: string;
    /** Always `public-key`. */
    type: 'public-key';
    /** How the browser reaches it. */
    transports: readonly string[];
  }[];
  /** What the passkey must be able to do. */
  authenticatorSelection: {
    /** Always `required`. */
    residentKey: 'required';
    /** Always true. */
    requireResidentKey: boolean;
    /** Always `required`. */
    userVerification: 'required';
  };
  /** Always `none`. */
  attestation: 'none';
  /** What the browser shall tell. */
  extensions: {
    /** Always true. */
    credProps: boolean;
  };
};

/** The passkey is deleted. */
export type PasskeyDeleted = {
  /** The id of the object. */
  id: string;
  /** Always true. */
  deleted: true;
};

/**
 * The result of `navigator.credentials.create()`, as its `toJSON()` returns it, and optionally a name for the
 * passkey.
 */
export type PasskeyRegistration = {
  /** `id` of the credential, in base64url. */
  id: string;
  /** `rawId` of the credential, in base64url. */
  rawId: string;
  /** Always `public-key`. */
  type: 'public-key';
  /** As the browser says it. May be null. */
  authenticatorAttachment?: string | null;
  /** As the browser says it. */
  clientExtensionResults?: { [name: string]: unknown };
  /** As the browser says it. */
  response: {
    /** In base64url. */
    clientDataJSON: string;
    /** In base64url. */
    attestationObject: string;
    /** As the browser says it. May be null. */
    transports?: readonly string[] | null;
  };
  /** A name for people. May be null. */
  name?: Name | null;
};

/**
 * `code` is required if two-factor authentication is on: a code of the authenticator app, or a recovery code. The
 * code is used up.
 */
export type PasskeyRegistrationStart = {
  /** A code of the authenticator app or a recovery code, where that is on. */
  code?: string;
};

/** For `PublicKeyCredential.parseRequestOptionsFromJSON()`. The challenge works once and expires in 5 minutes. */
export type PasskeyRequestOptions = {
  /** The domain of this service. */
  rpId: string;
  /** The challenge, in base64url. */
  challenge: string;
  /** Always empty: the user chooses. */
  allowCredentials: readonly never[];
  /** How long the browser may take, in milliseconds. */
  timeout: number;
  /** Always `required`. */
  userVerification: 'required';
};

/** The user's passkeys. */
export type Passkeys = {
  /** All of them, oldest first. */
  credentials: readonly Passkey[];
};

/**
 * Pauses the subscription of the event, or of the event's payment. Output: `subscription_id`,
 * `subscription_status`.
 */
export type PauseSubscriptionStep = {
  id: StepId;
  on_error?: OnError;
  next?: NextStep;
  /** What the step does. */
  type: 'pause_subscription';
};

/** A declined payment is no error: its `status` is `failed`, and `failure` says why. */
export type Payment = {
  /** The id of the object. */
  id: string;
  /** The organization that it belongs to. */
  org_id: string;
  mode: Mode;
  amount: MinorUnits;
  currency: CurrencyCode;
  /**
   * `requires_action`: see `next_action`. `authorized`: capture it. `succeeded`, `failed`, `canceled` and
   * `refunded` are final, but a late success can follow a failure.
   */
  status: PaymentStatus;
  /** The payment method, such as `card`. */
  method: string;
  /** The country of the payer, ISO 3166-1 alpha-2. Null if it is unknown. */
  country: CountryCode | null;
  /** The merchant's own id of the customer. Null without one. */
  customer_id: string | null;
  /** The customer's email address. Null without one. */
  customer_email: string | null;
  /** The customer's IP address. Null without one. */
  customer_ip: string | null;
  /** What the customer pays for. Null without one. */
  description: string | null;
  metadata: StoredMetadata;
  /** The connection that is or was charged. Null before the first attempt. */
  connection_id: string | null;
  /** The provider of that connection. Null before the first attempt. */
  provider: Provider | null;
  /** The provider's own id of it. Null until the provider has given one. */
  psp_reference: string | null;
  /** What refunds have given back, in the currency's minor unit. */
  amount_refunded: number;
  /**
   * What disputes withhold or have taken, in minor units: see `GET /v1/disputes?payment_id=`. Missing on a payment
   * that was never disputed. It is never part of `amount_refunded`.
   */
  amount_disputed?: number;
  /** Its refunds, oldest first. */
  refunds: readonly Refund[];
  /** Its attempts at providers, oldest first. */
  attempts: readonly Attempt[];
  /** What the customer has to do. Null unless the status is `requires_action`. */
  next_action: NextAction | null;
  /** Why it failed. Null unless it failed. */
  failure: Failure | null;
  /** Whether it succeeded after it had failed or was canceled. */
  late_success: boolean;
  /** Why a person should look at it. Null if nobody has to. */
  review: {
    /** Why. */
    reason: string;
    /** Since when. */
    at: string;
    [name: string]: unknown;
  } | null;
  routing: Routing;
  /** What the fraud policy said. Null if it was not asked. */
  fraud: {
    /** `passed`, `flagged` or `blocked`. */
    decision: string;
    /** Which rules applied. */
    reasons: readonly string[];
  } | null;
  /** The payment link that it was made with. Null without one. */
  payment_link_id: string | null;
  /** The invoice that this payment is for; missing on payments without an invoice. */
  invoice_id?: string;
  /** The saved payment method that it is charged with, or that it has made (`save`). */
  payment_method_id?: string;
  /** `manual`: the amount is authorized first, and captured later. */
  capture: CaptureMode;
  /** What the provider authorized; null until it has. It may be less than `amount`. */
  authorized_amount?: number | null;
  /** The issuer approved only a part of `amount`. */
  partially_approved?: true;
  /** What succeeded captures have taken. Refunds give back at most this. */
  captured_amount?: number;
  /** What of the authorization was not captured. */
  released_amount?: number;
  /**
   * What is not captured by then is released: the payment fails with `authorization_expired`. Null until the amount
   * is authorized.
   */
  capturable_until?: string | null;
  /** Its captures, oldest first. */
  captures?: readonly Capture[];
  created_at: CreatedAt;
  updated_at: UpdatedAt;
};

/** A payment that waits for its confirmation. */
export type PaymentIntent = Payment & {
  /** Lets the customer's browser confirm this payment with a public key. */
  client_secret: string;
};

/** A page where customers pay. */
export type PaymentLink = {
  /** The id of the object. */
  id: string;
  /** The organization that it belongs to. */
  org_id: string;
  mode: Mode;
  /** The page where customers pay. */
  url: string;
  amount: MinorUnits;
  currency: CurrencyCode;
  /** What the customer pays for. Null without one. */
  description: string | null;
  /** The payment methods that the page offers. */
  methods: readonly string[];
  status: PaymentLinkStatus;
  /** How many payments it takes. */
  max_payments: number;
  /** How many payments it has taken. */
  payments_made: number;
  /** When it stops taking payments. Null: never. */
  expires_at: string | null;
  metadata: StoredMetadata;
  /** `manual`: payments are authorized first, and captured later. */
  capture: CaptureMode;
  /** The merchant's own id of the customer. */
  customer_id?: string;
  /** The saved payment method that the customer can pay with. Missing without one. */
  payment_method_id?: string;
  /** The payment method is kept for the customer. */
  save?: true;
  created_at: CreatedAt;
  updated_at: UpdatedAt;
};

/** Newest first. A page of large links may contain fewer than `limit`: follow the `Link` header until there is none. */
export type PaymentLinkList = {
  /** The links of this page. */
  payment_links: readonly PaymentLink[];
  pagination: CountedPagination;
};

/**
 * Newest first. Where hits are rare or payments large, a page holds fewer than `limit`, or none: while `has_more`
 * is true, `Link` leads on.
 */
export type PaymentList = {
  /** The payments of this page. */
  payments: readonly Payment[];
  pagination: Pagination;
};

/** What the customer pays with. Tokens are encrypted and never returned. */
export type PaymentMethod = NewPaymentMethod | SavedPaymentMethodChoice;

/** What the customer pays with, as the customer's browser may send it. */
export type PaymentMethodOfCustomer = {
  /** The payment method, such as `card`. */
  type: Method;
  /** The provider's token: a text, or the fields of an object. Not a card number. */
  token?: Token;
  tokens?: Tokens;
  /** The customer's phone number, for mobile money. */
  phone?: string;
  /** The mobile network, for mobile money. */
  network?: string;
  /** The customer's bank, for bank methods. */
  bank?: string;
};

/**
 * A payment counts on the day (UTC) that it was created, with what became of it since, seconds late. Without
 * `from`: 30 days; at most 366.
 */
export type PaymentStats = {
  /** The first day (UTC). */
  from: string;
  /** The last day (UTC), included. */
  to: string;
  /** How many payments there are. */
  total: number;
  by_status: PaymentCounts;
  /**
   * Of the payments that succeeded or failed, the share that succeeded, 0 to 1. Those whose authorization nobody
   * captured count as neither. Null without any.
   */
  success_rate: number | null;
  disputes: DisputeCounts;
  /** The failed payments by the code of their failure, most first. `null`: counted by a release that did not know. */
  by_reason: readonly FailureReason[];
  /** The same by currency. */
  by_currency: readonly {
    currency: CurrencyCode;
    /** How many payments there are. */
    total: number;
    by_status: PaymentCounts;
    /**
     * Of the payments that succeeded or failed, the share that succeeded, 0 to 1. Those whose authorization nobody
     * captured count as neither. Null without any.
     */
    success_rate: number | null;
    disputes: DisputeCounts;
    /** The sum of what succeeded payments took, in minor units. Later refunds are not taken off. */
    volume: number;
    /** What refunds have given back, in the currency's minor unit. */
    refunded_amount: number;
    /** The sum of all disputes, however they ended. */
    disputed_amount: number;
    /** Of the disputes that are lost, accepted or expired. */
    dispute_lost_amount: number;
  }[];
  /** The same by provider. */
  by_provider: readonly ({
    /** The provider. Null: payments that no provider was asked for. */
    provider: string | null;
    /** How many payments there are. */
    total: number;
    by_status: PaymentCounts;
    /**
     * Of the payments that succeeded or failed, the share that succeeded, 0 to 1. Those whose authorization nobody
     * captured count as neither. Null without any.
     */
    success_rate: number | null;
    disputes: DisputeCounts;
    /** The failed payments by the code of their failure, most first. `null`: counted by a release that did not know. */
    by_reason: readonly FailureReason[];
    /** How long the provider took for a call, in milliseconds. `null` without calls. */
    latency: {
      /** How many calls the provider answered. */
      calls: number;
      /** The average time of a call, in milliseconds. Null without calls. */
      average_ms: number | null;
    };
    /** The sums, by currency. */
    money: readonly ProviderMoney[];
  })[];
  /** The same by day. */
  by_day: readonly {
    /** The day (UTC), as YYYY-MM-DD. */
    day: string;
    /** How many payments there are. */
    total: number;
    by_status: PaymentCounts;
    /**
     * Of the payments that succeeded or failed, the share that succeeded, 0 to 1. Those whose authorization nobody
     * captured count as neither. Null without any.
     */
    success_rate: number | null;
    disputes: DisputeCounts;
    /** The sums, by currency. */
    money: readonly ProviderMoney[];
  }[];
};

/** All that is recorded of a payment, the oldest first. Nothing is shown that is not recorded. */
export type PaymentTimeline = {
  /** The payment. */
  payment_id: string;
  /**
   * False if not all is shown: of a payment with very many entries, events or workflow runs, of which these are the
   * newest, or of an earlier release, which did not keep when events were made.
   */
  complete: boolean;
  /** Scopes that the caller lacks: entries that need them are left out. */
  hidden: readonly Scope[];
  /** What happened, oldest first. */
  entries: readonly TimelineEntry[];
};

/** Credentials of a PayPal account. */
export type PaypalCredentials = {
  /** The client id of the REST app. */
  client_id: string;
  /** The secret of the REST app. */
  client_secret: string;
  /** The id of the webhook. A list while one webhook replaces another. */
  webhook_secret: string | readonly string[];
  /** The merchant's account: events of another one are refused. */
  merchant_id?: string;
};

/** Credentials of a Paystack account. */
export type PaystackCredentials = {
  /** The secret key, which also signs events. */
  secret_key: string;
  /** The public key. */
  public_key?: string;
  /** Former secret keys, while the key is rotated. */
  webhook_secret?: string | readonly string[];
};

/** A change that an administrator of the platform made. It is written together with the change and never edited. */
export type PlatformAct = {
  /** The id of the object. */
  id: string;
  /** The administrator who acted. */
  actor_id: string;
  /** The address of that administrator at the time. */
  actor_email: string;
  /** What was done. */
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
  /** What it was done to. */
  target: {
    /** An organization or a user. */
    type: 'organization' | 'user';
    /** The id of it. */
    id: string;
    /** Its name, or the address of the user. */
    name: string;
  };
  /** Details of the action. */
  metadata: {
    /** `from` and `to` are the same if the decision confirmed the current value. */
    changes: { [name: string]: {
        /** The value before. Null if there was none. */
        from: string | null;
        /** The value after. Null if there is none. */
        to: string | null;
      } };
    /** Why. Null without a reason. */
    reason: string | null;
    /** For decisions about an identity: the legal name that was verified. Null if it had none. */
    legal_name?: string | null;
  };
  /** When it was done. */
  created_at: string;
};

/** An administrator of the platform. */
export type PlatformAdmin = {
  /** The id of the user. */
  id: string;
  /** An email address. */
  email: string;
  /** The role on the platform. */
  role: 'platform_owner' | 'platform_admin';
  created_at: CreatedAt;
};

/** The administrators, newest first. */
export type PlatformAdminList = {
  /** The administrators of this page. */
  admins: readonly PlatformAdmin[];
  pagination: CountedPagination;
};

/** What administrators did, newest first. */
export type PlatformAudit = {
  /** The entries of this page. */
  entries: readonly PlatformAct[];
  pagination: Pagination;
};

/** The signed-in user's role on the platform. `role` is null for users who are not administrators. */
export type PlatformMe = {
  /** Whether the user administers the platform. */
  is_admin: boolean;
  /** The role on the platform. Null without one. */
  role: 'platform_owner' | 'platform_admin' | null;
};

/** An organization, as administrators see it. */
export type PlatformOrganization = {
  /** The id of the object. */
  id: string;
  /** The name that customers see. */
  name: string;
  /** The name that identity verification is about. Null until it is set. */
  legal_name: string | null;
  /** The legal name that waits for approval. Until then `legal_name` stays. Null if none waits. */
  requested_legal_name: string | null;
  /** Live keys work only while it is `approved`. */
  kyc: 'pending' | 'approved' | 'rejected';
  /** The plan, which sets limits. */
  plan: 'free' | 'growth' | 'scale';
  created_at: CreatedAt;
  /** Requests a minute that each of its API keys may make. */
  rate: {
    /** Payment creations a minute. */
    payments: number;
    /** Other writes a minute. */
    writes: number;
    /** Reads a minute. */
    reads: number;
  };
  /** `list_shards`: over how many partitions of the store its lists are spread. */
  capacity: {
    /** Over how many partitions its lists are spread. */
    list_shards: number;
  };
};

/** Organizations, newest first. */
export type PlatformOrganizationList = {
  /** The organizations of this page. */
  organizations: readonly PlatformOrganization[];
  pagination: Pagination;
};

/** A request of a user who has lost the second factor and passkeys. */
export type PlatformRecovery = Recovery & {
  /** The id of the user. */
  id: string;
  /** The address of the user. */
  email: string;
  /** False once it is decided or finished, or has expired. */
  open: boolean;
  /** Who has approved it. */
  approvals: readonly {
    /** The administrator. */
    user_id: string;
    /** The address of the administrator. */
    email: string;
    /** When they approved it. */
    approved_at: string;
  }[];
};

/** Requests for account recovery, newest first. */
export type PlatformRecoveryList = {
  /** The requests of this page. */
  recoveries: readonly PlatformRecovery[];
  pagination: CountedPagination;
};

/** An error. `code` says what happened; programs should use nothing else. */
export type Problem = {
  /** The category of the error, by its status. */
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
  /** What happened. Unknown codes may be added: then go by the status. */
  code:
    | 'invalid_request'
    | 'malformed_json'
    | 'unsupported_content_type'
    | 'malformed_gzip'
    | 'unsupported_content_encoding'
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
    | 'agent_not_allowed'
    | 'approval_required'
    | 'approval_rejected'
    | 'not_found'
    | 'route_not_found'
    | 'method_not_allowed'
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
    | 'approval_not_open'
    | 'approval_limit_reached'
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
    /** The errors of an invalid request, one each. */
    fields?: readonly {
      /** Which field, such as `amount` or `query.limit`. */
      path: string;
      /** What the field must be. */
      message: string;
    }[];
    /** How many more errors there are. */
    more?: number;
    [name: string]: unknown;
  };
  /** Whole seconds, as in the header `Retry-After`. */
  retry_after?: number;
  /** Where the reference says what causes this error, and what to do. */
  doc_url: string;
};

/** For 10 minutes the session may make changes that could lock the user out or let somebody else in. */
export type Proof = {
  /** How the user proved it. */
  method: 'passkey' | 'totp' | 'mail';
  /** Until when it counts. */
  valid_until: string;
};

/**
 * One of three. `code`: of the authenticator app, or a recovery code. `passkey`: a signature for the challenge of
 * `POST /v1/auth/webauthn/authenticate/begin`. `token`: of a sign-in link, for users who have neither a passkey nor
 * two-factor authentication. Each is used up.
 */
export type Prove = {
  /** A code of the authenticator app. */
  code?: string;
  passkey?: PasskeyAuthentication;
  /** The token of a mailed link. */
  token?: string;
};

/** Credentials of a Razorpay account. */
export type RazorpayCredentials = {
  /** The id of the key. */
  key_id: string;
  /** The secret of that key. */
  key_secret: string;
  /** The webhook secret. A list while it is rotated. */
  webhook_secret: string | readonly string[];
  /** The id of the account: events of another one are refused. */
  account_id?: string;
};

/**
 * A way back for users who have lost the second factor and passkeys. Administrators of the platform approve it; 72
 * hours later it can be finished.
 */
export type Recovery = {
  /** How the request stands. */
  status: 'requested' | 'approved' | 'rejected' | 'canceled' | 'finished';
  /** When the user asked. */
  requested_at: string;
  /** When the waiting time ends. `null` until the recovery is approved. */
  usable_from: string | null;
  /** When the request expires. */
  expires_at: string;
};

/** The token of the links in the email about the request. */
export type RecoveryToken = {
  /** The token from the link in the mail. */
  token: string;
};

/** Gives money back. */
export type Refund = {
  /** The id of the object. */
  id: string;
  amount: MinorUnits;
  /** `pending` while the provider has not decided. */
  status: 'pending' | 'succeeded' | 'failed';
  /** Your own reason. Null without one. */
  reason: string | null;
  /**
   * Why the refund failed; null unless `status` is `failed`. Codes: `refund_declined`, `insufficient_balance`,
   * `try_again_later`, `refund_canceled`, `already_refunded`, `charge_disputed`, `not_refundable`,
   * `invalid_account`, `expired`, `amount_not_supported`, `account_restricted`, `provider_unavailable`,
   * `no_verdict`.
   */
  failure: Failure | null;
  metadata: StoredMetadata;
  /** The attempt that made the charge. */
  attempt_id: string;
  /** The provider's own id of the refund. Null until it has given one. */
  psp_reference: string | null;
  created_at: CreatedAt;
};

/**
 * Without `amount` all that is left is refunded. An amount that the provider cannot express exactly, or that is too
 * small for it, is refused (`amount_not_supported`). Refunding a part may leave such an amount.
 */
export type RefundPayment = {
  amount?: Amount;
  /** Your own reason, for people. */
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
  id: StepId;
  on_error?: OnError;
  next?: NextStep;
  /** What the step does. */
  type: 'refund_payment';
  amount?: Amount;
  /** May contain `{{ expressions }}`. The step fails if the resulting text is empty or longer than 200 characters. */
  reason?: string;
};

/** Also withdraws an approval: live keys are refused from the next request on. The audit log keeps `reason`. */
export type RejectKyc = {
  /** The id of the organization. */
  org_id: string;
  /** Why, for the audit log. */
  reason: string;
  /**
   * The name that was reviewed. With `requested_legal_name`, only that request is rejected: `legal_name` and `kyc`
   * stay. `null`: it has none.
   */
  legal_name?: string | null;
};

/** Also withdraws an approval. The audit log keeps `reason`. */
export type RejectRecovery = {
  /** Of the request that you reviewed. Returns 409 if there is a newer one. */
  requested_at: string;
  /** Why, for the audit log. */
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
  /** The name that customers see. */
  name?: Name;
  /** The name in the register of companies. `null` removes it. */
  legal_name?: Name | null;
};

/** Which failed events to send again. */
export type ReplayFailedEvents = {
  /** Events created at this time or later. Attempts go on for two days, so after an outage begin two days before it. */
  since: string;
  /** Events created before this time. Now, if omitted. */
  until?: string;
  /** Only events of this type. */
  type?: EventType;
};

/** The replay has begun. */
export type ReplayOfFailedEvents = {
  /** Events created at this time or later. */
  since: string;
  /** Events created before this time. */
  until: string;
  /** Only events of this type. Null: all. */
  type: EventType | null;
  /** Events are replayed from now on, oldest first. Disabling webhooks ends the replay. */
  accepted: true;
  /**
   * True if a replay of the organization was still running. These events were added to it, and each event is sent
   * once in it. An event that the replay before has sent is sent again 5 minutes after that. A replay sends 5000
   * events in 5 minutes at most, and then pauses.
   */
  joined?: boolean;
};

/** Which rules to try on the newest payments. */
export type ReplayRouting = {
  /** A whole set of rules, in the order in which they are tried: it takes the place of the stored. */
  rules: readonly EditedRoutingRule[];
  /** How many payments to look at. */
  limit?: number;
};

/** The token of a sign-in link, which is used up. It shows that the mailbox is yours. */
export type RequestRecovery = {
  /** The token from the link in the mail. */
  token: string;
};

/** Another attempt of a payment that has failed. */
export type RetryPayment = {
  /** What the customer pays with. Without it the same one is tried again. */
  payment_method?: PaymentMethod;
  /** The payer, as the card's issuer knows them. */
  billing?: Contact;
  /** Whom the goods go to. */
  shipping?: Contact;
  browser?: Browser;
  statement_descriptor?: StatementDescriptor;
  statement_descriptor_suffix?: StatementDescriptorSuffix;
  /** What is bought. It replaces that of the payment. */
  order?: Order;
  sca?: Sca;
  mit?: Mit;
};

/** When an unpaid invoice is collected again. An empty `plan_id` is the organization's default. */
export type RetryPolicy = {
  /** The organization that it belongs to. */
  org_id: string;
  /** The merchant's own id of the plan. Empty: all plans without a policy of their own. */
  plan_id: string;
  /** How long to wait before each retry, such as `24h`. */
  delays: readonly string[];
  /** The most retries of an invoice. */
  max_retries: number;
  created_at: CreatedAt;
  updated_at: UpdatedAt;
};

/** By how long they wait, longest first. The list follows the payments, seconds late. */
export type ReviewList = {
  /** The payments of this page. */
  payments: readonly Payment[];
  pagination: Pagination;
};

/** The key works no longer. */
export type RevokedApiKey = {
  /** The id of the object. */
  id: string;
  /** Always true. */
  deleted: true;
  /** The ids, if `descendants` was `true`. */
  revoked_descendants?: readonly string[];
};

/** Makes a new signing secret. */
export type RotateWebhookSecret = {
  /** For a leaked secret: revokes all previous secrets now. Otherwise the previous secret signs for 24 more hours. */
  expire_previous?: boolean;
};

/** What routing prefers. */
export type RoutingHintsInput = {
  /** Countries whose payments it gets first. */
  country_preference?: readonly Country[];
  /** By method; at most 100. */
  method_bias?: { [name in Method]?: number };
  /** Whether it is tried only when no other connection can take the payment. */
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
  /** When the oldest of these payments was created. Null without payments. */
  oldest_at: string | null;
  /** When the newest of these payments was created. Null without payments. */
  newest_at: string | null;
  /** Most first. Null is a payment that no connection could take. */
  moves: readonly {
    /** The connection by the stored rules. Null: none. */
    from: string | null;
    /** The connection by the edited rules. Null: none. */
    to: string | null;
    /** How many payments move so. */
    payments: number;
  }[];
  /** The newest payments that move. */
  sample: readonly {
    /** The payment. */
    payment_id: string;
    /** When the payment was created. */
    created_at: string;
    /** The connection by the stored rules. Null: none. */
    from: string | null;
    /** The connection by the edited rules. Null: none. */
    to: string | null;
  }[];
};

/** Sends payments with these countries and methods to one connection. A payment without a country matches no rule. */
export type RoutingRule = {
  /** The id of the object. */
  id: string;
  /** A name for people. */
  name: string;
  /** The countries of payers (ISO 3166-1 alpha-2). */
  countries: readonly string[];
  /** The payment methods. Empty: every method. */
  methods: readonly string[];
  /** The connection that gets the payments. */
  connection_id: string;
  /** The matching rule with the highest priority applies; among equals the oldest. */
  priority: number;
  /** Whether default routing follows if the connection cannot take the payment. */
  fallback_to_default: boolean;
  /** Whether it is used. */
  enabled: boolean;
  created_at: CreatedAt;
  updated_at: UpdatedAt;
};

/** What a routing rule means for the payment. */
export type RoutingRuleExplained = {
  /** The id of the object. */
  id: string;
  /** A name for people. */
  name: string;
  /** Counts the rules from 1, in the order in which they are tried. */
  position: number;
  /** The connection of the rule. */
  connection_id: string;
  /** Whether default routing follows if the connection cannot take the payment. */
  fallback_to_default: boolean;
  /**
   * `earlier_rule` and `ab_test`: it matches, but that one decides. `connection_unusable`: it matches first, but
   * its connection cannot take the payment.
   */
  result: 'decides' | 'connection_unusable' | 'earlier_rule' | 'ab_test' | 'no_match';
  /** What has to be true. */
  conditions: readonly RuleCondition[];
};

/** The rules in their new order. As few as possible get another `priority`: so many have `changed`. */
export type RoutingRuleOrder = {
  /** All rules in their new order. */
  rules: readonly RoutingRule[];
  /** How many rules got another priority. */
  changed: number;
};

/** Where the payment would go, and why. */
export type RoutingSimulation = {
  /**
   * `blocked`: by the fraud policy. `refused`: the API would answer with the error in `failure`, for example as the
   * plan has no payments left. The routing below is then what would follow otherwise.
   */
  outcome: 'routed' | 'blocked' | 'no_route' | 'refused';
  /** The first connection that would be tried. Null: none. */
  connection_id: string | null;
  /** The provider of that connection. Null: none. */
  provider: string | null;
  /** Why the payment would fail. Null if it would not. */
  failure: {
    /** What would happen. */
    code: string;
    /** One sentence for people. */
    message: string;
  } | null;
  mode: Mode;
  /** The payment method, such as `card`. */
  method: string;
  /** What decides. */
  routing: {
    /** An A/B test, a routing rule or default routing. */
    source: 'ab_test' | 'rule' | 'default';
    /** The rule that applied. Null or missing if none did. */
    rule_id: string | null;
    /** The A/B test that took part. Null or missing if none did. */
    ab_test_id: string | null;
    /** The variant of the A/B test. Null or missing without a test. */
    variant: string | null;
  };
  /** Another payment like this may go elsewhere: see the shares of `ab_tests`. Send an `id` or customer. */
  by_chance: boolean;
  /** The connections that may see it, in order of failover. */
  order: readonly string[];
  /** All rules, in the order in which they are tried. */
  rules: readonly RoutingRuleExplained[];
  /** The running A/B tests. */
  ab_tests: readonly AbTestExplained[];
  /** Null without an enabled fraud policy, and for a payment that is refused. */
  fraud: {
    /** `passed`, `flagged` or `blocked`. */
    decision: string;
    /** Which rules of the fraud policy apply. */
    reasons: readonly string[];
    /** Rules that count payments are not applied: a simulation is not counted, nor does it read counts. */
    velocity_rules: number;
  } | null;
  /** All connections. */
  connections: readonly ConnectionExplained[];
};

/**
 * An upsert by `id`: fields that are not sent stay unchanged. `provider` and `credentials` are required for a new
 * connection; `provider` and `mode` never change.
 */
export type SaveConnection = ConnectionSettings & (ProviderConnection | ExistingConnection);

/** Fields that are not sent stay unchanged; a sent field is replaced as a whole. */
export type SaveFraudPolicy = {
  /** Whether payments are checked. */
  enabled?: boolean;
  /** By currency of ISO 4217, in any case; returned in upper case. */
  max_amount?: { [name in Currency]?: Amount };
  /** Limits of payments in a time. */
  velocity?: readonly VelocityRule[];
  /** Payments that are always refused. */
  blocked?: FraudLists;
  /** Payments that no other rule is applied to. */
  allowed?: FraudLists;
  /** `block` refuses a payment before a provider is asked, `flag` only marks it. */
  action?: 'block' | 'flag';
};

/** Adds an administrator, who need not have signed in before, or changes the role of one. No email is sent. */
export type SavePlatformAdmin = {
  /** The address of the user. */
  email: string;
  /** The role on the platform. */
  role: 'platform_owner' | 'platform_admin';
};

/**
 * Fields that are not sent stay unchanged; a new policy starts with the delays 24h, 72h, 120h and 3 retries. The
 * last delay repeats; without delays there are no retries.
 */
export type SaveRetryPolicy = {
  /** The merchant's own id of the plan. Empty: all plans without a policy of their own. */
  plan_id?: string;
  /** How long to wait before each retry, such as `24h`. */
  delays?: readonly string[];
  /** The most retries of an invoice. */
  max_retries?: number;
};

/** A customer's card or account, kept for later payments. */
export type SavedPaymentMethod = {
  /** The id of the object. */
  id: string;
  /** The organization that it belongs to. */
  org_id: string;
  /** `sandbox` for test money, `live` for real money. */
  mode: Mode;
  /** The merchant's own id of the customer. */
  customer_id: string;
  /** The payment method, such as `card`. */
  type: string;
  /** As far as it is known. `null` for other than cards. */
  card: {
    /** The brand of the card, such as `visa`. */
    brand?: string;
    /** The last four digits. */
    last4?: string;
    /** The month in which it expires, 1 to 12. */
    exp_month?: number;
    /** The year in which it expires, with four digits. */
    exp_year?: number;
    /** How the card is funded. */
    funding?: 'credit' | 'debit' | 'prepaid';
    /** The country of the issuer of the card (ISO 3166-1 alpha-2). */
    issuer_country?: string;
  } | null;
  /** Those that have a token of it. A payment with it goes to their connections only. */
  providers: readonly Provider[];
  /** The network's id of the payment in which the customer agreed to be charged later. Null if it is unknown. */
  network_transaction_id: string | null;
  /** Exactly one of a customer's methods is the default: at first the first. */
  default: boolean;
  created_at: CreatedAt;
  updated_at: UpdatedAt;
};

/** Newest first. A customer may have up to 50. */
export type SavedPaymentMethodList = {
  /** The payment methods of this page. */
  payment_methods: readonly SavedPaymentMethod[];
  pagination: CountedPagination;
};

/** Strong customer authentication. The issuer decides: it may ask for a challenge in spite of an exemption. */
export type Sca = {
  /** Whether the customer should confirm the payment at the bank. */
  challenge?: 'preferred' | 'required' | 'avoid';
  /** The exemption from strong customer authentication that is asked for. */
  exemption?: 'low_value' | 'transaction_risk_analysis' | 'trusted_beneficiary' | 'secure_corporate';
};

/**
 * What this organization has with exactly this id, reference, customer or address. Of a customer these are the
 * newest. Kinds that the caller may not read are left out. Attempts are found if they belong to the request that
 * created their payment, and refunds that were made since this can be searched. Captures, and attempts of a
 * confirmation or a retry, are found by the provider's reference or with their payment.
 */
export type SearchResults = {
  /** What was found. */
  results: readonly {
    /** What kind of object it is. */
    type:
      | 'payment'
      | 'refund'
      | 'attempt'
      | 'dispute'
      | 'payment_link'
      | 'payment_method'
      | 'customer'
      | 'subscription'
      | 'invoice'
      | 'connection'
      | 'event'
      | 'workflow_run';
    /** The id of the object. */
    id: string;
    /** Which of its fields is what you sent. */
    found_by: 'id' | 'psp_reference' | 'customer_id' | 'customer_email';
    /** The payment that it is, or that it belongs to. Null for others. */
    payment_id: string | null;
  }[];
};

/**
 * The number only grows: it is for an organization whose lists take more than a few hundred new records a second.
 * Lists of a large organization cost more to read. New records are spread over the partitions a minute later, when
 * every process reads them all; existing records stay where they are.
 */
export type SetCapacity = {
  /** Over how many partitions its lists are spread. */
  list_shards: 4 | 16 | 64;
};

/** Replaces all labels. */
export type SetLabels = {
  /** At most 20 different labels. */
  labels: readonly string[];
};

/** Changes the plan. */
export type SetPlan = {
  /** The new plan. Its limits hold at once. */
  plan: 'free' | 'growth' | 'scale';
};

/**
 * Requests a minute that each service or secret key of the organization may make; the limit for ten seconds grows
 * with their sum. Requests of sessions, and of public keys by IP address, keep the usual limits. It takes effect
 * within one request of each process of the service. If the request fails with 5xx, send it again with the same
 * idempotency key: some keys may still have the former limits.
 */
export type SetRate = {
  /** Payment creations a minute. */
  payments: number;
  /** Other writes a minute. */
  writes: number;
  /** Reads a minute. */
  reads: number;
};

/** Switches the connection on or off. */
export type SetStatus = {
  /** Only an `active` connection takes payments. Running payments still settle. */
  status: 'active' | 'inactive';
};

/**
 * The signed-in user and their organizations. The session ends at `expires_at` at the latest, and earlier after 12
 * hours without a request.
 */
export type SignedIn = {
  /** The signed-in user. */
  user: {
    /** The id of the object. */
    id: string;
    /** The user's address. */
    email: string;
    /** Whether two-factor authentication is on. */
    totp_enabled: boolean;
  };
  /** The stage that answers. */
  stage: Mode;
  /** The user's organizations. */
  organizations: readonly {
    /** The id of the object. */
    id: string;
    /** The name that customers see. */
    name: string;
    /** The user's role there. */
    role: 'owner' | 'admin' | 'member' | 'viewer';
    /** What the role allows in this organization. */
    scopes: readonly Scope[];
  }[];
  /** When the session ends at the latest. */
  expires_at: string;
  /** What counts as now here: a browser’s clock may be wrong. */
  server_time: string;
};

/** The session has ended. */
export type SignedOut = {
  /** Always true. */
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
  amount: Amount;
  currency: Currency;
  /** The payment method, such as `card`. */
  method?: Method;
  country?: Country;
  /** The merchant's own id of the customer. */
  customer_id?: string;
  /** The customer's email address. */
  customer_email?: string;
  /** The customer's IP address. */
  customer_ip?: string;
  /** It is not used. */
  description?: string;
  /** It is not used. */
  metadata?: Metadata;
  capture?: CaptureMode;
  /** What the customer would pay with. */
  payment_method?: PaymentMethod;
  /** It is not used. */
  save?: boolean;
  /** The payer, as the card's issuer knows them. */
  billing?: Contact;
  /** Whom the goods go to. */
  shipping?: Contact;
  browser?: Browser;
  statement_descriptor?: StatementDescriptor;
  statement_descriptor_suffix?: StatementDescriptorSuffix;
  /** What is bought. */
  order?: Order;
  sca?: Sca;
  mit?: Mit;
};

/** Messages to a Slack channel. */
export type SlackIntegration = {
  /** The id of the object. */
  id: string;
  /** The organization that it belongs to. */
  org_id: string;
  /** A name for people. */
  name: string;
  /** What kind of integration it is. */
  type: 'slack';
  /** Where it leads. */
  config: {
    /** Without its path. */
    url: string;
  };
  /** Whether steps may use it. */
  enabled: boolean;
  created_at: CreatedAt;
  updated_at: UpdatedAt;
};

/** Runs a template now for an existing event of any type and age. */
export type StartWorkflowExecution = {
  /** The id of the workflow template. */
  template_id: string;
  /** The event that it runs for. */
  event_id: string;
};

/** Other steps and expressions refer to the step by this id. */
export type StepId = Method;

/** Credentials of a Stripe account. */
export type StripeCredentials = {
  /** The secret or restricted key. */
  secret_key: string;
  /** The signing secret of the webhook. A list while it is rotated. */
  webhook_secret: string | readonly string[];
  /** The publishable key, for the elements of Stripe on your page. */
  publishable_key?: string;
  /** The connected account that a platform's key acts for. */
  account?: string;
};

/** A customer who is charged off-session for each period. The payment method is never returned. */
export type Subscription = {
  /** The id of the object. */
  id: string;
  /** The organization that it belongs to. */
  org_id: string;
  mode: Mode;
  /** The merchant's own id of the customer. */
  customer_id: string;
  /** The customer's email address. Null without one. */
  customer_email: string | null;
  /** The country of the payer, ISO 3166-1 alpha-2. Null if it is unknown. */
  country: CountryCode | null;
  /** The merchant's own id of the plan. */
  plan_id: string;
  /** Per period, in minor units. */
  amount: number;
  currency: CurrencyCode;
  /** The payment method, such as `card`. */
  method: string;
  /** The saved payment method that it is charged with: its tokens are read at each charge. */
  payment_method_id?: string;
  /**
   * Periods are counted from `start_at`, in UTC: a subscription that starts on the 31st renews on the last day of
   * shorter months, and on the 31st of longer ones.
   */
  interval: Interval;
  /** `canceled` is final. */
  status: 'active' | 'paused' | 'canceled';
  /** When its first period starts. */
  start_at: string;
  /**
   * When the next period starts and is charged, or, with `cancel_at_period_end`, when the subscription ends. `null`
   * while nothing renews.
   */
  next_renewal_at: string | null;
  /** Whether it ends with its period. */
  cancel_at_period_end: boolean;
  /** When it was canceled. Null unless it is. */
  canceled_at: string | null;
  metadata: StoredMetadata;
  created_at: CreatedAt;
  updated_at: UpdatedAt;
};

/**
 * Seconds late. What moved counts on the day (UTC) that it happened, a start on that of its first period. Without
 * `from`: 30 days; it may be at most 731 days ago.
 */
export type SubscriptionStats = {
  /** The first day (UTC). */
  from: string;
  /** The last day (UTC), included. */
  to: string;
  /** One for each currency. */
  by_currency: readonly ({
    currency: CurrencyCode;
    /** How the subscriptions stand now, whatever `to` says. */
    now: {
      /** Subscriptions that are active. */
      active: number;
      /** Subscriptions that are paused. */
      paused: number;
      /** Subscriptions that are canceled. */
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
    start: RecurringRevenue;
    /** At the end of `to`. */
    end: RecurringRevenue;
    /** Started: their first period began. One that is canceled before that is never counted. */
    new: number;
    /** Subscriptions that were canceled. */
    canceled: number;
    /** By a person, or after the last retry of an invoice. */
    paused: number;
    /** No longer active: paused or canceled. */
    churned: number;
    /** Active again after a pause. */
    reactivated: number;
    /** The revenue of new subscriptions, in the currency's minor unit. */
    mrr_new: number;
    /** From higher amounts. */
    mrr_expansion: number;
    /** From lower amounts. */
    mrr_contraction: number;
    /** The revenue of what is no longer active, in the currency's minor unit. */
    mrr_churned: number;
    /** The revenue of what is active again, in the currency's minor unit. */
    mrr_reactivated: number;
    /** `churned` by the active subscriptions at the start, 0 to 1. Null without any. */
    churn_rate: number | null;
    /** `mrr_churned` by the revenue at the start, 0 to 1. Null without any. */
    mrr_churn_rate: number | null;
    /** The same by day. */
    by_day: readonly {
      /** The day (UTC), as YYYY-MM-DD. */
      day: string;
      /** Subscriptions that are active. */
      active: number;
      /**
       * Monthly recurring revenue in minor units: a twelfth of what active subscriptions are charged in a year (365
       * days, 52 weeks, 12 months, 4 quarters or 1 year of their interval), before fees and taxes.
       */
      mrr: number;
      /** Started: their first period began. One that is canceled before that is never counted. */
      new: number;
      /** Subscriptions that were canceled. */
      canceled: number;
      /** By a person, or after the last retry of an invoice. */
      paused: number;
      /** No longer active: paused or canceled. */
      churned: number;
      /** Active again after a pause. */
      reactivated: number;
      /** The revenue of new subscriptions, in the currency's minor unit. */
      mrr_new: number;
      /** From higher amounts. */
      mrr_expansion: number;
      /** From lower amounts. */
      mrr_contraction: number;
      /** The revenue of what is no longer active, in the currency's minor unit. */
      mrr_churned: number;
      /** The revenue of what is active again, in the currency's minor unit. */
      mrr_reactivated: number;
    }[];
  })[];
};

/** Adds metadata to the payment of the event. Existing keys get the new value. Output: `payment_id`. */
export type TagPaymentStep = {
  id: StepId;
  on_error?: OnError;
  next?: NextStep;
  /** What the step does. */
  type: 'tag_payment';
  /**
   * Up to 50 keys. String values may contain `{{ expressions }}`. A string that consists of one expression is
   * replaced by its value, so it may become a number or a boolean. The step fails if the expression has no value or
   * if the result is not allowed in metadata.
   */
  metadata: Metadata;
};

/** For whom, or by what, something was done. */
export type TimelineCause = {
  /**
   * A member, an API key, a run of a workflow, the customer on a page of ours, a callback of the provider, or a
   * timer of ours.
   */
  type: 'user' | 'api_key' | 'workflow_run' | 'customer' | 'provider' | 'timer';
  /** Of the member, the API key or the run. Null for the others. */
  id: string | null;
};

/** Something that happened to a payment. `kind` says what; unknown kinds may be added: show their `text`. */
export type TimelineEntry =
  | CreatedTimelineEntry
  | FraudCheckedTimelineEntry
  | RoutedTimelineEntry
  | AttemptTimelineEntry
  | PolledTimelineEntry
  | ReviewTimelineEntry
  | CaptureTimelineEntry
  | ReleaseTimelineEntry
  | RefundTimelineEntry
  | DisputeTimelineEntry
  | DisputeAnswerTimelineEntry
  | DisputeClosedTimelineEntry
  | ActionTimelineEntry
  | ReceiptTimelineEntry
  | EventTimelineEntry
  | CallbackTimelineEntry
  | WorkflowRunTimelineEntry;

/** Proves the second factor. */
export type TotpCode = {
  /** A code of the authenticator app or a recovery code. */
  code: string;
};

/**
 * Shown once. Codes are required only after a code of the authenticator app has turned it on. Each recovery code
 * replaces a code of the app once. Spaces, dashes and case do not matter, and digits may be of any script.
 */
export type TotpSetup = {
  /** The secret for the authenticator app, in base32. */
  secret: string;
  /** The same as an address, for a QR code. */
  otpauth_url: string;
  /** Codes that work once each, for the day the app is lost. */
  recovery_codes: readonly string[];
};

/** The state of two-factor authentication. */
export type TotpState = {
  /** Whether it is on. */
  totp_enabled: boolean;
};

/** The token of the link in the mail about the change. */
export type UndoChange = {
  /** The token from the link in the mail. */
  token: string;
};

/** The next 6 periods at most, if nothing changes. Empty while nothing renews. */
export type UpcomingPeriods = {
  /** The id of the subscription. */
  subscription_id: string;
  /** The periods, next first. */
  periods: readonly {
    /** The number of the period, from 1. */
    number: number;
    /** When it begins. */
    start: string;
    /** When it ends. */
    end: string;
    /** Its start, or later where the organization may not take payments before that. */
    charged_at: string;
    /** Whether it has started, and is not charged yet. */
    started: boolean;
    amount: MinorUnits;
    currency: CurrencyCode;
    /** The merchant's own id of the plan. */
    plan_id: string;
  }[];
};

/** Fields that are not sent stay unchanged. */
export type UpdateAbTest = {
  name?: Name;
  variants?: Variants;
  /** A text for people. `null` removes it. */
  description?: string | null;
  /** The share of targeted payments that take part in the test. Raising it moves nobody to another variant. */
  traffic_percentage?: number;
  /** Empty: all currencies. */
  target_currencies?: readonly Currency[];
  /** Empty: all countries. */
  target_countries?: readonly Country[];
  /** Empty: all methods. */
  target_methods?: readonly Method[];
  /** A draft starts automatically within a minute of this time; at once if it has passed. `null`: only on request. */
  start_at?: string | null;
  /**
   * The test gets no payments from this time on, and is completed automatically within a minute. Must be in the
   * future and after `start_at`. `null`: only on request.
   */
  end_at?: string | null;
};

/**
 * Fields that are not sent stay, also within `config`. The type never changes. `headers` replaces all headers. A
 * value sent as `****` stays, as long as `url` has the same server. An address of `slack` that is sent as it is
 * shown stays.
 */
export type UpdateIntegration = {
  name?: Name;
  /** Where it leads. Its fields depend on `type`. */
  config?: IntegrationConfig;
  /** Steps that use a disabled integration fail. */
  enabled?: boolean;
};

/** Fields that are not sent stay unchanged. */
export type UpdatePaymentMethod = {
  /** Each adds or replaces the token of its provider; `null` removes it. */
  tokens?: { [name in Provider]?: Token | null };
  card?: CardInput;
  /**
   * The network's id of the payment in which the customer agreed to be charged later. Payments with `mit` refer to
   * it.
   */
  network_transaction_id?: string;
  /** `true`: it becomes the default of its customer. */
  default?: true;
};

/** Fields that are not sent stay unchanged. */
export type UpdateRoutingRule = {
  name?: Name;
  /** The countries of payers. */
  countries?: readonly Country[];
  /** The connection that gets the payments. */
  connection_id?: string;
  /** Empty: every method. */
  methods?: readonly Method[];
  /** The matching rule with the highest priority applies; among equals the oldest. */
  priority?: number;
  /**
   * Whether default routing is used if the connection cannot accept the payment, or fails in a way that allows
   * another attempt.
   */
  fallback_to_default?: boolean;
  /** Whether it is used. */
  enabled?: boolean;
};

/**
 * Fields that are not sent stay unchanged. Changes apply from the next period on, without proration: a period that
 * has started is charged on the terms it started with, even if it is charged late. A new payment method applies to
 * the next charge, including retries of the same method type.
 */
export type UpdateSubscription = {
  amount?: Amount;
  /** The payment method, such as `card`. */
  method?: Method;
  /** What the customer pays with from now on. */
  payment_method?: PaymentMethod;
  /** The merchant's own id of the plan. */
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
  name?: Name;
  event?: ConditionTrigger;
  /**
   * An expression over `event` and `data`. The rule applies to events for which it is true; null applies to all
   * events. It may only refer to fields that events of this type can have.
   */
  condition?: string | null;
  /** The id of the workflow template. */
  template_id?: string;
  /** Whether it is used. */
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
  name?: Name;
  steps?: Steps;
};

/** A session of the user. */
export type UserSession = {
  /** The id of the object. */
  id: string;
  /** Whether it is the session of this request. */
  current: boolean;
  /** When the user signed in. */
  created_at: string;
  /** When it was last used. */
  last_used_at: string;
  /** It ends then at the latest, and earlier after 12 hours without a request. */
  expires_at: string;
  /** How its user proved last who they are. `null` if that was not recorded. */
  proved_by: 'passkey' | 'totp' | 'mail' | null;
};

/** Where the user is signed in, newest first. Sessions that have ended are left out. */
export type UserSessionList = {
  /** All sessions, newest first. */
  sessions: readonly UserSession[];
  pagination: CountedPagination;
};

/** The connection after the check. */
export type ValidatedConnection = Connection & {
  /** What should be changed in the credentials, such as a webhook secret that is too short. */
  warnings?: readonly string[];
};

/** Limits accepted payments within a sliding window of this length. With `currency`, counts only payments in it. */
export type VelocityRule = {
  /** What payments are counted by. */
  field: 'customer_id' | 'customer_email' | 'ip' | 'token';
  /** The most payments within the window. */
  max_payments: number;
  max_amount?: Amount;
  currency?: Currency;
  /** Seconds, minutes, hours or days: from 1s to 30d. */
  window: string;
};

/** A change of the webhook configuration. */
export type WebhookAudit = {
  /** Counts 1, 2, 3 … */
  id: number;
  /** `X-Actor-Id`, or the credential where that was not sent; `system` where the service made the change. */
  actor_id: string;
  /** Whether `actor_id` is what a caller with an API key claims in `X-Actor-Id`. It was not verified. */
  actor_claimed: boolean;
  /** What was done. */
  action: 'webhook.configured' | 'webhook.secret_rotated' | 'webhook.disabled';
  /** Details of the change. */
  metadata: {
    /** By field. Of secrets it says only that they changed. */
    changes: Changes;
    /** Null where the service made the change. */
    credential_id: string | null;
    /** Why the service disabled webhooks. */
    reason?: 'gone' | 'failing';
  };
  /** When it was done. */
  created_at: string;
};

/** Where events are sent. */
export type WebhookConfig = {
  /** Your endpoint. */
  url: string;
  /** Which event types are sent. `*` for all. */
  events: readonly string[];
  /** Whether events are sent. */
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
  created_at: CreatedAt;
  updated_at: UpdatedAt;
};

/** Why a step failed. */
export type WorkflowError = {
  /** What happened. */
  code: string;
  /** One sentence for people. */
  message: string;
  /** More about it, by code. */
  details?: { [name: string]: unknown };
};

/** One run of a template for one event. */
export type WorkflowExecution = {
  /** The id of the object. */
  id: string;
  /** The organization that it belongs to. */
  org_id: string;
  /** The id of the workflow template. */
  template_id: string;
  /** The version of the template that it runs. */
  template_version: number;
  /** The rule that started the execution. Null if none did. */
  rule_id: string | null;
  /** The connection whose `workflow_id` started the execution. If `rule_id` is null too, a request started it. */
  connection_id: string | null;
  /** The event that it runs for. */
  event: {
    /** The id of the event. */
    id: string;
    type: EventType;
  };
  status: ExecutionStatus;
  /** The steps that have started, in order. */
  steps: readonly WorkflowStepRun[];
  /** Why it failed. Null if it did not. */
  error: WorkflowError | null;
  /** When the execution continues. Null while it is running and after it has ended. */
  next_step_at: string | null;
  /** The time of the event, or of the request that started the execution. */
  created_at: string;
  updated_at: UpdatedAt;
  /** When its first step began. Null until then. */
  started_at: string | null;
  /** When it ended. Null while it runs. */
  ended_at: string | null;
};

/**
 * Newest first. With a filter, a page may have fewer than `limit` items, or none, while `has_more` is true. Follow
 * the `Link` header.
 */
export type WorkflowExecutionList = {
  /** The executions of this page. */
  executions: readonly WorkflowExecution[];
  pagination: Pagination;
};

/**
 * Runs a template for each event of a type. It applies to events that happen after the rule was created or enabled,
 * or after its event, condition or template was changed. At most ten rules can have the same event type. A rule is
 * rejected if rules, enabled or not, would trigger each other in an endless loop, or if its template has a step
 * that can never succeed for such an event.
 */
export type WorkflowRule = {
  /** The id of the object. */
  id: string;
  /** The organization that it belongs to. */
  org_id: string;
  /** A name for people. */
  name: string;
  /** The event type that starts it. */
  event: EventType;
  /** An expression over `event` and `data`. Null: all events. */
  condition: string | null;
  /** The id of the workflow template. */
  template_id: string;
  /** Whether it is used. */
  enabled: boolean;
  /** The order of rules that match the same event, highest first. */
  priority: number;
  created_at: CreatedAt;
  updated_at: UpdatedAt;
};

/** Rules, newest first. */
export type WorkflowRuleList = {
  /** The rules of this page. */
  rules: readonly WorkflowRule[];
  pagination: CountedPagination;
};

/** One step of a workflow. */
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

/** How a step ran. */
export type WorkflowStepRun = {
  /** The id of the step in its template. */
  id: string;
  /** What the step does. */
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
  status: StepStatus;
  /** The number of attempts, including a running one. */
  tries: number;
  /** When the first attempt started. */
  started_at: string;
  /** Null while the step is `running`. A delay ends when the execution continues. */
  ended_at: string | null;
  /** Available to expressions of later steps as `steps.<id>`, together with `status`. */
  output: { [name: string]: string | number | boolean | null };
  /** Why it failed. Null if it did not. */
  error: WorkflowError | null;
};

/** A list of steps. A rule or a connection runs it. */
export type WorkflowTemplate = {
  /** The id of the object. */
  id: string;
  /** The organization that it belongs to. */
  org_id: string;
  /** A name for people. */
  name: string;
  /** Its steps. */
  steps: readonly WorkflowStep[];
  /** Increases with each change, starting at 1. */
  version: number;
  created_at: CreatedAt;
  updated_at: UpdatedAt;
};

/** Templates, newest first. */
export type WorkflowTemplateList = {
  /** The templates of this page. */
  templates: readonly WorkflowTemplate[];
  pagination: CountedPagination;
};

/** A payment, as it was when the event occurred. */
export type PaymentSnapshot = {
  /** The id of the object. */
  id: string;
  amount: MinorUnits;
  currency: CurrencyCode;
  /**
   * `requires_action`: see `next_action`. `authorized`: capture it. `succeeded`, `failed`, `canceled` and
   * `refunded` are final, but a late success can follow a failure.
   */
  status: PaymentStatus;
  /** The provider of that connection. Null before the first attempt. */
  provider: Provider | null;
  /** The merchant's own id of the customer. Null without one. */
  customer_id: string | null;
  metadata: StoredMetadata;
  /** The payment link that it was made with. Null without one. */
  payment_link_id?: string | null;
  /** The invoice that this payment is for; missing on payments without an invoice. */
  invoice_id?: string;
  /** The saved payment method that it is charged with, or that it has made (`save`). */
  payment_method_id?: string;
  /** What the provider authorized; null until it has. It may be less than `amount`. */
  authorized_amount?: number | null;
  /** What succeeded captures have taken. Refunds give back at most this. */
  captured_amount?: number;
  /** What of the authorization was not captured. */
  released_amount?: number;
  /**
   * What is not captured by then is released: the payment fails with `authorization_expired`. Null until the amount
   * is authorized.
   */
  capturable_until?: string | null;
  /** The issuer approved only a part of `amount`. */
  partially_approved?: true;
};

/** A dispute, as it was when the event occurred. */
export type DisputeSnapshot = {
  /** The id of the object. */
  id: string;
  /** The organization that it belongs to. */
  org_id: string;
  mode: Mode;
  /** The payment that it belongs to. */
  payment_id: string;
  /** The connection of the payment. */
  connection_id: string;
  provider: Provider;
  /** The provider's id of the dispute. */
  psp_reference: string;
  /** The provider's id of the disputed charge. Null if the provider does not tell. */
  charge_reference: string | null;
  /** What is disputed, in minor units of `currency`. */
  amount: number;
  currency: CurrencyCode;
  /**
   * `warning`: an inquiry; no money is withheld yet. `needs_response` and `under_review`: the money is withheld.
   * `won`: it came back, or was never taken. `lost`, `accepted` and `expired`: it is gone, by a decision, because
   * the shop gave in, or because nobody answered in time.
   */
  status: DisputeStatus;
  reason: DisputeReason;
  /** The code of the provider or of the card network. Null if there is none. */
  provider_reason: string | null;
  /** Until when it can be answered; `null` if the provider does not tell. */
  respond_by: string | null;
  answer: DisputeAnswer;
  /** When the customer disputed the payment. */
  opened_at: string;
  /** When it was decided. Null while it is open. */
  closed_at: string | null;
  /** When this service heard of it. */
  created_at: string;
  updated_at: UpdatedAt;
};

/** What the network said about the charge. Fields that the provider did not tell are missing. */
export type AttemptReport = {
  /** The id of the attempt. */
  id: string;
  /** The network's id: send it as `mit.network_transaction_id` when the saved card is charged again. */
  network_transaction_id?: string;
  /** The issuer's response code, such as `51` (ISO 8583). */
  network_decline_code?: string;
  /** The network's advice after a decline, such as `03`: do not try again. */
  advice_code?: string;
  avs?: Avs;
  /** The check of the security code. */
  cvc?: 'match' | 'mismatch' | 'unchecked';
  /** Electronic commerce indicator of 3-D Secure, such as `05`. */
  eci?: string;
  /** Whether the issuer bears the loss of a fraud. */
  liability_shift?: boolean;
  /** What the provider tells about the card. */
  card?: Card;
};

/** A payment was created. */
export type PaymentCreatedEvent = EventBase & {
  /** What kind it is. */
  type: 'payment.created';
  data: PaymentSnapshot;
};

/** The amount is authorized: capture it before `capturable_until`. */
export type PaymentAuthorizedEvent = EventBase & {
  /** What kind it is. */
  type: 'payment.authorized';
  data: PaymentSnapshot & {
    attempt?: AttemptReport;
  };
};

/** Sent once, a day before `capturable_until`. Capture the payment now. */
export type PaymentAuthorizationExpiringEvent = EventBase & {
  /** What kind it is. */
  type: 'payment.authorization_expiring';
  data: PaymentSnapshot;
};

/** A capture has taken money. */
export type PaymentCapturedEvent = EventBase & {
  /** What kind it is. */
  type: 'payment.captured';
  data: PaymentSnapshot & {
    capture: Capture;
  };
};

/** A capture has failed, or one that had succeeded was taken back. A person should look at the payment. */
export type PaymentCaptureFailedEvent = EventBase & {
  /** What kind it is. */
  type: 'payment.capture_failed';
  data: PaymentSnapshot & {
    capture: Capture;
  };
};

/** The money is taken. Deliver now. */
export type PaymentSucceededEvent = EventBase & {
  /** What kind it is. */
  type: 'payment.succeeded';
  data: PaymentSnapshot & {
    attempt?: AttemptReport;
  };
};

/** The payment has failed; `failure` says why. Seldom, a late success follows as `payment.succeeded`. */
export type PaymentFailedEvent = EventBase & {
  /** What kind it is. */
  type: 'payment.failed';
  data: PaymentSnapshot & {
    /** Why it failed. Null unless it failed. */
    failure: Failure | null;
    attempt?: AttemptReport;
  };
};

/** The payment was canceled before money was taken. */
export type PaymentCanceledEvent = EventBase & {
  /** What kind it is. */
  type: 'payment.canceled';
  data: PaymentSnapshot;
};

/** A refund has given money back: all of the payment, or a part. */
export type PaymentRefundedEvent = EventBase & {
  /** What kind it is. */
  type: 'payment.refunded';
  data: PaymentSnapshot & {
    /** What refunds have given back, in the currency's minor unit. */
    amount_refunded: number;
    refund: Refund;
  };
};

/** A subscription was created. */
export type SubscriptionCreatedEvent = EventBase & {
  /** What kind it is. */
  type: 'subscription.created';
  data: Subscription;
};

/** The terms, the payment method or the end of a subscription have changed. */
export type SubscriptionUpdatedEvent = EventBase & {
  /** What kind it is. */
  type: 'subscription.updated';
  data: Subscription;
};

/** The subscription has ended for good. */
export type SubscriptionCanceledEvent = EventBase & {
  /** What kind it is. */
  type: 'subscription.canceled';
  data: Subscription;
};

/** The subscription charges nothing: somebody paused it, or an invoice has failed. */
export type SubscriptionPausedEvent = EventBase & {
  /** What kind it is. */
  type: 'subscription.paused';
  data: Subscription;
};

/** The subscription charges again after a pause. */
export type SubscriptionResumedEvent = EventBase & {
  /** What kind it is. */
  type: 'subscription.resumed';
  data: Subscription;
};

/** The invoice of a period is paid. */
export type SubscriptionRenewedEvent = EventBase & {
  /** What kind it is. */
  type: 'subscription.renewed';
  data: Subscription;
};

/** A period has begun, and its invoice is being collected. */
export type InvoiceCreatedEvent = EventBase & {
  /** What kind it is. */
  type: 'invoice.created';
  data: Invoice;
};

/** The invoice is paid. */
export type InvoicePaidEvent = EventBase & {
  /** What kind it is. */
  type: 'invoice.paid';
  data: Invoice;
};

/** All attempts to collect the invoice are used up. Its subscription is paused. */
export type InvoiceFailedEvent = EventBase & {
  /** What kind it is. */
  type: 'invoice.failed';
  data: Invoice;
};

/** The invoice was canceled. It is no longer collected. */
export type InvoiceCanceledEvent = EventBase & {
  /** What kind it is. */
  type: 'invoice.canceled';
  data: Invoice;
};

/** A customer has paid by a payment link. It is sent beside the events of the payment. */
export type PaymentLinkPaidEvent = EventBase & {
  /** What kind it is. */
  type: 'payment_link.paid';
  data: PaymentLink & {
    /** The payment that was made with it. */
    payment_id: string;
  };
};

/** A customer disputes a payment at the bank. */
export type DisputeCreatedEvent = EventBase & {
  /** What kind it is. */
  type: 'dispute.created';
  data: DisputeSnapshot;
};

/** A dispute has changed, such as its status or its deadline. */
export type DisputeUpdatedEvent = EventBase & {
  /** What kind it is. */
  type: 'dispute.updated';
  data: DisputeSnapshot;
};

/** Sent once, before `respond_by`: the dispute still waits for an answer. */
export type DisputeResponseDueEvent = EventBase & {
  /** What kind it is. */
  type: 'dispute.response_due';
  data: DisputeSnapshot;
};

/** The dispute is decided. `status` says how. */
export type DisputeClosedEvent = EventBase & {
  /** What kind it is. */
  type: 'dispute.closed';
  data: DisputeSnapshot;
};

/** A test that you have asked for. */
export type ServiceWebhookTestEvent = EventBase & {
  /** What kind it is. */
  type: 'service.webhook.test';
  /** The resource as it was when the event occurred. */
  data: {
    /** A greeting, for you to read. */
    message: string;
  };
};

/** What every event has. */
export type EventBase = {
  /** The id of the object. */
  id: string;
  /** The organization that it belongs to. */
  org_id: string;
  /** When it happened. */
  created_at: string;
};

/** An event: its `type` says what `data` is. */
export type AnyEvent =
  | PaymentCreatedEvent
  | PaymentAuthorizedEvent
  | PaymentAuthorizationExpiringEvent
  | PaymentCapturedEvent
  | PaymentCaptureFailedEvent
  | PaymentSucceededEvent
  | PaymentFailedEvent
  | PaymentCanceledEvent
  | PaymentRefundedEvent
  | SubscriptionCreatedEvent
  | SubscriptionUpdatedEvent
  | SubscriptionCanceledEvent
  | SubscriptionPausedEvent
  | SubscriptionResumedEvent
  | SubscriptionRenewedEvent
  | InvoiceCreatedEvent
  | InvoicePaidEvent
  | InvoiceFailedEvent
  | InvoiceCanceledEvent
  | PaymentLinkPaidEvent
  | DisputeCreatedEvent
  | DisputeUpdatedEvent
  | DisputeResponseDueEvent
  | DisputeClosedEvent
  | ServiceWebhookTestEvent;

/** An event, as your webhook endpoint receives it. */
export type EventPayload = AnyEvent & EventDelivery;

/** What each delivery of an event says. */
export type EventDelivery = {
  /** When this attempt was sent, in Unix seconds. Reject what differs from your time by more than 300 seconds. */
  timestamp: number;
};

/** Something that happened, and how its delivery went. */
export type Event = AnyEvent & {
  /** `skipped`: webhooks were off, or the type was not asked for. */
  status: 'pending' | 'delivered' | 'failed' | 'skipped';
  /** At most 50: the first and the newest. */
  attempts: readonly {
    /** When it was sent. */
    at: string;
    /** The HTTP status of your endpoint. Null without a response. */
    status_code: number | null;
    /** How long it took, in milliseconds. */
    duration_ms: number;
    /** What went wrong. Null if nothing did. */
    error: string | null;
    /**
     * The start of your endpoint's response, at most 500 characters, of the newest attempt that got one other than
     * 2xx. Numbers like those of cards, tokens and signatures are left out.
     */
    response?: string;
  }[];
  /** When the next attempt is due. Null: none is. */
  next_attempt_at: string | null;
};

/** A connection to Adyen. */
export type AdyenConnection = {
  /** Must be this provider. */
  provider: 'adyen';
  credentials?: AdyenCredentials;
};

/** A connection to Checkout.com. */
export type CheckoutConnection = {
  /** Must be this provider. */
  provider: 'checkout';
  credentials?: CheckoutCredentials;
};

/** A connection to Flutterwave. */
export type FlutterwaveConnection = {
  /** Must be this provider. */
  provider: 'flutterwave';
  credentials?: FlutterwaveCredentials;
};

/** A connection to Mollie. */
export type MollieConnection = {
  /** Must be this provider. */
  provider: 'mollie';
  credentials?: MollieCredentials;
};

/** A connection to PayPal. */
export type PaypalConnection = {
  /** Must be this provider. */
  provider: 'paypal';
  credentials?: PaypalCredentials;
};

/** A connection to Paystack. */
export type PaystackConnection = {
  /** Must be this provider. */
  provider: 'paystack';
  credentials?: PaystackCredentials;
};

/** A connection to Razorpay. */
export type RazorpayConnection = {
  /** Must be this provider. */
  provider: 'razorpay';
  credentials?: RazorpayCredentials;
};

/** A connection to Stripe. */
export type StripeConnection = {
  /** Must be this provider. */
  provider: 'stripe';
  credentials?: StripeCredentials;
};

export type ProviderConnection =
  | AdyenConnection
  | CheckoutConnection
  | FlutterwaveConnection
  | MollieConnection
  | PaypalConnection
  | PaystackConnection
  | RazorpayConnection
  | StripeConnection;

/** A connection that exists already: its provider never changes. */
export type ExistingConnection = {
  /** The id of the connection. */
  id: string;
  /** Not to be sent: without it the connection exists already. */
  provider?: never;
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
};

/** What a connection has beside its provider. */
export type ConnectionSettings = {
  /** The id of the connection: 1 to 64 letters, digits, `-` or `_`. A new one gets an id if none is sent. */
  id?: string;
  /** Whether the credentials are for test or for real money. */
  mode?: Mode;
  /** Only an `active` connection takes payments. */
  status?: 'active' | 'inactive';
  /** What the connection can do. */
  capabilities?: CapabilitiesInput;
  /** What routing prefers. */
  routing_hints?: RoutingHintsInput;
  /** At most 20 different labels. */
  labels?: readonly string[];
  /** The workflow template that runs for its payments. `null`: none. */
  workflow_id?: string | null;
  /** What the provider charges, to route by cost. `null`: unknown. */
  fee_structure?: FeeStructure | null;
};

/** Where requests go. */
export type HttpIntegrationConfig = {
  url: IntegrationUrl;
  headers?: IntegrationHeaders;
};

/** A server that steps send requests to. */
export type CreateHttpIntegration = {
  name: Name;
  /** What kind it is. */
  type: 'http';
  config: HttpIntegrationConfig;
  /** Steps that use a disabled integration fail. */
  enabled?: boolean;
};

/** Where messages go. */
export type SlackIntegrationConfig = {
  url: IntegrationUrl;
};

/** A channel of Slack that steps write to. */
export type CreateSlackIntegration = {
  name: Name;
  /** What kind it is. */
  type: 'slack';
  config: SlackIntegrationConfig;
  /** Steps that use a disabled integration fail. */
  enabled?: boolean;
};

/** Who gets mail. */
export type EmailIntegrationConfig = {
  to: Recipients;
};

/** Members whom steps mail. */
export type CreateEmailIntegration = {
  name: Name;
  /** What kind it is. */
  type: 'email';
  config: EmailIntegrationConfig;
  /** Steps that use a disabled integration fail. */
  enabled?: boolean;
};

/** A key for servers, of the kind `service`. */
export type CreateDefaultKey = {
  /** A name for people, such as where the key is used. */
  name: Name;
  scopes: Scopes;
  /**
   * `true` for the key of a program that decides by itself: it cannot change settings, every change needs an
   * idempotency key, and above the organization's limits a person has to approve what moves money.
   */
  agent?: boolean;
};

/** A key for servers. */
export type CreateServerKey = {
  /** A name for people, such as where the key is used. */
  name: Name;
  /** `service` and `secret` keys are for servers; a `public` key may be part of a web page. */
  kind: 'service' | 'secret';
  scopes: Scopes;
  /**
   * `true` for the key of a program that decides by itself: it cannot change settings, every change needs an
   * idempotency key, and above the organization's limits a person has to approve what moves money.
   */
  agent?: boolean;
};

/** A key that may be part of a web page. It has no scopes. */
export type CreatePublicKey = {
  /** A name for people, such as where the key is used. */
  name: Name;
  /** `service` and `secret` keys are for servers; a `public` key may be part of a web page. */
  kind: 'public';
  /** What the key may do: at most what its creator may. */
  scopes?: readonly Scope[];
};

export type CreateKeyOfKind = CreateServerKey | CreatePublicKey;

/** A payment method that is not saved here. */
export type NewPaymentMethod = {
  /** The payment method, such as `card`. */
  type: Method;
  /** The provider's token: a text, or the fields of an object. Not a card number. */
  token?: Token;
  tokens?: Tokens;
  /** The customer's phone number, for mobile money. */
  phone?: string;
  /** The mobile network, for mobile money. */
  network?: string;
  /** The customer's bank, for bank methods. */
  bank?: string;
  return_url?: ReturnUrl;
};

/** A payment method that is saved here. */
export type SavedPaymentMethodChoice = {
  /**
   * A saved payment method, `pm_…`, in place of `type` and `token`. Beside it there may be `return_url`, and
   * `tokens` of the same card at further providers.
   */
  id: string;
  /** The payment method, such as `card`. */
  type?: Method;
  tokens?: Tokens;
  return_url?: ReturnUrl;
};

/** Send the customer to `url`. */
export type RedirectNextAction = {
  /** What kind it is. */
  type: 'redirect';
  /** A web address. */
  url: string;
  /** How the browser goes there. */
  method: 'GET' | 'POST';
  /** The form fields of a `POST`. */
  fields?: { [name: string]: string };
};

/** Ask the customer for `field`, and send it as `input` to `confirm`. */
export type CollectNextAction = {
  /** What kind it is. */
  type: 'collect';
  /** What to ask the customer for; send it as `input` to `confirm`. */
  field: 'otp' | 'pin' | 'phone' | 'birthday' | 'address';
};

/** Show the other fields to the customer, such as an account number or a code. */
export type DisplayNextAction = {
  /** What kind it is. */
  type: 'display';
  [name: string]: unknown;
};

/** Wait: the customer confirms the payment elsewhere, such as on a phone. */
export type AwaitNextAction = {
  /** What kind it is. */
  type: 'await';
};

/** Continue with the provider's own library in the customer's browser. */
export type SdkNextAction = {
  /** What kind it is. */
  type: 'sdk';
  /** Whose library to use. */
  provider: Provider;
  /** What that library needs. */
  data: { [name: string]: string };
};

/** The payment was created. */
export type CreatedTimelineEntry = {
  /** What happened. */
  kind: 'created';
  /** When it happened. */
  at: string;
  /** What happened, in one English sentence. */
  text: string;
  /** How the payment came to be. */
  origin: 'api' | 'payment_link' | 'invoice';
  /** The payment link or invoice that it is for. Null without one. */
  origin_id: string | null;
  amount: MinorUnits;
  currency: CurrencyCode;
  /** Who asked for it, or created the payment. Null if an earlier release did not note it. */
  by: TimelineCause | null;
};

/** The fraud policy was asked. */
export type FraudCheckedTimelineEntry = {
  /** What happened. */
  kind: 'fraud_checked';
  /** When it happened. */
  at: string;
  /** What happened, in one English sentence. */
  text: string;
  /** `passed`, `flagged` or `blocked`. */
  decision: string;
  /** Which rules of the fraud policy applied. */
  reasons: readonly string[];
};

/** The connections were put in order. */
export type RoutedTimelineEntry = {
  /** What happened. */
  kind: 'routed';
  /** When it happened. */
  at: string;
  /** What happened, in one English sentence. */
  text: string;
  /** What decided: an A/B test, a routing rule or default routing. */
  source: 'ab_test' | 'rule' | 'default';
  /** The rule that applied. Null or missing if none did. */
  rule_id: string | null;
  /** The A/B test that took part. Null or missing if none did. */
  ab_test_id: string | null;
  /** The variant of the A/B test. Null or missing without a test. */
  variant: string | null;
  /** The connections in their order. */
  considered: readonly ConsideredConnection[];
  /** Why the remaining connections were not tried. Null if they were, or there were none. */
  stopped: string | null;
};

/** A connection was tried. */
export type AttemptTimelineEntry = {
  /** What happened. */
  kind: 'attempt';
  /** When it happened. */
  at: string;
  /** What happened, in one English sentence. */
  text: string;
  /** The attempt that made the charge. */
  attempt_id: string;
  /** Counts the attempts from 1. */
  number: number;
  /** The connection that was tried. */
  connection_id: string;
  provider: Provider;
  /** How it stands. */
  status: string;
  /** Why it failed. Null unless it failed. */
  failure: {
    /** What happened. */
    code: string;
    /** What kind of failure it is. */
    category: string;
    /** One sentence for people. */
    message: string;
    /** The provider's own code. Null if it gave none. */
    provider_code: string | null;
  } | null;
  /** How long the provider took, in milliseconds. Null if that is unknown. */
  latency_ms: number | null;
  /** The provider's own id of it. Null until the provider has given one. */
  psp_reference: string | null;
  /** Whether the provider has decided. While it has not, it is polled. */
  is_known: boolean;
  /** It succeeded after the payment had failed or was canceled. */
  is_late: boolean;
  /** The A/B test that chose the connection. Null if none did. */
  ab_test: {
    /** The id of the test. */
    test_id: string;
    /** The name of the variant. */
    variant: string;
  } | null;
};

/** A timer asks the provider for the outcome. */
export type PolledTimelineEntry = {
  /** What happened. */
  kind: 'polled';
  /** When it happened. */
  at: string;
  /** What happened, in one English sentence. */
  text: string;
  /** The attempt that made the charge. */
  attempt_id: string;
  provider: Provider;
  /** How often a timer has asked. Null if nobody counted. */
  polls: number | null;
};

/** A person should look at the payment. */
export type ReviewTimelineEntry = {
  /** What happened. */
  kind: 'review';
  /** When it happened. */
  at: string;
  /** What happened, in one English sentence. */
  text: string;
  /** Why. Null if no reason was given. */
  reason: string;
};

/** A capture. */
export type CaptureTimelineEntry = {
  /** What happened. */
  kind: 'capture';
  /** When it happened. */
  at: string;
  /** What happened, in one English sentence. */
  text: string;
  /** The id of the capture. */
  capture_id: string;
  /** The attempt that made the charge. */
  attempt_id: string;
  amount: MinorUnits;
  currency: CurrencyCode;
  /** How it stands. */
  status: 'pending' | 'succeeded' | 'failed';
  /** Why it failed. Null unless it failed. */
  failure: {
    /** What happened. */
    code: string;
    /** What kind of failure it is. */
    category: string;
    /** One sentence for people. */
    message: string;
    /** The provider's own code. Null if it gave none. */
    provider_code: string | null;
  } | null;
  /** Whether the rest of the authorization is released with it. */
  final: boolean;
  /** The provider's own id of it. Null until the provider has given one. */
  psp_reference: string | null;
};

/** An authorization is given back. */
export type ReleaseTimelineEntry = {
  /** What happened. */
  kind: 'release';
  /** When it happened. */
  at: string;
  /** What happened, in one English sentence. */
  text: string;
  /** The attempt that made the charge. */
  attempt_id: string;
  /** Why. Null if no reason was given. */
  reason: string;
  /** Whether the provider has released it. */
  is_done: boolean;
};

/** A refund. */
export type RefundTimelineEntry = {
  /** What happened. */
  kind: 'refund';
  /** When it happened. */
  at: string;
  /** What happened, in one English sentence. */
  text: string;
  /** The id of the refund. */
  refund_id: string;
  /** The attempt that made the charge. */
  attempt_id: string;
  amount: MinorUnits;
  currency: CurrencyCode;
  /** How it stands. */
  status: 'pending' | 'succeeded' | 'failed';
  /** Why. Null if no reason was given. */
  reason: string | null;
  /** Why it failed. Null unless it failed. */
  failure: {
    /** What happened. */
    code: string;
    /** What kind of failure it is. */
    category: string;
    /** One sentence for people. */
    message: string;
    /** The provider's own code. Null if it gave none. */
    provider_code: string | null;
  } | null;
  /** Whether this service made the refund by itself. */
  is_automatic: boolean;
  /** The provider's own id of it. Null until the provider has given one. */
  psp_reference: string | null;
};

/** The customer disputes the payment. */
export type DisputeTimelineEntry = {
  /** What happened. */
  kind: 'dispute';
  /** When it happened. */
  at: string;
  /** What happened, in one English sentence. */
  text: string;
  /** The dispute that the event is about. Null if it is about the payment itself. */
  dispute_id: string;
  /** How it stands. */
  status: string;
  /** Why. Null if no reason was given. */
  reason: string;
  amount: MinorUnits;
  currency: CurrencyCode;
  /** Until when it can be answered. Null if that is unknown. */
  respond_by: string | null;
};

/** The dispute was answered. */
export type DisputeAnswerTimelineEntry = {
  /** What happened. */
  kind: 'dispute_answer';
  /** When it happened. */
  at: string;
  /** What happened, in one English sentence. */
  text: string;
  /** The dispute that the event is about. Null if it is about the payment itself. */
  dispute_id: string;
  /** Accepted, or contested with evidence. */
  answer: 'accept' | 'evidence';
  /** Who asked for it, or created the payment. Null if an earlier release did not note it. */
  by: {
    /** Who it was. */
    type: 'user' | 'api_key' | 'workflow_run';
    /** The id of the user, the API key or the run. */
    id: string;
  };
};

/** The dispute was decided. */
export type DisputeClosedTimelineEntry = {
  /** What happened. */
  kind: 'dispute_closed';
  /** When it happened. */
  at: string;
  /** What happened, in one English sentence. */
  text: string;
  /** The dispute that the event is about. Null if it is about the payment itself. */
  dispute_id: string;
  /** How it stands. */
  status: string;
};

/** Somebody requested something. */
export type ActionTimelineEntry = {
  /** What happened. */
  kind: 'action';
  /** When it happened. */
  at: string;
  /** What happened, in one English sentence. */
  text: string;
  /** What was requested. */
  action: 'capture' | 'cancel' | 'end_review' | 'refund' | 'retry';
  /** Who asked for it, or created the payment. Null if an earlier release did not note it. */
  by: {
    /** Who it was. */
    type: 'user' | 'api_key' | 'workflow_run';
    /** The id of the user, the API key or the run. */
    id: string;
  };
  /** The refund, capture or attempt that it made. Null if it made none. */
  resource_id: string | null;
};

/** The receipt of the customer. */
export type ReceiptTimelineEntry = {
  /** What happened. */
  kind: 'receipt';
  /** When it happened. */
  at: string;
  /** What happened, in one English sentence. */
  text: string;
  /** Whether the receipt was sent. */
  is_sent: boolean;
};

/** An event, and how its delivery went. */
export type EventTimelineEntry = {
  /** What happened. */
  kind: 'event';
  /** When it happened. */
  at: string;
  /** What happened, in one English sentence. */
  text: string;
  /** The event that announced it, or started the run. */
  event_id: string;
  type: EventType;
  /** How it stands. */
  status: 'pending' | 'delivered' | 'failed' | 'skipped';
  /** The attempts to deliver the event, oldest first. */
  deliveries: readonly {
    /** When it happened. */
    at: string;
    /** The HTTP status of your endpoint. Null without a response. */
    status_code: number | null;
    /** How long it took, in milliseconds. */
    duration_ms: number;
    /** What went wrong. Null if nothing did. */
    error: string | null;
  }[];
  /** When the next attempt is due. Null: none is. */
  next_attempt_at: string | null;
  /** The request whose work made the event, as the logs name it. Null if that was not recorded. */
  request_id: string | null;
  /**
   * What the event follows from. Null for what a read found out, and for events of earlier releases, which did not
   * note it.
   */
  cause: TimelineCause | null;
  /** The dispute that the event is about. Null if it is about the payment itself. */
  dispute_id: string | null;
};

/** A callback of the provider that changed the payment. */
export type CallbackTimelineEntry = {
  /** What happened. */
  kind: 'callback';
  /** When it happened. */
  at: string;
  /** What happened, in one English sentence. */
  text: string;
  provider: Provider;
  /** The event that announced it, or started the run. */
  event_id: string;
  type: EventType;
  /** The request whose work made the event, as the logs name it. Null if that was not recorded. */
  request_id: string | null;
};

/** A workflow that ran for an event of the payment. */
export type WorkflowRunTimelineEntry = {
  /** What happened. */
  kind: 'workflow_run';
  /** When it happened. */
  at: string;
  /** What happened, in one English sentence. */
  text: string;
  /** The id of the workflow execution. */
  execution_id: string;
  /** The id of the workflow template. */
  template_id: string;
  /** The event that announced it, or started the run. */
  event_id: string;
  /** How it stands. */
  status: ExecutionStatus;
  /** Its steps, in the order in which they ran. */
  steps: readonly {
    /** The id of the step in its template. */
    id: string;
    /** What the step does. */
    type: string;
    /** How the step stands. */
    status: StepStatus;
    /** When it began. */
    started_at: string;
    /** When it ended. Null while it runs. */
    ended_at: string | null;
  }[];
  /** When it goes on. Null: it does not wait. */
  next_step_at: string | null;
  /** Why it failed. Null if it did not. */
  error: string | null;
};

/** Only a `running` test takes payments. `completed` is final. */
export type AbTestState = 'draft' | 'running' | 'paused' | 'completed';

/** In minor units of the currency: JPY 0, USD 2, KWD 3 decimals. */
export type Amount = number;

/** `service` and `secret` keys are for servers; a `public` key may be part of a web page. */
export type ApiKeyKind = 'service' | 'secret' | 'public';

/** The check of the address. `code` is the network's letter. */
export type Avs = {
  /** The network's letter. */
  code?: string;
  /** Whether the street address is that of the card. */
  address?: 'match' | 'mismatch' | 'unchecked';
  /** Whether the postal code is that of the card. */
  postal_code?: 'match' | 'mismatch' | 'unchecked';
};

/** `manual`: the amount is only authorized, and captured by `POST /v1/payments/{id}/capture`. Default: `automatic`. */
export type CaptureMode = 'automatic' | 'manual';

/** What people see of the card. Never a card number. */
export type CardInput = {
  /** The brand of the card, such as `visa`. */
  brand?: string;
  /** The last four digits. */
  last4?: string;
  /** The month in which it expires, 1 to 12. */
  exp_month?: number;
  /** The year in which it expires, with four digits. */
  exp_year?: number;
  /** How the card is funded. */
  funding?: 'credit' | 'debit' | 'prepaid';
  /** The country of the issuer of the card (ISO 3166-1 alpha-2). */
  issuer_country?: Country;
};

/** By field. For credentials it only shows that they changed. */
export type Changes = { [name: string]: {
    /** The value before. Null if there was none. */
    from: unknown;
    /** The value after. Null if there is none. */
    to: unknown;
  } };

/** The event type that starts it. */
export type ConditionTrigger =
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

/** A connection that routing looked at. */
export type ConsideredConnection = {
  /** The connection. */
  connection_id: string;
  /** Whether it could take the payment. */
  usable: boolean;
  /** Why it could not. Null if it could. */
  reason: string | null;
};

/** Where this page is in the list. */
export type CountedPagination = {
  /** The most objects that the page may have. */
  limit: number;
  /** How many objects were skipped. */
  offset: number;
  /** Send it as `cursor` for the next page. Null on the last page. */
  next_cursor: string | null;
  /** How many objects there are in all. */
  total: number;
};

/** A country of ISO 3166-1 alpha-2: one of `CountryCode`, in any case. */
export type Country = string;

/** What `next_action` asked for, by field. */
export type CustomerInput = { [name: string]: string | number | boolean };

/** A currency of ISO 4217: one of `CurrencyCode`, in any case. */
export type Currency = string;

/** What the shop answered through this service, and which user or key did so. Null until then. */
export type DisputeAnswer = {
  /** Accepted, or contested with evidence. */
  type: 'accept' | 'evidence';
  /** Which fields of evidence were sent. */
  fields: readonly string[];
  /** When it was answered. */
  at: string;
  /** Who answered: a user, an API key or `system`. */
  by: string;
} | null;

/** A dispute counts on the day (UTC) that we heard of it, with what became of it since. */
export type DisputeCounts = {
  /** How many disputes there are. */
  total: number;
  /** How many disputes have each status. */
  by_status: {
    /** Disputes that are `warning`. */
    warning: number;
    /** Disputes that are `needs_response`. */
    needs_response: number;
    /** Disputes that are `under_review`. */
    under_review: number;
    /** Disputes that are `won`. */
    won: number;
    /** Disputes that are `lost`. */
    lost: number;
    /** Disputes that are `accepted`. */
    accepted: number;
    /** Disputes that are `expired`. */
    expired: number;
  };
};

/** Why the customer disputes, in words of this API. */
export type DisputeReason =
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

/** How the dispute stands. */
export type DisputeStatus = 'warning' | 'needs_response' | 'under_review' | 'won' | 'lost' | 'accepted' | 'expired';

/** An event type, or `*` for all. */
export type EventSelection =
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
  | '*';

/** The type of the event. */
export type EventType =
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

/**
 * `waiting`: for a delay, or for the retry of a step. `refused`: the execution never ran, because the plan's limit
 * for the month was reached or a resource was deleted; see `error`.
 */
export type ExecutionStatus = 'pending' | 'running' | 'waiting' | 'succeeded' | 'failed' | 'canceled' | 'refused';

/** How many payments failed for one reason. */
export type FailureReason = {
  /** `code` of the failure. Null: it was not recorded. */
  code: string | null;
  /** `category` of the failure. Null: it was not recorded. */
  category: string | null;
  /** How many payments failed so. */
  count: number;
};

/** For `http`: sent with each request. Names are stored in lower case. Values are secrets and never shown. */
export type IntegrationHeaders = { [name: string]: string };

/**
 * For `http`: where requests go, an https URL on port 443 or 8443 with a public address, and not this API. It is
 * shown to clients, so put secrets into headers. For `slack`: the address of an incoming webhook, of Slack or a
 * compatible service. It is a secret, and shown without its path.
 */
export type IntegrationUrl = string;

/** How long a period is. */
export type Interval = 'daily' | 'weekly' | 'monthly' | 'quarterly' | 'yearly';

/** How the invoice stands. */
export type InvoiceStatus = 'open' | 'paid' | 'failed' | 'canceled';

/**
 * A payment method. Providers offer these, each some of them: `alipay`, `bancontact`, `bank`, `bank_transfer`,
 * `belfius`, `bizum`, `blik`, `card`, `eft`, `eps`, `ideal`, `kbc`, `klarna`, `knet`, `mbway`, `mobile_money`,
 * `mobilepay`, `multibanco`, `mybank`, `netbanking`, `p24`, `paypal`, `paysafecard`, `qr`, `satispay`,
 * `sepa_debit`, `swish`, `trustly`, `twint`, `upi`, `ussd`, `vipps`, `wallet`.
 */
export type Method = string;

/** `sandbox` moves no money, `live` moves real money. */
export type Mode = 'sandbox' | 'live';

/** A name for people. */
export type Name = string;

/** Whether the account has the organization's legal name. `unknown` where the provider does not tell. */
export type NameMatchStatus = 'unknown' | 'match' | 'mismatch';

/** The id of the next step. Default: the next step in the list. `null`: the execution ends here. */
export type NextStep = StepId | null;

/**
 * What happens after the last failed attempt. `stop` (the default): the execution fails. `continue`: the execution
 * continues with the next step.
 */
export type OnError = 'stop' | 'continue';

/** Where this page is in the list. */
export type Pagination = {
  /** The most objects that the page may have. */
  limit: number;
  /** How many objects were skipped. */
  offset: number;
  /** Send it as `cursor` for the next page. Null on the last page. */
  next_cursor: string | null;
  /** Whether there is another page. */
  has_more: boolean;
};

/** How many payments have each status. */
export type PaymentCounts = {
  /** Payments that are `created`. */
  created: number;
  /** Payments that are `processing`. */
  processing: number;
  /** Payments that are `requires_action`. */
  requires_action: number;
  /** Payments that are `authorized`. */
  authorized: number;
  /** Payments that are `succeeded`. */
  succeeded: number;
  /** Payments that are `failed`. */
  failed: number;
  /** Payments that are `canceled`. */
  canceled: number;
  /** Payments that are `refunded`. */
  refunded: number;
};

/** `completed`: it has reached `max_payments`. Only an `active` link takes new payments. */
export type PaymentLinkStatus = 'active' | 'completed' | 'expired' | 'inactive';

/** How the payment stands. */
export type PaymentStatus =
  | 'created'
  | 'processing'
  | 'requires_action'
  | 'authorized'
  | 'succeeded'
  | 'failed'
  | 'canceled'
  | 'refunded';

/** The payment service provider. */
export type Provider =
  | 'adyen'
  | 'checkout'
  | 'flutterwave'
  | 'mollie'
  | 'paypal'
  | 'paystack'
  | 'razorpay'
  | 'stripe';

/** The sums of one currency. */
export type ProviderMoney = {
  currency: CurrencyCode;
  /** The sum of what succeeded payments took, in minor units. Later refunds are not taken off. */
  volume: number;
  /** What refunds have given back, in the currency's minor unit. */
  refunded_amount: number;
  /** The sum of all disputes, however they ended. */
  disputed_amount: number;
  /** Of the disputes that are lost, accepted or expired. */
  dispute_lost_amount: number;
};

/**
 * For `email`: one address or several. Until identity verification is approved, these must be addresses of members
 * who have signed in.
 */
export type Recipients = string | readonly string[];

/** Before `from`. */
export type RecurringRevenue = {
  /** Subscriptions that are active. */
  active: number;
  /**
   * Monthly recurring revenue in minor units: a twelfth of what active subscriptions are charged in a year (365
   * days, 52 weeks, 12 months, 4 quarters or 1 year of their interval), before fees and taxes.
   */
  mrr: number;
};

/**
 * Where the customer goes after the payment. It stays as it is, byte for byte; `payment_id` and `status` are added
 * at the end of its query, before a fragment. If it has a parameter of one of these names, that appears twice, and
 * ours is the last. Without a URL, a page of ours says how the payment ended, and a customer whose payment failed
 * can try again there for a day.
 */
export type ReturnUrl = string;

/** How the connection was chosen. Null before the first attempt. */
export type Routing = {
  /** What decided: an A/B test, a routing rule or default routing. */
  source: 'ab_test' | 'rule' | 'default';
  /** The rule that applied. Null or missing if none did. */
  rule_id?: string;
  /** The A/B test that took part. Null or missing if none did. */
  ab_test_id?: string;
  /** The variant of the A/B test. Null or missing without a test. */
  variant?: string;
  /** The connections in their order. */
  considered: readonly ConsideredConnection[];
  /** Why the remaining connections were not tried. */
  stopped?: 'retry_budget_exhausted';
} | null;

/** What has to be true for a rule or a test. */
export type RuleCondition = {
  /** What is compared. */
  condition: 'enabled' | 'country' | 'method' | 'currency';
  /** Whether it is true. */
  holds: boolean;
  /** One of these. Empty: anything. */
  wanted: readonly string[];
  /** What the payment has. Null if it has none. */
  seen: string | null;
};

/** What a key or a role may do. */
export type Scope =
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
  | 'workflows:write';

/** What the key may do: at most what its creator may. */
export type Scopes = readonly Scope[];

/**
 * `running`: the step is running, waits for a retry, or is a delay that has not ended. `canceled`: a delay during
 * which the execution was canceled. `failed` with `outcome_unknown`: the step was running when the execution ended,
 * and may have moved money. The outcome replaces this status once it is known.
 */
export type StepStatus = 'running' | 'succeeded' | 'failed' | 'canceled';

/**
 * The execution starts with the first step. Each step leads to the next one in the list unless `next` names
 * another. Loops are not allowed, and every step must be reachable. An expression may only refer to outputs of
 * steps that can run before it, and to fields that `event`, `execution` and `data` can have. While a rule or a
 * connection uses the template, each step must also be able to succeed for at least one of their events.
 */
export type Steps = readonly WorkflowStep[];

/** Your own data, as you sent it. */
export type StoredMetadata = { [name: string]: string | number | boolean };

/** The provider's token. */
export type Token = string | { [name: string]: string };

/** Tokens by provider, so that a payment can fail over to another one. */
export type Tokens = { [name in Provider]?: Token };

/** Cannot be changed once the test has been started. */
export type Variants = readonly {
  /** A name that no other variant has. */
  name: string;
  /** Its connection gets the payments. The rule may be disabled, because it is not matched again. */
  routing_rule_id: string;
  /** The variant's share is its weight divided by the sum of all weights. */
  weight: number;
}[];

/** When it was created. */
export type CreatedAt = string;

/** In the currency's minor unit, such as cents. */
export type MinorUnits = number;

/** What the customer's statement shows, cut to what the provider takes. Some show it only after the account's name. */
export type StatementDescriptor = string;

/** Shown after the account's own name. */
export type StatementDescriptorSuffix = string;

/** When it was last changed. */
export type UpdatedAt = string;

/** A currency of ISO 4217. */
export type CurrencyCode =
  | 'AED'
  | 'AFN'
  | 'ALL'
  | 'AMD'
  | 'AOA'
  | 'ARS'
  | 'AUD'
  | 'AWG'
  | 'AZN'
  | 'BAM'
  | 'BBD'
  | 'BDT'
  | 'BHD'
  | 'BIF'
  | 'BMD'
  | 'BND'
  | 'BOB'
  | 'BOV'
  | 'BRL'
  | 'BSD'
  | 'BTN'
  | 'BWP'
  | 'BYN'
  | 'BZD'
  | 'CAD'
  | 'CDF'
  | 'CHE'
  | 'CHF'
  | 'CHW'
  | 'CLF'
  | 'CLP'
  | 'CNY'
  | 'COP'
  | 'COU'
  | 'CRC'
  | 'CUP'
  | 'CVE'
  | 'CZK'
  | 'DJF'
  | 'DKK'
  | 'DOP'
  | 'DZD'
  | 'EGP'
  | 'ERN'
  | 'ETB'
  | 'EUR'
  | 'FJD'
  | 'FKP'
  | 'GBP'
  | 'GEL'
  | 'GHS'
  | 'GIP'
  | 'GMD'
  | 'GNF'
  | 'GTQ'
  | 'GYD'
  | 'HKD'
  | 'HNL'
  | 'HTG'
  | 'HUF'
  | 'IDR'
  | 'ILS'
  | 'INR'
  | 'IQD'
  | 'IRR'
  | 'ISK'
  | 'JMD'
  | 'JOD'
  | 'JPY'
  | 'KES'
  | 'KGS'
  | 'KHR'
  | 'KMF'
  | 'KPW'
  | 'KRW'
  | 'KWD'
  | 'KYD'
  | 'KZT'
  | 'LAK'
  | 'LBP'
  | 'LKR'
  | 'LRD'
  | 'LSL'
  | 'LYD'
  | 'MAD'
  | 'MDL'
  | 'MGA'
  | 'MKD'
  | 'MMK'
  | 'MNT'
  | 'MOP'
  | 'MRU'
  | 'MUR'
  | 'MVR'
  | 'MWK'
  | 'MXN'
  | 'MXV'
  | 'MYR'
  | 'MZN'
  | 'NAD'
  | 'NGN'
  | 'NIO'
  | 'NOK'
  | 'NPR'
  | 'NZD'
  | 'OMR'
  | 'PAB'
  | 'PEN'
  | 'PGK'
  | 'PHP'
  | 'PKR'
  | 'PLN'
  | 'PYG'
  | 'QAR'
  | 'RON'
  | 'RSD'
  | 'RUB'
  | 'RWF'
  | 'SAR'
  | 'SBD'
  | 'SCR'
  | 'SDG'
  | 'SEK'
  | 'SGD'
  | 'SHP'
  | 'SLE'
  | 'SOS'
  | 'SRD'
  | 'SSP'
  | 'STN'
  | 'SVC'
  | 'SYP'
  | 'SZL'
  | 'THB'
  | 'TJS'
  | 'TMT'
  | 'TND'
  | 'TOP'
  | 'TRY'
  | 'TTD'
  | 'TWD'
  | 'TZS'
  | 'UAH'
  | 'UGX'
  | 'USD'
  | 'USN'
  | 'UYI'
  | 'UYU'
  | 'UYW'
  | 'UZS'
  | 'VED'
  | 'VES'
  | 'VND'
  | 'VUV'
  | 'WST'
  | 'XAD'
  | 'XAF'
  | 'XCD'
  | 'XCG'
  | 'XOF'
  | 'XPF'
  | 'YER'
  | 'ZAR'
  | 'ZMW'
  | 'ZWG';

/** A country of ISO 3166-1 alpha-2. */
export type CountryCode =
  | 'AD'
  | 'AE'
  | 'AF'
  | 'AG'
  | 'AI'
  | 'AL'
  | 'AM'
  | 'AO'
  | 'AQ'
  | 'AR'
  | 'AS'
  | 'AT'
  | 'AU'
  | 'AW'
  | 'AX'
  | 'AZ'
  | 'BA'
  | 'BB'
  | 'BD'
  | 'BE'
  | 'BF'
  | 'BG'
  | 'BH'
  | 'BI'
  | 'BJ'
  | 'BL'
  | 'BM'
  | 'BN'
  | 'BO'
  | 'BQ'
  | 'BR'
  | 'BS'
  | 'BT'
  | 'BV'
  | 'BW'
  | 'BY'
  | 'BZ'
  | 'CA'
  | 'CC'
  | 'CD'
  | 'CF'
  | 'CG'
  | 'CH'
  | 'CI'
  | 'CK'
  | 'CL'
  | 'CM'
  | 'CN'
  | 'CO'
  | 'CR'
  | 'CU'
  | 'CV'
  | 'CW'
  | 'CX'
  | 'CY'
  | 'CZ'
  | 'DE'
  | 'DJ'
  | 'DK'
  | 'DM'
  | 'DO'
  | 'DZ'
  | 'EC'
  | 'EE'
  | 'EG'
  | 'EH'
  | 'ER'
  | 'ES'
  | 'ET'
  | 'FI'
  | 'FJ'
  | 'FK'
  | 'FM'
  | 'FO'
  | 'FR'
  | 'GA'
  | 'GB'
  | 'GD'
  | 'GE'
  | 'GF'
  | 'GG'
  | 'GH'
  | 'GI'
  | 'GL'
  | 'GM'
  | 'GN'
  | 'GP'
  | 'GQ'
  | 'GR'
  | 'GS'
  | 'GT'
  | 'GU'
  | 'GW'
  | 'GY'
  | 'HK'
  | 'HM'
  | 'HN'
  | 'HR'
  | 'HT'
  | 'HU'
  | 'ID'
  | 'IE'
  | 'IL'
  | 'IM'
  | 'IN'
  | 'IO'
  | 'IQ'
  | 'IR'
  | 'IS'
  | 'IT'
  | 'JE'
  | 'JM'
  | 'JO'
  | 'JP'
  | 'KE'
  | 'KG'
  | 'KH'
  | 'KI'
  | 'KM'
  | 'KN'
  | 'KP'
  | 'KR'
  | 'KW'
  | 'KY'
  | 'KZ'
  | 'LA'
  | 'LB'
  | 'LC'
  | 'LI'
  | 'LK'
  | 'LR'
  | 'LS'
  | 'LT'
  | 'LU'
  | 'LV'
  | 'LY'
  | 'MA'
  | 'MC'
  | 'MD'
  | 'ME'
  | 'MF'
  | 'MG'
  | 'MH'
  | 'MK'
  | 'ML'
  | 'MM'
  | 'MN'
  | 'MO'
  | 'MP'
  | 'MQ'
  | 'MR'
  | 'MS'
  | 'MT'
  | 'MU'
  | 'MV'
  | 'MW'
  | 'MX'
  | 'MY'
  | 'MZ'
  | 'NA'
  | 'NC'
  | 'NE'
  | 'NF'
  | 'NG'
  | 'NI'
  | 'NL'
  | 'NO'
  | 'NP'
  | 'NR'
  | 'NU'
  | 'NZ'
  | 'OM'
  | 'PA'
  | 'PE'
  | 'PF'
  | 'PG'
  | 'PH'
  | 'PK'
  | 'PL'
  | 'PM'
  | 'PN'
  | 'PR'
  | 'PS'
  | 'PT'
  | 'PW'
  | 'PY'
  | 'QA'
  | 'RE'
  | 'RO'
  | 'RS'
  | 'RU'
  | 'RW'
  | 'SA'
  | 'SB'
  | 'SC'
  | 'SD'
  | 'SE'
  | 'SG'
  | 'SH'
  | 'SI'
  | 'SJ'
  | 'SK'
  | 'SL'
  | 'SM'
  | 'SN'
  | 'SO'
  | 'SR'
  | 'SS'
  | 'ST'
  | 'SV'
  | 'SX'
  | 'SY'
  | 'SZ'
  | 'TC'
  | 'TD'
  | 'TF'
  | 'TG'
  | 'TH'
  | 'TJ'
  | 'TK'
  | 'TL'
  | 'TM'
  | 'TN'
  | 'TO'
  | 'TR'
  | 'TT'
  | 'TV'
  | 'TW'
  | 'TZ'
  | 'UA'
  | 'UG'
  | 'UM'
  | 'US'
  | 'UY'
  | 'UZ'
  | 'VA'
  | 'VC'
  | 'VE'
  | 'VG'
  | 'VI'
  | 'VN'
  | 'VU'
  | 'WF'
  | 'WS'
  | 'YE'
  | 'YT'
  | 'ZA'
  | 'ZM'
  | 'ZW';
