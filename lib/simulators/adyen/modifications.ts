import { type Ask, api, type Body, invalid, noSuchPayment, refused } from '#lib/simulators/adyen/answers.ts';
import {
  amountIn,
  checkAccount,
  knownCancel,
  knownRefund,
  knownStandaloneCancel,
  textIn,
} from '#lib/simulators/adyen/checks.ts';
import { isPayment, named, newPspReference, type StoredPayment } from '#lib/simulators/adyen/objects.ts';
import { cancel } from '#lib/simulators/adyen/outcomes.ts';
import { newRefund } from '#lib/simulators/adyen/refunds.ts';
import { ownOf } from '#lib/simulators/frame/own.ts';
import type { Work } from '#lib/simulators/frame/provider.port.ts';

/** Another account's payment reads as not found. */
function paymentOf({ id, body }: Pick<Ask, 'id' | 'body'>, work: Work): StoredPayment {
  const payment = ownOf(work, id, isPayment);
  if (!payment || payment.body.status === 'waiting') throw noSuchPayment();
  if (payment.body.merchantAccount !== textIn(body, 'merchantAccount'))
    throw refused(403, '901', 'Invalid Merchant Account', 'security');
  return payment;
}

/** All modifications are answered alike: the result follows by webhook. */
const received = (pspReference: string, { body, id }: Ask, more: object = {}) => ({
  merchantAccount: textIn(body, 'merchantAccount'),
  ...(id !== '' && { paymentPspReference: id }),
  pspReference,
  reference: textIn(body, 'reference'),
  status: 'received',
  ...more,
});

function cancelPayment(ask: Ask, work: Work): object {
  const payment = paymentOf(ask, work);
  const refused = ask.call.script?.behaviour.kind === 'decline';
  return received(
    cancel(work, payment, 'CANCELLATION', textIn(ask.body, 'reference') || payment.body.merchantReference, refused),
    ask,
  );
}

/** By the merchant's own reference, also for unknown ones: answered before any look-up. */
function cancelByReference(ask: Ask, work: Work): object {
  const paymentReference = textIn(ask.body, 'paymentReference');
  if (paymentReference === '') throw invalid('130', 'Required field paymentReference is not provided.');
  const payment = ownOf(work, named(work.objects, paymentReference)?.id, isPayment);
  const pspReference = payment ? cancel(work, payment, 'TECHNICAL_CANCEL', paymentReference, false) : newPspReference();
  return received(pspReference, ask, { paymentReference });
}

function refund(ask: Ask, work: Work): object {
  const payment = paymentOf(ask, work);
  const amount = amountIn(ask.body);
  if (amount.currency !== payment.body.amount.currency)
    throw invalid('138', 'The currency differs from that of the payment');
  return received(
    newRefund(work, payment, { amount, reference: textIn(ask.body, 'reference'), script: ask.call.script }),
    ask,
    { amount },
  );
}

const checked = (known: (body: Body) => void) => (body: Body) => {
  known(body);
  checkAccount(body);
};

export const modificationRoutes = [
  api({
    method: 'POST',
    path: '/v72/payments/{id}/cancels',
    operation: 'cancel',
    status: 201,
    check: checked(knownCancel),
    run: cancelPayment,
  }),
  api({
    method: 'POST',
    path: '/v72/payments/{id}/refunds',
    operation: 'refund',
    status: 201,
    check: checked(knownRefund),
    run: refund,
  }),
  api({
    method: 'POST',
    path: '/v72/cancels',
    operation: 'cancel',
    status: 201,
    check: checked(knownStandaloneCancel),
    run: cancelByReference,
  }),
];
