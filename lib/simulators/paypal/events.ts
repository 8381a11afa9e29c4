import type { UnitOfWork } from '#lib/simulators/kit/provider-simulator.port.ts';
import { randomId } from '#lib/simulators/kit/random-id.ts';
import { BASE_URL } from '#lib/simulators/kit/wire.ts';
import {
  authorizationResource,
  captureResource,
  orderView,
  refundView,
  type StoredAuthorization,
  type StoredCapture,
  type StoredOrder,
  type StoredRefund,
} from '#lib/simulators/paypal/objects.ts';

type EventHeader = {
  readonly type: string;
  readonly resourceType: 'checkout-order' | 'authorization' | 'capture' | 'refund';
  readonly summary: string;
};

function announce(work: UnitOfWork, { type, resourceType, summary }: EventHeader, resource: object): void {
  work.emit(() => {
    const id = `WH-${randomId(17).toUpperCase()}-${randomId(17).toUpperCase()}`;
    const versions = { event_version: '1.0', resource_version: '2.0' };
    const links = [{ href: `${BASE_URL}/paypal/v1/notifications/webhooks-events/${id}`, rel: 'self', method: 'GET' }];
    const event = {
      id,
      ...versions,
      create_time: work.now.toISOString(),
      resource_type: resourceType,
      event_type: type,
      summary,
      resource,
      links,
    };
    return JSON.stringify(event);
  });
}

/** The event contains the order in its present state. */
export const announceOrder = (work: UnitOfWork, type: 'APPROVED' | 'COMPLETED', order: StoredOrder): void =>
  announce(
    work,
    { type: `CHECKOUT.ORDER.${type}`, resourceType: 'checkout-order', summary: `The order is ${type.toLowerCase()}.` },
    orderView(work, order),
  );

/** A pending capture that fails is DENIED in the event and DECLINED in its status. */
export const announceCapture = (
  work: UnitOfWork,
  type: 'COMPLETED' | 'PENDING' | 'DECLINED' | 'DENIED',
  capture: StoredCapture,
): void => {
  const { value, currency_code } = capture.body.amount;
  const summary = `Payment ${type.toLowerCase()} for ${value} ${currency_code}`;
  announce(work, { type: `PAYMENT.CAPTURE.${type}`, resourceType: 'capture', summary }, captureResource(work, capture));
};

export const announceAuthorization = (
  work: UnitOfWork,
  type: 'CREATED' | 'VOIDED',
  authorization: StoredAuthorization,
): void => {
  const { value, currency_code } = authorization.body.amount;
  const summary = `A payment of ${value} ${currency_code} was ${type === 'CREATED' ? 'authorized' : 'voided'}.`;
  const header = { type: `PAYMENT.AUTHORIZATION.${type}`, resourceType: 'authorization', summary } as const;
  announce(work, header, authorizationResource(work, authorization));
};

/** A completed refund is an event of its capture, and contains the refund. */
export const announceRefund = (work: UnitOfWork, refund: StoredRefund): void => {
  const { status, amount } = refund.body;
  const type = status === 'COMPLETED' ? 'PAYMENT.CAPTURE.REFUNDED' : `PAYMENT.REFUND.${status}`;
  announce(
    work,
    {
      type,
      resourceType: 'refund',
      summary: `A refund of ${amount.value} ${amount.currency_code} is ${status.toLowerCase()}.`,
    },
    refundView(refund),
  );
};

export const eventTypeOf = (body: string): string => String(JSON.parse(body).event_type);
