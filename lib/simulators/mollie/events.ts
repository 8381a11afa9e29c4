import { createHmac } from 'node:crypto';
import type { UnitOfWork } from '#lib/simulators/kit/provider-simulator.port.ts';
import {
  type Capture,
  newMollieId,
  type Refund,
  type StoredPayment,
  timestamp,
} from '#lib/simulators/mollie/objects.ts';

/** Placeholder for accounts without a secret: classic callbacks are sent anyway, because they are not signed. */
export const NO_SECRET = 'mollie signs no classic callbacks';

/**
 * The classic callback of a payment. It contains only the id. It is sent to the merchant on this machine, with the query
 * of the payment's own address.
 */
export function emitCallback(work: UnitOfWork, { id, body }: StoredPayment): void {
  if (body.webhookUrl) work.emit(() => new URLSearchParams({ id }).toString(), new URL(body.webhookUrl).search);
}

/** Accounts with an endpoint for events get these in addition to callbacks. */
function emitEvent(
  work: UnitOfWork,
  type: string,
  entity: { readonly id: string; readonly [field: string]: unknown },
): void {
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

export function announcePayment(work: UnitOfWork, payment: StoredPayment): void {
  emitCallback(work, payment);
  if (payment.body.status !== 'open') emitEvent(work, `payment.${payment.body.status}`, payment.body);
}

export function announceRefund(work: UnitOfWork, payment: StoredPayment, refund: Refund): void {
  emitCallback(work, payment);
  emitEvent(work, `refund.${refund.status}`, refund);
}

export function announceCapture(work: UnitOfWork, payment: StoredPayment, capture: Capture): void {
  emitCallback(work, payment);
  if (capture.status !== 'pending') emitEvent(work, `capture.${capture.status}`, capture);
}

/** Signs events once with each secret of the endpoint. Callbacks, which are forms, are not signed. */
export function webhookHeaders(body: string, secrets: readonly string[]): Readonly<Record<string, string>> {
  const agent = { 'user-agent': 'Mollie.nl HTTP client/1.0', accept: '*/*' };
  if (!body.startsWith('{')) return { ...agent, 'content-type': 'application/x-www-form-urlencoded' };
  const signatures = secrets
    .filter((secret) => secret !== NO_SECRET)
    .map((secret) => `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`);
  return { ...agent, 'content-type': 'application/json', 'x-mollie-signature': signatures.join(', ') };
}
