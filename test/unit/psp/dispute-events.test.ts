import { describe, expect, it } from 'vitest';
import type { DisputeReason, DisputeStatus } from '#shared/domain/disputes/dispute.model.ts';
import { DISPUTE_REASONS as OUR_REASONS } from '#shared/domain/disputes/dispute.model.ts';
import type { DisputeEvent } from '#shared/ports/dispute.port.ts';
import type { UnverifiedEvent } from '#shared/ports/psp.port.ts';
import { ADYEN_DISPUTE_EVENTS } from '#shared/psp/adyen/dispute-events.ts';
import { parseAdyenCallback } from '#shared/psp/adyen/webhooks.ts';
import { DISPUTE_CATEGORIES as CHECKOUT_CATEGORIES } from '#shared/psp/checkout/disputes.ts';
import { parseCheckoutCallback } from '#shared/psp/checkout/webhooks.ts';
import { reasonOfNetwork, reasonOfWords } from '#shared/psp/kit/dispute-reasons.ts';
import { groupedEvidence, joinedEvidence, namedEvidence, reasonCode } from '#shared/psp/kit/disputes.ts';
import { isoTime } from '#shared/psp/kit/times.ts';
import { DISPUTE_REASONS as PAYPAL_REASONS } from '#shared/psp/paypal/disputes.ts';
import { parsePaypalCallback, verifyPaypalCallback } from '#shared/psp/paypal/webhooks.ts';
import { DISPUTE_CATEGORIES as PAYSTACK_CATEGORIES } from '#shared/psp/paystack/disputes.ts';
import { parsePaystackCallback } from '#shared/psp/paystack/webhooks.ts';
import { parseRazorpayCallback } from '#shared/psp/razorpay/webhooks.ts';
import { DISPUTE_REASONS as STRIPE_REASONS } from '#shared/psp/stripe/disputes.ts';
import { parseStripeCallback } from '#shared/psp/stripe/webhooks.ts';
import chargeback from '#test/fixtures/adyen/notification-chargeback.json' with { type: 'json' };

const callback = (body: object) => ({ rawBody: Buffer.from(JSON.stringify(body)), headers: {}, query: {} });

const ROUTING = { org_id: 'org_1', connection_id: 'conn_1', payment_id: 'pay_1' };

/** An event of each PSP in the form of its documents, and what is read of it. */
const EVENTS: readonly (readonly [
  psp: string,
  parse: (body: ReturnType<typeof callback>) => readonly UnverifiedEvent[],
  body: object,
  routing: object,
])[] = [
  [
    'Stripe',
    parseStripeCallback,
    {
      id: 'evt_1',
      type: 'charge.dispute.created',
      data: { object: { id: 'D1', object: 'dispute', charge: 'ch_1', payment_intent: 'C1', metadata: {} } },
    },
    {},
  ],
  [
    'Checkout.com',
    parseCheckoutCallback,
    {
      id: 'evt_1',
      type: 'dispute_evidence_required',
      data: { id: 'dsp_D1', payment_id: 'C1', category: 'fraudulent' },
    },
    {},
  ],
  [
    'PayPal',
    parsePaypalCallback,
    {
      id: 'WH-1',
      event_type: 'CUSTOMER.DISPUTE.CREATED',
      resource_type: 'dispute',
      resource: {
        dispute_id: 'D1',
        disputed_transactions: [{ seller_transaction_id: 'C1', custom: 'org_1|conn_1|pay_1', seller: {} }],
      },
    },
    ROUTING,
  ],
  [
    'Razorpay',
    parseRazorpayCallback,
    {
      entity: 'event',
      event: 'payment.dispute.created',
      payload: {
        payment: { entity: { id: 'C1', notes: ROUTING } },
        dispute: { entity: { id: 'D1', payment_id: 'C1', status: 'open' } },
      },
      created_at: 1_589_907_977,
    },
    ROUTING,
  ],
  [
    'Paystack',
    parsePaystackCallback,
    {
      event: 'charge.dispute.create',
      data: { id: 358_950, status: 'awaiting-merchant-feedback', transaction: { reference: 'C1', metadata: ROUTING } },
    },
    ROUTING,
  ],
];

describe('an event about a dispute', () => {
  it.each(EVENTS)('of %s names the dispute and its charge', (_, parse, body, routing) => {
    const [event] = parse(callback(body));
    const reference = expect.stringMatching(/^(dsp_)?D1$|^358950$/);
    expect(event?.subject).toMatchObject({ kind: 'dispute', reference, paymentReference: 'C1' });
    expect(Object.fromEntries(Object.entries(event?.routing ?? {}).filter(([, id]) => id !== undefined))).toEqual(
      routing,
    );
  });

  it.each([
    ['Stripe', parseStripeCallback, { id: 'evt_1', type: 'charge.dispute.closed', data: { object: {} } }],
    ['Checkout.com', parseCheckoutCallback, { id: 'evt_1', type: 'dispute_lost', data: { id: 'pay_1' } }],
    ['PayPal', parsePaypalCallback, { id: 'WH-1', event_type: 'CUSTOMER.DISPUTE.RESOLVED', resource: {} }],
    ['Razorpay', parseRazorpayCallback, { entity: 'event', event: 'payment.dispute.won', payload: {} }],
    ['Paystack', parsePaystackCallback, { event: 'charge.dispute.resolve', data: {} }],
  ] as const)('of %s is refused where it names none', (_, parse, body) => {
    expect(() => parse(callback(body))).toThrow(/names no (dispute|object|transaction)/);
  });

  it('of PayPal about another merchant is not ours', async () => {
    const resource = { dispute_id: 'D1', disputed_transactions: [{ seller: { merchant_id: 'OTHER' } }] };
    const body = callback({ id: 'WH-1', event_type: 'CUSTOMER.DISPUTE.CREATED', resource });
    const headers = Object.fromEntries(
      ['transmission-id', 'transmission-time', 'transmission-sig', 'cert-url'].map((name) => [`paypal-${name}`, 'x']),
    );
    const signed = { ...body, headers: { ...headers, 'paypal-auth-algo': 'SHA256withRSA' } };
    const credentials = { client_id: 'A', client_secret: 'E', webhook_secret: 'W', merchant_id: 'OURS' };
    const send = () => expect.fail('No certificate is fetched for it.');
    const psp = { credentials, send, now: () => new Date(0), rootCertificates: () => [] };
    expect(await verifyPaypalCallback(signed, psp)).toBe(false);
  });
});

describe('a dispute at Adyen', () => {
  const item = chargeback.notificationItems[0]?.NotificationRequestItem ?? expect.fail('There is no item.');
  const reported = (change: object, data: object = {}) => {
    const { chargebackReasonCode, defensePeriodEndsAt } = item.additionalData;
    const additionalData = { chargebackReasonCode, defensePeriodEndsAt, ...data };
    const NotificationRequestItem = { ...item, ...change, additionalData };
    const [event] = parseAdyenCallback(callback({ live: 'false', notificationItems: [{ NotificationRequestItem }] }));
    return event?.subject as DisputeEvent;
  };

  it('is what its notification says', () => {
    expect(reported({}, { disputeStatus: 'Undefended' })).toEqual({
      kind: 'dispute',
      reference: 'QFQTPCQ8HXSKGK82',
      paymentReference: '9913140798220028',
      reported: {
        reference: 'QFQTPCQ8HXSKGK82',
        paymentReference: '9913140798220028',
        status: 'needs_response',
        amount: 1_000,
        currency: 'EUR',
        reason: 'product_unacceptable',
        provider_reason: '4853',
        respond_by: '2021-07-31T01:03:07.000Z',
        opened_at: undefined,
      },
    });
  });

  it.each<[eventCode: string, data: object, status: DisputeStatus]>([
    ['REQUEST_FOR_INFORMATION', { disputeStatus: 'Unresponded' }, 'warning'],
    ['NOTIFICATION_OF_CHARGEBACK', { disputeStatus: 'Undefended' }, 'needs_response'],
    ['NOTIFICATION_OF_CHARGEBACK', { autoDefended: 'true' }, 'under_review'],
    ['DISPUTE_OPENED_WITH_CHARGEBACK', {}, 'needs_response'],
    ['CHARGEBACK', {}, 'needs_response'],
    ['CHARGEBACK', { disputeStatus: 'Pending' }, 'under_review'],
    ['CHARGEBACK', { disputeStatus: 'Lost' }, 'lost'],
    ['CHARGEBACK', { defendable: 'false' }, 'lost'],
    ['CHARGEBACK', { disputeStatus: 'Won' }, 'needs_response'],
    ['INFORMATION_SUPPLIED', { disputeStatus: 'Pending' }, 'under_review'],
    ['CHARGEBACK_REVERSED', {}, 'won'],
    ['CHARGEBACK_REVERSED', { disputeStatus: 'Pending' }, 'under_review'],
    ['SECOND_CHARGEBACK', { disputeStatus: 'Won' }, 'lost'],
    ['DISPUTE_DEFENSE_PERIOD_ENDED', { disputeStatus: 'Lost' }, 'expired'],
    ['DISPUTE_DEFENSE_PERIOD_ENDED', { disputeStatus: 'Accepted' }, 'accepted'],
    ['ISSUER_RESPONSE_TIMEFRAME_EXPIRED', { disputeStatus: 'Won' }, 'won'],
    ['PREARBITRATION_OPEN', {}, 'needs_response'],
    ['PREARBITRATION_DECLINED', {}, 'under_review'],
    ['PREARBITRATION_ACCEPTED', {}, 'accepted'],
    ['PREARBITRATION_ISSUER_WITHDRAWN', {}, 'won'],
    ['PREARBITRATION_WON', {}, 'won'],
    ['PREARBITRATION_LOST', {}, 'lost'],
  ])('is by the event %s with %j: %s', (eventCode, data, status) => {
    expect(ADYEN_DISPUTE_EVENTS).toContain(eventCode);
    expect(reported({ eventCode }, data).reported?.status).toBe(status);
  });

  it('opens the dispute once more only by arbitration', () => {
    const reopening = ADYEN_DISPUTE_EVENTS.filter((eventCode) => reported({ eventCode }).reported?.reopens);
    expect(reopening).toEqual(['PREARBITRATION_OPEN']);
  });

  it('may not name its charge, and is ignored without an amount or success', () => {
    expect(reported({ originalReference: undefined })).toMatchObject({ paymentReference: null });
    expect(reported({ amount: { currency: 'BIF', value: 1 } })).toEqual({ kind: 'ignored' });
    expect(reported({ success: 'false' })).toEqual({ kind: 'ignored' });
  });
});

describe('the reason of a dispute', () => {
  it.each<[string, DisputeReason]>([
    ['10.4', 'fraudulent'],
    [' 4853', 'product_unacceptable'],
    ['4837', 'fraudulent'],
    ['4863', 'unrecognized'],
    ['12.6.1', 'duplicate'],
    ['13.1', 'product_not_received'],
    ['c28', 'subscription_canceled'],
    ['UA02', 'fraudulent'],
    ['MD01', 'debit_not_authorized'],
    ['AM04', 'insufficient_funds'],
    ['502', 'general'],
    ['', 'general'],
  ])('with the network code %j is %s', (code, reason) => expect(reasonOfNetwork(code)).toBe(reason));

  it.each<[string, DisputeReason]>([
    ['Product/service not received', 'product_not_received'],
    ['goods_or_services_not_received_or_partially_received', 'product_not_received'],
    ['Cancelled merchandise/Service', 'subscription_canceled'],
    ['processed_invalid_expired_card', 'processing_error'],
    ['cardholder_does_not_recognize_transaction', 'unrecognized'],
    ['credit_not_processed', 'credit_not_processed'],
    ['fraudulent_transaction', 'fraudulent'],
    ['chargeback', 'general'],
  ])('in the words %j is %s', (words, reason) => expect(reasonOfWords(words)).toBe(reason));

  it.each([
    ['Stripe', STRIPE_REASONS, 15],
    ['Checkout.com', CHECKOUT_CATEGORIES, 9],
    ['PayPal', PAYPAL_REASONS, 10],
    ['Paystack', PAYSTACK_CATEGORIES, 3],
  ] as const)('is one of ours for the whole list of %s', (_, table, documented) => {
    expect(Object.keys(table)).toHaveLength(documented);
    expect(Object.values(table).filter((reason) => !OUR_REASONS.includes(reason))).toEqual([]);
  });

  it.each([
    ['10.4', '10.4'],
    [' 4853', '4853'],
    ['4242424242424242', null],
    ['a reason in words', null],
    ['x'.repeat(65), null],
    [undefined, null],
  ])('has the code %j passed on as %j', (code, passed) => expect(reasonCode(code)).toBe(passed));
});

describe('evidence', () => {
  it('takes the names of the PSP, and leaves out what was not given', () => {
    const names = { explanation: 'uncategorized_text', customer_ip: 'customer_purchase_ip' } as const;
    expect(namedEvidence(names, { explanation: 'It was sent.', customer_name: 'Kim' })).toEqual({
      uncategorized_text: 'It was sent.',
    });
  });

  it('is one text under names, the explanation first', () => {
    expect(joinedEvidence({ tracking_number: 'JD1', explanation: 'It was sent.', customer_ip: '192.0.2.1' })).toBe(
      "It was sent.\n\nTracking number: JD1\n\nCustomer's IP address: 192.0.2.1",
    );
  });

  it('is grouped as the form of the PSP has it, and refused where it is too long', () => {
    const groups = { delivery: ['shipping_carrier', 'tracking_number'], other: ['explanation'] } as const;
    const texts = { shipping_carrier: 'DHL', tracking_number: 'JD1', explanation: 'It was sent.' };
    expect(groupedEvidence(groups, texts, 60)).toEqual({
      delivery: 'Shipping carrier: DHL\nTracking number: JD1',
      other: 'It was sent.',
    });
    expect(() => groupedEvidence(groups, texts, 20)).toThrow(
      /at most 20 characters in shipping_carrier, tracking_number/,
    );
  });

  it('has times that are understood, or none', () => {
    expect(isoTime('2021-07-31T03:03:07+02:00')).toBe('2021-07-31T01:03:07.000Z');
    expect(isoTime('soon')).toBeUndefined();
  });
});
