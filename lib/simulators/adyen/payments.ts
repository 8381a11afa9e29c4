import { type Ask, api, type Body, invalid } from '#lib/simulators/adyen/answers.ts';
import { amountIn, checkPayment, knownDetails, metadataIn, textIn } from '#lib/simulators/adyen/checks.ts';
import { isPayment, named, type StoredPayment } from '#lib/simulators/adyen/objects.ts';
import { newPayment, refuse, tryToPay } from '#lib/simulators/adyen/outcomes.ts';
import { checkRecurring, isUnattended, orderedUnattended, unattended } from '#lib/simulators/adyen/recurring.ts';
import { reasonOf } from '#lib/simulators/adyen/refusals.ts';
import { methodOf } from '#lib/simulators/adyen/test-methods.ts';
import { askedByComponent, md, paReq, readComponent } from '#lib/simulators/adyen/three-ds.ts';
import { following } from '#lib/simulators/frame/following.ts';
import { isObject } from '#lib/simulators/frame/json.ts';
import { ownOf } from '#lib/simulators/frame/own.ts';
import type { Work } from '#lib/simulators/frame/provider.port.ts';
import { HERE } from '#lib/simulators/frame/wire.ts';

function create({ body, call }: Ask, work: Work): object {
  const away = isUnattended(body);
  const method = away ? unattended(methodOf(body)) : methodOf(body);
  const metadata = metadataIn(body);
  const { behaviour: wanted, webhook } = following(call.script);
  const behaviour = away ? orderedUnattended(wanted) : wanted;
  const payment = newPayment(work, {
    body: {
      merchantAccount: textIn(body, 'merchantAccount'),
      merchantReference: textIn(body, 'reference'),
      amount: amountIn(body),
      metadata,
    },
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
      return {
        additionalData,
        pspReference,
        resultCode: 'Authorised',
        amount,
        merchantReference,
        paymentMethod: { brand: 'visa', type },
      };
    }
    case 'waiting': {
      if (notes.method.by === 'component') return askedByComponent(pspReference, notes.component ?? 'fingerprint');
      const action = {
        paymentMethodType: type,
        url: `${HERE}/adyen/redirect/${pspReference}`,
        method: 'GET',
        type: 'redirect',
      };
      const posted = notes.method.by === 'form' && {
        method: 'POST',
        data: { MD: md(pspReference), PaReq: paReq(pspReference), TermUrl: notes.returnUrl },
      };
      // A card's redirect comes with the reference of the payment, a bank's without.
      return {
        resultCode: 'RedirectShopper',
        action: { ...action, ...posted },
        ...(notes.method.paidAway ? {} : { pspReference }),
      };
    }
    case 'pending':
      if (type === 'blik')
        return {
          pspReference,
          resultCode: 'Pending',
          action: { type: 'await', paymentMethodType: type, paymentData: 'Ab02b4c0' },
          merchantReference,
        };
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
  if (!isObject(details) || Object.keys(details).length === 0)
    throw invalid('14_003', 'Required object details is not provided.');
  return details;
};

/**
 * The payment that the details are of, and whether its customer has passed; a component may have the bank ask once
 * more.
 */
function detailed(
  body: Body,
  work: Work,
): { readonly payment: StoredPayment; readonly passed: boolean | null; readonly again?: true } {
  const details = detailsIn(body);
  const said = 'threeDSResult' in details ? readComponent(textIn(details, 'threeDSResult')) : undefined;
  const name = said?.reference ?? (textIn(details, 'PaRes') || textIn(details, 'redirectResult'));
  const payment = ownOf(work, said ? name : named(work.objects, name)?.id, isPayment);
  if (!payment) throw invalid('14_002', 'The details are not of a payment that waits for them.');
  return said
    ? { payment, passed: said.status === 'Y', ...(said.status === 'C' && { again: true }) }
    : { payment, passed: payment.notes.passed };
}

/** Continues with the customer's return data. A settled payment answers its present state. */
function goOn({ body, call }: Ask, work: Work): object {
  const { payment, passed, again } = detailed(body, work);
  if (payment.body.status !== 'waiting') return shown(payment);
  if (again) return shown(work.objects.change(payment, {}, { component: 'challenge' }));
  if (call.script === null) work.sendBy(payment.notes.webhook);
  if (passed !== true) return shown(refuse(work, payment, passed === null ? '16' : '11'));
  return shown(tryToPay(work, payment, call.script?.behaviour ?? null, true));
}

export const paymentRoutes = [
  api({
    method: 'POST',
    path: '/v72/payments',
    operation: 'create',
    status: 200,
    check: (body) => {
      checkPayment(body);
      checkRecurring(body);
    },
    run: create,
  }),
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
