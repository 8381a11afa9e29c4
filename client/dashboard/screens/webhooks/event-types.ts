import type { Event } from '#client/typescript/src/index.ts';

export type EventType = Event['type'];

/** Every type, with what has happened. A type that is missing here does not compile. */
const TYPES: Readonly<Record<EventType, string>> = {
  'payment.created': 'A payment was created',
  'payment.authorized': 'Money is held for it, and waits to be captured',
  'payment.authorization_expiring': 'What is held will be released soon',
  'payment.captured': 'Held money was taken',
  'payment.capture_failed': 'Held money could not be taken',
  'payment.succeeded': 'It was paid',
  'payment.failed': 'It was declined, or failed otherwise',
  'payment.canceled': 'It was canceled',
  'payment.refunded': 'Money went back to the customer',
  'subscription.created': 'A subscription was created',
  'subscription.updated': 'Its price, plan or end changed',
  'subscription.canceled': 'It has ended',
  'subscription.paused': 'It is paused, by a person or after the last retry',
  'subscription.resumed': 'It renews again',
  'subscription.renewed': 'A further period was paid',
  'invoice.created': 'A period was billed',
  'invoice.paid': 'An invoice was paid',
  'invoice.failed': 'All retries have failed',
  'invoice.canceled': 'An invoice was given up',
  'payment_link.paid': 'A payment link was paid',
  'dispute.created': 'A customer disputes a payment',
  'dispute.updated': 'A dispute has changed',
  'dispute.response_due': 'The time to answer a dispute ends soon',
  'dispute.closed': 'A dispute has ended',
  'service.webhook.test': 'A test, sent by hand',
};

export const EVENT_TYPES = Object.entries(TYPES).map(([value, meaning]) => ({ value: value as EventType, meaning }));

export const isEventType = (text: string | undefined): text is EventType =>
  text !== undefined && Object.hasOwn(TYPES, text);

/** The screen of what an event is about, if it has one. */
export function resourceAddress({ data }: Pick<Event, 'data'>): string | undefined {
  const id = 'id' in data ? data.id : '';
  const [screen] = SCREENS.filter(([prefix]) => id.startsWith(prefix)).map(([, name]) => name);
  return screen && `/dashboard/${screen}/${id}`;
}

const SCREENS = [
  ['pay_', 'payments'],
  ['sub_', 'subscriptions'],
  ['inv_', 'invoices'],
  ['disp_', 'disputes'],
] as const;
