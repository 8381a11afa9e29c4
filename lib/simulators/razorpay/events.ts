import { createHash, createHmac } from 'node:crypto';
import type { UnitOfWork } from '#lib/simulators/kit/provider-simulator.port.ts';
import { seconds } from '#lib/simulators/razorpay/objects.ts';

/** The account id in events. */
const accountId = (work: UnitOfWork): string => work.accountPublicId ?? `acc_${work.account.slice(0, 14)}`;

/** Sends an event with the objects in their present state. */
export function announce(work: UnitOfWork, event: string, objects: Readonly<Record<string, object>>): void {
  const account_id = accountId(work);
  const payload = Object.fromEntries(Object.entries(objects).map(([name, entity]) => [name, { entity }]));
  work.emit(() =>
    JSON.stringify({
      entity: 'event',
      account_id,
      event,
      contains: Object.keys(objects),
      payload,
      created_at: seconds(work.now),
    }),
  );
}

export const sign = (secret: string, text: string): string => createHmac('sha256', secret).update(text).digest('hex');

/** Signs with the newest secret. The event id is derived from the body, so that retries have the same id. */
export function webhookHeaders(body: string, secrets: readonly string[]): Readonly<Record<string, string>> {
  return {
    'x-razorpay-signature': sign(secrets[0] ?? '', body),
    'x-razorpay-event-id': createHash('sha256').update(body).digest('base64url').replaceAll(/[_-]/g, '0').slice(0, 14),
    'content-type': 'application/json',
    'user-agent': 'Razorpay-Webhook/v1',
  };
}

export const eventTypeOf = (body: string): string => String(JSON.parse(body).event);
