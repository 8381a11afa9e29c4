import type { Notes } from '#functions/openapi/word-book.ts';

/** What each event says. Its component is made of its type: see `structure/events.ts`. */
export const EVENTS_NOTES: Notes = {
  PaymentCreatedEvent: { this: 'A payment was created.' },
  PaymentAuthorizedEvent: { this: 'The amount is authorized: capture it before `capturable_until`.' },
  PaymentAuthorizationExpiringEvent: { this: 'Sent once, a day before `capturable_until`. Capture the payment now.' },
  PaymentCapturedEvent: { this: 'A capture has taken money.' },
  PaymentCaptureFailedEvent: {
    this: 'A capture has failed, or one that had succeeded was taken back. A person should look at the payment.',
  },
  PaymentSucceededEvent: { this: 'The money is taken. Deliver now.' },
  PaymentFailedEvent: {
    this: 'The payment has failed; `failure` says why. Seldom, a late success follows as `payment.succeeded`.',
  },
  PaymentCanceledEvent: { this: 'The payment was canceled before money was taken.' },
  PaymentRefundedEvent: { this: 'A refund has given money back: all of the payment, or a part.' },
  SubscriptionCreatedEvent: { this: 'A subscription was created.' },
  SubscriptionUpdatedEvent: { this: 'The terms, the payment method or the end of a subscription have changed.' },
  SubscriptionCanceledEvent: { this: 'The subscription has ended for good.' },
  SubscriptionPausedEvent: { this: 'The subscription charges nothing: somebody paused it, or an invoice has failed.' },
  SubscriptionResumedEvent: { this: 'The subscription charges again after a pause.' },
  SubscriptionRenewedEvent: { this: 'The invoice of a period is paid.' },
  InvoiceCreatedEvent: { this: 'A period has begun, and its invoice is being collected.' },
  InvoicePaidEvent: { this: 'The invoice is paid.' },
  InvoiceFailedEvent: { this: 'All attempts to collect the invoice are used up. Its subscription is paused.' },
  InvoiceCanceledEvent: { this: 'The invoice was canceled. It is no longer collected.' },
  PaymentLinkPaidEvent: { this: 'A customer has paid by a payment link. It is sent beside the events of the payment.' },
  DisputeCreatedEvent: { this: 'A customer disputes a payment at the bank.' },
  DisputeUpdatedEvent: { this: 'A dispute has changed, such as its status or its deadline.' },
  DisputeResponseDueEvent: { this: 'Sent once, before `respond_by`: the dispute still waits for an answer.' },
  DisputeClosedEvent: { this: 'The dispute is decided. `status` says how.' },
  ServiceWebhookTestEvent: { this: 'A test that you have asked for.' },
  PaymentSnapshot: { this: 'A payment, as it was when the event occurred.' },
  DisputeSnapshot: { this: 'A dispute, as it was when the event occurred.' },
  AttemptReport: { this: 'What the network said about the charge. Fields that the provider did not tell are missing.' },
};
