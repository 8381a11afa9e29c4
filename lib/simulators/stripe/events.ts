import { createHmac } from 'node:crypto';
import type { Work } from '#lib/simulators/frame/provider.port.ts';
import { API_VERSION, newStripeId, seconds } from '#lib/simulators/stripe/objects.ts';

type Subject = { readonly id: string; readonly livemode?: unknown; readonly [shown: string]: unknown };

/** The account as events and answers name it. */
export const accountId = (work: Work): string => work.accountPublicId ?? `acct_1${work.account.slice(0, 15)}`;

/** Tells the merchant's endpoint, with the object as it is at this moment. */
export function announce(work: Work, type: string, object: Subject, livemode = object.livemode === true): void {
  work.emit(() => event(work, type, object, livemode));
}

function event(work: Work, type: string, object: Subject, livemode: boolean): string {
  const told = {
    id: newStripeId('evt'),
    object: 'event',
    // Only events of connected accounts name one.
    ...(work.accountPublicId !== null && { account: work.accountPublicId }),
    api_version: API_VERSION,
    created: seconds(work.now),
    data: { object },
    livemode,
    pending_webhooks: 1,
    request: { id: work.asked && `req_${work.asked.requestId}`, idempotency_key: work.asked?.key ?? null },
    type,
  };
  return JSON.stringify(told, null, 2);
}

/** Stripe signs the second of sending and the raw body, once for each secret the endpoint has at the moment. */
export function signedHeaders(body: string, secrets: readonly string[], at: Date): Readonly<Record<string, string>> {
  const time = seconds(at);
  const signatures = secrets.map(
    (secret) => `v1=${createHmac('sha256', secret).update(`${time}.${body}`).digest('hex')}`,
  );
  return {
    'stripe-signature': [`t=${time}`, ...signatures].join(','),
    'content-type': 'application/json; charset=utf-8',
    'user-agent': 'Stripe/1.0 (+https://stripe.com/docs/webhooks)',
    'cache-control': 'no-cache',
    accept: '*/*; q=0.5, application/xml',
  };
}
