import { letters } from '#lib/simulators/frame/letters.ts';
import type { Work } from '#lib/simulators/frame/provider.port.ts';
import { HERE } from '#lib/simulators/frame/wire.ts';
import {
  type StoredCapture,
  type StoredOrder,
  type StoredRefund,
  showCapture,
  showOrder,
  showRefund,
} from '#lib/simulators/paypal/objects.ts';

type Told = {
  readonly type: string;
  readonly resourceType: 'checkout-order' | 'capture' | 'refund';
  readonly summary: string;
};

function announce(work: Work, { type, resourceType, summary }: Told, resource: object): void {
  work.emit(() => {
    const id = `WH-${letters(17).toUpperCase()}-${letters(17).toUpperCase()}`;
    const versions = { event_version: '1.0', resource_version: '2.0' };
    const links = [{ href: `${HERE}/paypal/v1/notifications/webhooks-events/${id}`, rel: 'self', method: 'GET' }];
    const told = {
      id,
      ...versions,
      create_time: work.now.toISOString(),
      resource_type: resourceType,
      event_type: type,
      summary,
      resource,
      links,
    };
    return JSON.stringify(told);
  });
}

/** The object as it is at this moment. */
export const announceOrder = (work: Work, type: 'APPROVED' | 'COMPLETED', order: StoredOrder): void =>
  announce(
    work,
    { type: `CHECKOUT.ORDER.${type}`, resourceType: 'checkout-order', summary: `The order is ${type.toLowerCase()}.` },
    showOrder(work, order),
  );

/** A capture that was pending is DENIED in the event, and DECLINED in its status. */
export const announceCapture = (
  work: Work,
  type: 'COMPLETED' | 'PENDING' | 'DECLINED' | 'DENIED',
  capture: StoredCapture,
): void => {
  const { value, currency_code } = capture.body.amount;
  const summary = `Payment ${type.toLowerCase()} for ${value} ${currency_code}`;
  announce(work, { type: `PAYMENT.CAPTURE.${type}`, resourceType: 'capture', summary }, showCapture(work, capture));
};

/** A refund that went through is an event of its capture, and shows the refund. */
export const announceRefund = (work: Work, refund: StoredRefund): void => {
  const { status, amount } = refund.body;
  const type = status === 'COMPLETED' ? 'PAYMENT.CAPTURE.REFUNDED' : `PAYMENT.REFUND.${status}`;
  announce(
    work,
    {
      type,
      resourceType: 'refund',
      summary: `A refund of ${amount.value} ${amount.currency_code} is ${status.toLowerCase()}.`,
    },
    showRefund(refund),
  );
};
