import { createHmac } from 'node:crypto';
import type { UnitOfWork } from '#lib/simulators/kit/provider-simulator.port.ts';
import { API_VERSION, newStripeId, seconds } from '#lib/simulators/stripe/objects.ts';

type Subject = { readonly id: string; readonly livemode?: unknown; readonly [field: string]: unknown };

/** The account id in events and responses. */
export const accountId = (work: UnitOfWork): string => work.accountPublicId ?? `acct_1${work.account.slice(0, 15)}`;

/** Sends an event with the object in its present state. */
export function announce(work: UnitOfWork, type: string, object: Subject, livemode = object.livemode === true): void {
  work.emit(() => eventBody(work, type, object, livemode));
}

function eventBody(work: UnitOfWork, type: string, object: Subject, livemode: boolean): string {
  const body = {
    id: newStripeId('evt'),
    object: 'event',
    // Only events of connected accounts have an account id.
    ...(work.accountPublicId !== null && { account: work.accountPublicId }),
    api_version: API_VERSION,
    created: seconds(work.now),
    data: { object },
    livemode,
    pending_webhooks: 1,
    request: {
      id: work.apiRequest && `req_${work.apiRequest.requestId}`,
      idempotency_key: work.apiRequest?.key ?? null,
    },
    type,
  };
  return JSON.stringify(body, null, 2);
}

/** Signs the time of sending and the raw body, once with each secret of the endpoint. */
export function webhookHeaders(body: string, secrets: readonly string[], at: Date): Readonly<Record<string, string>> {
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

export const eventTypeOf = (body: string): string => String(JSON.parse(body).type);
