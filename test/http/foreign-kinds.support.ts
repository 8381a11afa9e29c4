import { SIMULATORS } from '#lib/simulators/simulator-registry.ts';
import type { Provider } from '#shared/domain/routing/connection.model.ts';

export type SentCallback = { readonly headers: Readonly<Record<string, string>>; readonly body: string };

/** The body as a provider sends it, signed with the secrets of these credentials. */
export function signed(
  provider: Provider,
  credentials: Readonly<Record<string, unknown>> = {},
  body = '',
  at = new Date(),
): SentCallback {
  const simulator = SIMULATORS.find((each) => each.provider === provider);
  const secrets = simulator?.accountOf(credentials)?.webhookSecrets;
  if (!simulator || !secrets) throw new Error(`${provider} signs nothing with these credentials.`);
  const text = simulator.signWebhookBody?.(body, secrets) ?? body;
  const contentType = body.startsWith('{') ? 'application/json' : 'application/x-www-form-urlencoded';
  return { body: text, headers: { 'content-type': contentType, ...simulator.webhookHeaders(text, secrets, at) } };
}

/** `isUsed: false`: its type is used for nothing, so it is not counted either. */
type ForeignEvent = { readonly body: string; readonly isUsed?: false };

const used = (body: object): ForeignEvent => ({ body: JSON.stringify(body) });
const unused = (body: object): ForeignEvent => ({ body: JSON.stringify(body), isUsed: false });

const stripe = (type: string, object: object) => ({ id: `evt_${type}`, object: 'event', type, data: { object } });

/** Of a charge, or of one that was modified. */
const adyen = (eventCode: string, fields: object = {}) => ({
  live: 'false',
  notificationItems: [
    {
      NotificationRequestItem: {
        eventCode,
        pspReference: `FOREIGN${eventCode.slice(0, 9).replaceAll(/\W/g, '0')}`,
        originalReference: 'FOREIGNCHARGE001',
        merchantReference: 'order-7001',
        merchantAccountCode: 'ShopCOM',
        amount: { value: 4_900, currency: 'EUR' },
        eventDate: '2026-11-02T10:00:00+01:00',
        success: 'true',
        additionalData: {},
        ...fields,
      },
    },
  ],
});

const checkout = (type: string, data: object) => ({ id: `evt_${type}`, type, data });

const paypal = (event_type: string, resource_type: string, resource: object) => ({
  id: `WH-${event_type}`,
  event_type,
  resource_type,
  resource,
});
const capture = { id: 'CAPTUREELSEWHERE', custom_id: 'order 7001', invoice_id: 'invoice 7001' };

const mollie = (type: string, entityId: string, entity: object) => ({
  resource: 'event',
  id: `event_${entityId}`,
  type,
  entityId,
  _embedded: { entity: { id: entityId, metadata: null, ...entity } },
});

const razorpay = (event: string, payload: object) => ({
  entity: 'event',
  account_id: 'acc_shop',
  event,
  created_at: 1_793_000_000,
  payload,
});
const razorpayPayment = { entity: { id: 'pay_elsewhere00001', entity: 'payment', notes: [] } };

const paystack = (event: string, data: object) => ({ event, data });
const flutterwave = (event: string, data: object) => ({ event, data });

/** What a merchant's account tells of charges that another system made there, and of what is no charge at all. */
export const FOREIGN_KINDS: Readonly<Record<Provider, Readonly<Record<string, ForeignEvent>>>> = {
  stripe: {
    'a charge': used(stripe('payment_intent.succeeded', { id: 'pi_elsewhere1', object: 'payment_intent' })),
    'a reserved charge': used(stripe('payment_intent.amount_capturable_updated', { id: 'pi_elsewhere2' })),
    'a refund': used(stripe('refund.created', { id: 're_1', payment_intent: 'pi_elsewhere3', metadata: {} })),
    'a refund of a charge without an intent': used(stripe('refund.created', { id: 're_2', payment_intent: null })),
    'a dispute': used(stripe('charge.dispute.created', { id: 'du_1', payment_intent: 'pi_elsewhere4' })),
    'a dispute of a charge without an intent': used(stripe('charge.dispute.closed', { id: 'du_2' })),
    'a payout': unused(stripe('payout.paid', { id: 'po_1' })),
    'something new': unused(stripe('v9.thing.happened', { id: 'thing_1' })),
  },
  adyen: {
    'a charge': used(adyen('AUTHORISATION', { originalReference: undefined })),
    'a capture': used(adyen('CAPTURE')),
    'a capture that failed': used(adyen('CAPTURE_FAILED')),
    'a cancellation': used(adyen('CANCELLATION')),
    'an authorization that lapsed': used(adyen('EXPIRE')),
    'an adjusted authorization': unused(adyen('AUTHORISATION_ADJUSTMENT')),
    'a refund': used(adyen('REFUND')),
    'a refund that failed': used(adyen('REFUND_FAILED')),
    'a chargeback': used(adyen('CHARGEBACK')),
    'an inquiry': used(adyen('REQUEST_FOR_INFORMATION')),
    'a dispute that names no charge': used(adyen('ISSUER_RESPONSE_TIMEFRAME_EXPIRED', { originalReference: '' })),
    'a fraud alert': unused(adyen('NOTIFICATION_OF_FRAUD')),
    'a payout': unused(adyen('PAYOUT_THIRDPARTY')),
    'a report': unused(adyen('REPORT_AVAILABLE')),
  },
  checkout: {
    'a charge': used(checkout('payment_approved', { id: 'pay_elsewhere1', reference: 'order-7001' })),
    'a capture': used(checkout('payment_captured', { id: 'pay_elsewhere2', action_id: 'act_1', reference: 'order' })),
    'a release': used(checkout('payment_voided', { id: 'pay_elsewhere3', action_id: 'act_2' })),
    'a refund': used(checkout('payment_refunded', { id: 'pay_elsewhere4', action_id: 'act_3', reference: 'order' })),
    'a dispute': used(checkout('dispute_received', { id: 'dsp_1', payment_id: 'pay_elsewhere5' })),
    'a dispute that was lost': used(checkout('dispute_lost', { id: 'dsp_2', payment_id: 'pay_elsewhere6' })),
    'a payout': unused(checkout('payment_paid', { id: 'pay_elsewhere7' })),
    'something new': unused(checkout('thing_happened', {})),
  },
  paypal: {
    'an order': used(paypal('CHECKOUT.ORDER.APPROVED', 'checkout-order', { id: 'ORDERELSEWHERE', purchase_units: [] })),
    'a charge': used(paypal('PAYMENT.CAPTURE.COMPLETED', 'capture', capture)),
    'an authorization': used(paypal('PAYMENT.AUTHORIZATION.CREATED', 'authorization', { id: 'AUTHELSEWHERE' })),
    'a refund': used(
      paypal('PAYMENT.CAPTURE.REFUNDED', 'refund', {
        id: 'REFUNDELSEWHERE',
        links: [{ rel: 'up', href: 'https://api.paypal.com/v2/payments/captures/CAPTUREELSEWHERE' }],
      }),
    ),
    'a refund that names no charge': used(paypal('PAYMENT.REFUND.FAILED', 'refund', { id: 'REFUNDELSEWHERE2' })),
    'a dispute': used(
      paypal('CUSTOMER.DISPUTE.CREATED', 'dispute', {
        dispute_id: 'PP-D-1',
        disputed_transactions: [{ seller_transaction_id: 'CAPTUREELSEWHERE3', custom: 'order 7001' }],
      }),
    ),
    'a dispute that names no charge': used(paypal('CUSTOMER.DISPUTE.UPDATED', 'dispute', { dispute_id: 'PP-D-2' })),
    'a payout': unused(paypal('PAYMENT.PAYOUTSBATCH.SUCCESS', 'payouts', { batch_header: {} })),
  },
  mollie: {
    'a charge, by its own callback': { body: 'id=tr_elsewhere1' },
    'a payment link, by its own callback': { body: 'id=pl_elsewhere1', isUsed: false },
    'a charge': used(mollie('payment.paid', 'tr_elsewhere2', {})),
    'a refund': used(mollie('refund.refunded', 're_elsewhere1', { paymentId: 'tr_elsewhere3' })),
    'a capture': used(mollie('capture.succeeded', 'cpt_elsewhere1', { paymentId: 'tr_elsewhere4' })),
    'a payment link': unused(mollie('payment-link.paid', 'pl_elsewhere1', {})),
  },
  razorpay: {
    'a charge': used(razorpay('payment.captured', { payment: razorpayPayment })),
    'a reserved charge': used(razorpay('payment.authorized', { payment: razorpayPayment })),
    'a refund': used(
      razorpay('refund.processed', {
        payment: razorpayPayment,
        refund: { entity: { id: 'rfnd_1', payment_id: 'pay_x1' } },
      }),
    ),
    'a refund that names no charge': used(razorpay('refund.failed', { refund: { entity: { id: 'rfnd_2' } } })),
    'a dispute': used(
      razorpay('payment.dispute.created', { payment: razorpayPayment, dispute: { entity: { id: 'disp_1' } } }),
    ),
    'a settlement': unused(razorpay('settlement.processed', { settlement: { entity: { id: 'setl_1' } } })),
    'a subscription': unused(razorpay('subscription.charged', { payment: razorpayPayment })),
  },
  paystack: {
    'a charge': used(paystack('charge.success', { id: 1, status: 'success', reference: 'order-7001' })),
    'a refund': used(paystack('refund.processed', { status: 'processed', transaction_reference: 'order-7001' })),
    'a dispute': used(paystack('charge.dispute.create', { id: 7, transaction: { id: 1, reference: 'order-7001' } })),
    'a dispute that names no charge': used(paystack('charge.dispute.resolve', { id: 8, transaction: null })),
    'a transfer': unused(paystack('transfer.success', { id: 2, reference: 'transfer-1' })),
    'a subscription': unused(paystack('subscription.create', { subscription_code: 'SUB_1' })),
  },
  flutterwave: {
    'a charge': used(flutterwave('charge.completed', { id: 7_001, tx_ref: 'order-7001', status: 'successful' })),
    'a refund': used(flutterwave('refund.completed', { id: 7_002, status: 'completed', tx_id: 7_001 })),
    'a refund that names no charge': used(
      flutterwave('refund.completed', { id: 7_003, status: 'completed', tx_id: null }),
    ),
    'a transfer': unused(flutterwave('transfer.completed', { id: 7_004, reference: 'transfer-1' })),
    'a flat transfer': unused({ 'event.type': 'Transfer', transfer: { id: 7_005 } }),
  },
};
