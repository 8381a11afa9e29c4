import type { NextAction } from '#shared/domain/payments/payment.model.ts';
import type { NextActionShape, PaymentIntent } from '#shared/psp/stripe/objects.schema.ts';

/** The customer acts in an app of their own; there is nothing to show. */
const AWAITED = new Set(['blik_authorize', 'card_await_notification', 'payto_await_authorization']);

type Details = Readonly<Record<string, unknown>>;
const isDetails = (value: unknown): value is Details => typeof value === 'object' && value !== null;

const at = (seconds: unknown): string | undefined =>
  typeof seconds === 'number' && Number.isSafeInteger(seconds) && seconds > 0 && seconds < 1e11
    ? new Date(seconds * 1000).toISOString()
    : undefined;

/** The customer's next action. Without a URL or anything to display it is left to Stripe's own client library. */
export function toNextAction(
  intent: PaymentIntent,
  publishableKey: string | undefined,
): { readonly action: NextAction; readonly expires_at?: string } {
  const next = intent.next_action;
  const details = next ? detailsOf(next) : {};
  const expires_at = at(details.expires_at) ?? at(details.expires_after);
  return { action: actionOf(intent, next?.type ?? '', details, publishableKey), ...(expires_at && { expires_at }) };
}

function detailsOf(next: NextActionShape): Details {
  const details = next[next.type];
  return isDetails(details) ? details : {};
}

function actionOf(
  intent: PaymentIntent,
  type: string,
  details: Details,
  publishableKey: string | undefined,
): NextAction {
  if (typeof details.url === 'string' && /redirect/.test(type))
    return { type: 'redirect', url: details.url, method: 'GET' };
  if (AWAITED.has(type)) return { type: 'await' };
  const shown = Object.entries(details).filter(
    (entry): entry is [string, string | number] => typeof entry[1] === 'string' || typeof entry[1] === 'number',
  );
  if (type !== 'use_stripe_sdk' && shown.length > 0)
    return { ...Object.fromEntries(shown), type: 'display', kind: type };
  const data = { payment_intent: intent.id, ...(intent.client_secret && { client_secret: intent.client_secret }) };
  return {
    type: 'sdk',
    provider: 'stripe',
    data: { ...data, ...(publishableKey && { publishable_key: publishableKey }) },
  };
}

export const isoFromSeconds = at;
