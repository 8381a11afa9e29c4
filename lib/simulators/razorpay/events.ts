import { createHash, createHmac } from 'node:crypto';
import type { Work } from '#lib/simulators/frame/provider.port.ts';
import { seconds } from '#lib/simulators/razorpay/objects.ts';

/** The account as events name it. */
const accountId = (work: Work): string => work.accountPublicId ?? `acc_${work.account.slice(0, 14)}`;

/** Tells the merchant's endpoint, with the objects as they are at this moment. */
export function announce(work: Work, event: string, objects: Readonly<Record<string, object>>): void {
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

/** An endpoint has one secret, the newest; the name of an event is the same however often it is sent. */
export function signedHeaders(body: string, secrets: readonly string[]): Readonly<Record<string, string>> {
  return {
    'x-razorpay-signature': sign(secrets[0] ?? '', body),
    'x-razorpay-event-id': createHash('sha256').update(body).digest('base64url').replaceAll(/[_-]/g, '0').slice(0, 14),
    'content-type': 'application/json',
    'user-agent': 'Razorpay-Webhook/v1',
  };
}
