import { type Ask, api, type Body, invalid } from '#lib/local/simulators/adyen/answers.ts';
import { amountIn, checkPayment, knownDetails, metadataIn, textIn } from '#lib/local/simulators/adyen/checks.ts';
import { isPayment, named, type StoredPayment } from '#lib/local/simulators/adyen/objects.ts';
import { newPayment, refuse, tryToPay } from '#lib/local/simulators/adyen/outcomes.ts';
import { reasonOf } from '#lib/local/simulators/adyen/refusals.ts';
import { methodOf } from '#lib/local/simulators/adyen/test-methods.ts';
import { following } from '#lib/local/simulators/frame/following.ts';
import { isObject } from '#lib/local/simulators/frame/json.ts';
import { ownOf } from '#lib/local/simulators/frame/own.ts';
import type { Work } from '#lib/local/simulators/frame/provider.port.ts';
import { HERE } from '#lib/local/simulators/frame/wire.ts';

function create({ body, call }: Ask, work: Work): object {
  const method = methodOf(body);
  const metadata = metadataIn(body);
  const { behaviour, webhook } = following(call.script);
  const payment = newPayment(work, {
    body: { merchantAccount: textIn(body, 'merchantAccount'), merchantReference: textIn(body, 'reference'), amount: amountIn(body), metadata },
    notes: { behaviour, webhook, method, returnUrl: textIn(body, 'returnUrl'), passed: null, refunded: 0 },
    paymentId: metadata.payment_id ?? null,
    parent: null,
  });
  return shown(tryToPay(work, payment, behaviour, false));
}

/** The answer to a charge, at the state it is in. */
function shown({ id: pspReference, body, notes }: StoredPayment): object {
  const { merchantReference, amount, status, code } = body;
  const { type } = notes.method;
  switch (status) {
    case 'authorised': {
      const additionalData = { authCode: '044925', cardSummary: '1142', refusalReasonRaw: 'AUTHORISED' };
      return { additionalData, pspReference, resultCode: 'Authorised', amount, merchantReference, paymentMethod: { brand: 'visa', type } };
    }
    case 'waiting': {
      const action = { paymentMethodType: type, url: `${HERE}/adyen/redirect/${pspReference}`, method: 'GET', type: 'redirect' };
      // A card's redirect comes with the reference of the payment, a bank's without.
      return { resultCode: 'RedirectShopper', action, ...(notes.method.paidAway ? {} : { pspReference }) };
    }
    case 'pending':
      if (type === 'blik')
        return { pspReference, resultCode: 'Pending', action: { type: 'await', paymentMethodType: type, paymentData: 'Ab02b4c0' }, merchantReference };
      return { pspReference, resultCode: type === 'sepadirectdebit' ? 'Received' : 'Pending', merchantReference };
    default:
      return {
        pspReference,
        resultCode: status === 'cancelled' ? 'Cancelled' : 'Refused',
        ...(code !== null && { refusalReason: reasonOf(code), refusalReasonCode: code }),
        merchantReference,
      };
  }
}

const detailsIn = ({ details }: Body): Body => {
  if (!isObject(details) || Object.keys(details).length === 0) throw invalid('14_003', 'Required object details is not provided.');
  return details;
};

/** Goes on with what the customer brought back. Whatever was settled meanwhile is answered as it is. */
function goOn({ body, call }: Ask, work: Work): object {
  const payment = ownOf(work, named(work.objects, textIn(detailsIn(body), 'redirectResult'))?.id, isPayment);
  if (!payment) throw invalid('14_002', 'The details are not of a payment that waits for them.');
  if (payment.body.status !== 'waiting') return shown(payment);
  if (call.script === null) work.sendBy(payment.notes.webhook);
  if (payment.notes.passed !== true) return shown(refuse(work, payment, payment.notes.passed === null ? '16' : '11'));
  return shown(tryToPay(work, payment, call.script?.behaviour ?? null, true));
}

export const paymentRoutes = [
  api({ method: 'POST', path: '/v72/payments', operation: 'create', status: 200, check: checkPayment, run: create }),
  api({
    method: 'POST',
    path: '/v72/payments/details',
    operation: 'confirm',
    status: 200,
    check: (body) => {
      knownDetails(body);
      detailsIn(body);
    },
    run: goOn,
  }),
];
