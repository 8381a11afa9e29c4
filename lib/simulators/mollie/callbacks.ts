import { createHmac } from 'node:crypto';
import type { Work } from '#lib/simulators/frame/provider.port.ts';
import { newMollieId, type Refund, type StoredPayment, timestamp } from '#lib/simulators/mollie/objects.ts';

/** Stands where an account has no secret: the classic callback goes out all the same, as it is not signed. */
export const NO_SECRET = 'mollie signs no classic callbacks';

/** The payment's own callback: an id, and nothing of what has changed. */
function ring(work: Work, { id, body }: StoredPayment): void {
  if (body.webhookUrl) work.emit(() => new URLSearchParams({ id }).toString(), new URL(body.webhookUrl).search);
}

/** Only accounts that have set up an endpoint for events get them, beside the callbacks. */
function tell(work: Work, type: string, entity: { readonly id: string; readonly [shown: string]: unknown }): void {
  if (work.accountPublicId === null) return;
  work.emit(() => {
    const id = newMollieId('event');
    const self = { href: `https://api.mollie.com/v2/events/${id}`, type: 'application/hal+json' };
    const documentation = { href: 'https://docs.mollie.com/guides/webhooks', type: 'text/html' };
    const links = { self, documentation };
    return JSON.stringify({
      resource: 'event',
      id,
      type,
      entityId: entity.id,
      createdAt: timestamp(work.now),
      _embedded: { entity },
      _links: links,
    });
  });
}

export function announcePayment(work: Work, payment: StoredPayment): void {
  ring(work, payment);
  if (payment.body.status !== 'open') tell(work, `payment.${payment.body.status}`, payment.body);
}

export function announceRefund(work: Work, payment: StoredPayment, refund: Refund): void {
  ring(work, payment);
  tell(work, `refund.${refund.status}`, refund);
}

/** One signature for each secret that the endpoint has at the moment; a form goes out without. */
export function callbackHeaders(body: string, secrets: readonly string[]): Readonly<Record<string, string>> {
  const agent = { 'user-agent': 'Mollie.nl HTTP client/1.0', accept: '*/*' };
  if (!body.startsWith('{')) return { ...agent, 'content-type': 'application/x-www-form-urlencoded' };
  const signatures = secrets
    .filter((secret) => secret !== NO_SECRET)
    .map((secret) => `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`);
  return { ...agent, 'content-type': 'application/json', 'x-mollie-signature': signatures.join(', ') };
}
