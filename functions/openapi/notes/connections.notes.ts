import type { Notes } from '#functions/openapi/word-book.ts';
import { MAX_CONNECTION_METHODS, MAX_LABELS } from '#shared/domain/routing/connection.model.ts';

export const CONNECTIONS_NOTES = {
  Capabilities: {
    this: 'What a connection can do.',
    manual_capture: 'It can authorize without capturing (`capture: manual`).',
    partial_capture: 'Less than the authorized amount can be captured.',
    multi_capture: 'An authorization can be captured several times.',
  },
  CapabilitiesInput: {
    this:
      'Fields that are not sent default to what the provider usually supports. Refunds and cancels that the ' +
      'connection does not support are rejected. The captures that a provider cannot make stay `false`.',
    manual_capture: 'It can authorize without capturing (`capture: manual`).',
    partial_capture: 'Less than the authorized amount can be captured.',
    multi_capture: 'An authorization can be captured several times.',
  },
  ConnectionAudit: {
    this: 'A change of a connection.',
    action: 'What was done.',
    metadata: 'Details of the change.',
    created_at: 'When it was done.',
    id: 'Numbers the changes of this connection from 1.',
    actor_id: 'The `X-Actor-Id` header, or the credential if it was not sent.',
    actor_claimed: 'Whether `actor_id` is what a caller with an API key claims in `X-Actor-Id`. It was not verified.',
    'metadata.changes': 'By field. For credentials it only shows that they changed.',
    'metadata.credential_id': 'Null for a scheduled change; `actor_id` is then `system`.',
  },
  FeeStructure: {
    this: '`percentage` in percent, `fixed` in minor units. The most specific fee applies.',
    percentage: 'In percent of the amount.',
    fixed: "In the currency's minor unit, for each payment.",
    per_method: `By method; at most ${MAX_CONNECTION_METHODS}.`,
    per_currency: 'By currency of ISO 4217, in any case; returned in upper case.',
  },
  'GET /v1/connections/{id}/audit': {
    response:
      'Newest first. With large entries a page may hold fewer than `limit`: there are more pages as long as there ' +
      'is a `Link` header.',
  },
  RoutingHintsInput: {
    this: 'What routing prefers.',
    country_preference: 'Countries whose payments it gets first.',
    fallback_only: 'Whether it is tried only when no other connection can take the payment.',
    'method_bias{}': 'From -1 (avoid) to 1 (prefer).',
    method_bias: `By method; at most ${MAX_CONNECTION_METHODS}.`,
  },
  SaveConnection: {
    this:
      'An upsert by `id`: fields that are not sent stay unchanged. `provider` and `credentials` are required for a ' +
      'new connection; `provider` and `mode` never change.',
    id: 'The id of the connection: 1 to 64 letters, digits, `-` or `_`. A new one gets an id if none is sent.',
    provider: 'The payment service provider.',
    mode: 'Whether the credentials are for test or for real money.',
    status: 'Only an `active` connection takes payments.',
    capabilities: 'What the connection can do.',
    routing_hints: 'What routing prefers.',
    workflow_id: 'The workflow template that runs for its payments. `null`: none.',
    fee_structure: 'What the provider charges, to route by cost. `null`: unknown.',
  },
  ValidatedConnection: {
    this: 'The connection after the check.',
  },
  'Connection, ValidatedConnection': {
    status: 'Only an `active` connection takes payments.',
    capabilities: 'What the connection can do.',
    routing_hints: 'What routing prefers.',
    'routing_hints.country_preference': 'Countries whose payments it gets first.',
    'routing_hints.method_bias': 'By payment method, from -1 (avoid) to 1 (prefer).',
    'routing_hints.fallback_only': 'Whether it is tried only when no other connection can take the payment.',
    labels: 'Words of your own, to find it by.',
    workflow_id: 'The workflow template that runs for its payments. Null: none.',
    fee_structure: 'What the provider charges, to route by cost. Null: unknown.',
    total_calls: 'How many calls the provider got.',
    successful_calls: 'How many calls the provider answered.',
    failed_calls: 'How many calls failed for technical reasons. Declines are no failures.',
    total_latency_ms: 'The time of all calls together, in milliseconds.',
    last_success_at: 'When a call last succeeded. Null: never.',
    last_failure_at: 'When a call last failed. Null: never.',
    last_foreign_event_at: 'When such an event last came. Null: never.',
    health_status: 'From the calls of the last minutes. Routing avoids a connection that is `down`.',
    last_validated_at: 'When its credentials were last checked. Null: never.',
    last_validation_status: 'What the last check found.',
    last_validation_error: 'Why the last check failed. Null if it did not.',
    validation_failures: 'How many checks in a row have failed.',
    name_match_status:
      "Whether the account has the organization's legal name. `unknown` where the provider does not tell.",
    callback_url:
      'Register this address at the provider for its callbacks, with its query. It may change; callbacks to earlier ' +
      'addresses are still accepted. Events of charges that were not made here are accepted too; the same path ' +
      'without the query rejects them. A provider that is told an address with each payment needs no registration.',
    foreign_events:
      'How many verified events came to `callback_url` about charges of this account that were not made here. They ' +
      'are accepted and change nothing.',
    health_score: '0 to 100, from the calls of the last 20 minutes; null without any.',
  },
  'ConnectionTest, ValidatedConnection': {
    warnings: 'What should be changed in the credentials, such as a webhook secret that is too short.',
  },
  'SaveConnection, SetLabels': {
    labels: `At most ${MAX_LABELS} different labels.`,
  },
  Connection: {
    this: "An organization's own account at a provider.",
  },
  ConnectionList: {
    this: 'Connections, newest first.',
    connections: 'The connections of this page.',
  },
  ConnectionTest: {
    this: 'Whether credentials work. Nothing is stored.',
    ok: 'Whether the connection could be used.',
    message: 'The result in one sentence.',
    capabilities: 'What the connection could do.',
    validation: 'What the check found.',
    'validation.credentials': '`unreachable`: the provider did not answer.',
    'validation.account_name': 'The name of the account at the provider. Null where it does not tell.',
    'validation.name_match_status':
      "Whether the account has the organization's legal name. `unknown` where the provider does not tell.",
    'validation.latency_ms': 'How long the provider took, in milliseconds.',
  },
  'Capabilities, CapabilitiesInput': {
    methods: 'The payment methods that it takes.',
    currencies: 'The currencies that it takes (ISO 4217), or `all`.',
    countries: 'The countries of payers that it takes (ISO 3166-1 alpha-2), or `all`.',
    refunds: 'It can refund.',
    partial_refunds: 'It can refund a part.',
    cancel: 'It can cancel a payment that has not succeeded.',
    off_session: 'It can charge a saved payment method without the customer.',
  },
  SetLabels: {
    this: 'Replaces all labels.',
  },
  SetStatus: {
    this: 'Switches the connection on or off.',
    status: 'Only an `active` connection takes payments. Running payments still settle.',
  },
  'GET /v1/connections': {
    label: 'Only connections with this label.',
    provider: 'Only connections at this provider.',
    status: 'Only connections with this status.',
    mode: 'Only connections of this mode.',
  },
  AdyenCredentials: {
    this: 'Credentials of an Adyen account.',
    api_key: 'The API key of a web service user.',
    merchant_account: 'The name of the merchant account.',
    webhook_secret: 'The HMAC key of the standard webhook, in hexadecimal. A list while it is rotated.',
    live_endpoint_url_prefix: "Only for live accounts: the company's part of the host name.",
    client_key: 'The public client key, for the components of Adyen on your page.',
  },
  CheckoutCredentials: {
    this: 'Credentials of a Checkout.com account.',
    secret_key: 'The secret key.',
    processing_channel_id: 'The id of the processing channel.',
    host_prefix: "The account's own part of the API's host name.",
    webhook_secret: 'The signature key of the webhook. A list while it is rotated.',
    default_country: 'The country for hosted pages where a payment has none (ISO 3166-1 alpha-2).',
    statement_city: 'The city on statements. Required for statements of a payment.',
  },
  FlutterwaveCredentials: {
    this: 'Credentials of a Flutterwave account.',
    secret_key: 'The secret key.',
    public_key: 'The public key.',
    webhook_secret: 'The secret hash of the dashboard. A list while it is rotated.',
    encryption_key: 'The encryption key. It is not used.',
  },
  MollieCredentials: {
    this: 'Credentials of a Mollie account.',
    api_key: 'The API key of one website profile.',
    webhook_secret: 'The secret of an endpoint for signed events. A list while it is rotated.',
  },
  PaypalCredentials: {
    this: 'Credentials of a PayPal account.',
    client_id: 'The client id of the REST app.',
    client_secret: 'The secret of the REST app.',
    webhook_secret: 'The id of the webhook. A list while one webhook replaces another.',
    merchant_id: "The merchant's account: events of another one are refused.",
  },
  PaystackCredentials: {
    this: 'Credentials of a Paystack account.',
    secret_key: 'The secret key, which also signs events.',
    public_key: 'The public key.',
    webhook_secret: 'Former secret keys, while the key is rotated.',
  },
  RazorpayCredentials: {
    this: 'Credentials of a Razorpay account.',
    key_id: 'The id of the key.',
    key_secret: 'The secret of that key.',
    webhook_secret: 'The webhook secret. A list while it is rotated.',
    account_id: 'The id of the account: events of another one are refused.',
  },
  StripeCredentials: {
    this: 'Credentials of a Stripe account.',
    secret_key: 'The secret or restricted key.',
    publishable_key: 'The publishable key, for the elements of Stripe on your page.',
    webhook_secret: 'The signing secret of the webhook. A list while it is rotated.',
    account: "The connected account that a platform's key acts for.",
  },
} as const satisfies Notes;
