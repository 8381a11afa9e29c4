import type { FailureCode } from '#shared/domain/payments/declines.catalog.ts';
import type { Provider } from '#shared/domain/routing/connection.model.ts';

/** A token of the simulators. `status`: of the payment that is created with it. */
export type TestToken = { readonly token: string; readonly status: string; readonly outcome: string };

export const COMMON_TOKENS: readonly TestToken[] = [
  { token: 'ok', status: 'succeeded', outcome: 'The payment succeeds.' },
  {
    token: 'needs_3ds',
    status: 'requires_action',
    outcome: 'The customer must authenticate: open `next_action.url`, and choose there.',
  },
  {
    token: 'pending',
    status: 'processing',
    outcome: 'The provider decides later: `POST /psp/complete` of the [control server](/docs/control-server) decides.',
  },
  {
    token: 'decline_insufficient_funds',
    status: 'failed',
    outcome: 'The payment is declined. Any [failure code](#failure-codes) can follow `decline_`.',
  },
];

/** Codes that no token asks for: the service itself, its settings, or time brings them about. */
export const CODES_WITHOUT_TOKEN: readonly FailureCode[] = [
  ...(['fraud_blocked', 'no_route', 'provider_unavailable', 'invalid_configuration'] as const),
  ...(['amount_not_supported', 'method_not_supported', 'currency_not_supported'] as const),
  ...(['retry_budget_exhausted', 'capture_declined', 'authorization_expired', 'expired'] as const),
];

/** What one simulator knows beside these. The first of each kind; docs/providers.md has them all. */
export const PROVIDER_TOKENS: readonly (TestToken & { readonly provider: Provider })[] = [
  {
    provider: 'stripe',
    token: 'pm_card_visa',
    status: 'succeeded',
    outcome: "Stripe's documented test methods work too: this one succeeds.",
  },
  {
    provider: 'stripe',
    token: 'pm_card_authenticationRequired',
    status: 'requires_action',
    outcome: 'The customer must authenticate.',
  },
  {
    provider: 'stripe',
    token: 'pm_card_chargeDeclinedInsufficientFunds',
    status: 'failed',
    outcome: 'Declined for insufficient funds.',
  },
  {
    provider: 'adyen',
    token: 'needs_3ds_form',
    status: 'requires_action',
    outcome: 'The bank wants a form to be posted: `next_action.method` is `POST`.',
  },
  {
    provider: 'adyen',
    token: 'needs_3ds_component',
    status: 'requires_action',
    outcome: "The customer authenticates in Adyen's component on your page: `next_action.type` is `sdk`.",
  },
  {
    provider: 'flutterwave',
    token: 'needs_otp',
    status: 'requires_action',
    outcome: 'The customer gets a code: confirm the payment with `input` `12345`.',
  },
  {
    provider: 'razorpay',
    token: 'needs_otp',
    status: 'requires_action',
    outcome: 'The customer gets a code: confirm the payment with `input` `1234`.',
  },
  {
    provider: 'paystack',
    token: 'needs_pin',
    status: 'requires_action',
    outcome: 'The card needs a PIN and then a code: confirm the payment with each as `input`.',
  },
];
