import { additionalDataOf, cardNotes, checkStored } from '#lib/simulators/adyen/cards.ts';
import { reasonOf, resultOf } from '#lib/simulators/adyen/declines.ts';
import { keepFor } from '#lib/simulators/adyen/details.ts';
import { apiError, invalid, noSuchPayment } from '#lib/simulators/adyen/errors.ts';
import { findByAlias, isPayment, newPspReference, type StoredPayment } from '#lib/simulators/adyen/objects.ts';
import { attemptPayment, cancel, newPayment, refuse } from '#lib/simulators/adyen/outcomes.ts';
import {
  type ApiRequest,
  amountIn,
  apiRoute,
  type Body,
  checkAccount,
  checkCancelFields,
  checkDetailsFields,
  checkPayment,
  checkRecurring,
  checkStandaloneCancelFields,
  isManual,
  isOffSession,
  metadataIn,
  textIn,
} from '#lib/simulators/adyen/requests.ts';
import { methodOf, offSessionMethod } from '#lib/simulators/adyen/test-methods.ts';
import { componentAction, mdOf, paReqOf, readComponentResult } from '#lib/simulators/adyen/three-d-secure.ts';
import { findOwned } from '#lib/simulators/kit/account-scope.ts';
import { offSessionBehaviour, scenarioNotes } from '#lib/simulators/kit/behaviour.ts';
import { isObject } from '#lib/simulators/kit/json.ts';
import type { UnitOfWork } from '#lib/simulators/kit/provider-simulator.port.ts';
import { BASE_URL } from '#lib/simulators/kit/wire.ts';

function createPayment({ body, call }: ApiRequest, work: UnitOfWork): object {
  const offSession = isOffSession(body);
  const method = offSession ? offSessionMethod(methodOf(body)) : methodOf(body);
  const metadata = metadataIn(body);
  const { behaviour: scenarioBehaviour, webhook } = scenarioNotes(call.scenario);
  const behaviour = offSession ? offSessionBehaviour(scenarioBehaviour) : scenarioBehaviour;
  const keep = keepFor(body);
  const payment = newPayment(work, {
    body: {
      merchantAccount: textIn(body, 'merchantAccount'),
      merchantReference: textIn(body, 'reference'),
      amount: amountIn(body),
      metadata,
    },
    notes: {
      behaviour,
      webhook,
      method,
      returnUrl: textIn(body, 'returnUrl'),
      passed: null,
      refunded: 0,
      ...(isManual(body) && { manual: true }),
      ...cardNotes(body),
      ...(keep !== undefined && { keep }),
    },
    paymentId: metadata.payment_id ?? null,
    parent: null,
  });
  return paymentResponse(attemptPayment(work, payment, behaviour, false));
}

/** The response for a payment in its present state. */
function paymentResponse(payment: StoredPayment): object {
  switch (payment.body.status) {
    case 'authorised':
      return authorisedResponse(payment);
    case 'waiting':
      return actionResponse(payment);
    case 'pending':
      return pendingResponse(payment);
    default:
      return refusedResponse(payment);
  }
}

function authorisedResponse(payment: StoredPayment): object {
  const { id: pspReference, body, notes } = payment;
  return {
    additionalData: additionalDataOf(payment),
    pspReference,
    resultCode: notes.partial ? 'PartiallyAuthorised' : 'Authorised',
    amount: body.amount,
    merchantReference: body.merchantReference,
    paymentMethod: { brand: notes.method.brand ?? 'visa', type: notes.method.type },
  };
}

function actionResponse({ id: pspReference, notes }: StoredPayment): object {
  const { type, by, paidAway } = notes.method;
  if (by === 'component') return componentAction(pspReference, notes.component ?? 'fingerprint');
  const redirect = {
    paymentMethodType: type,
    url: `${BASE_URL}/adyen/redirect/${pspReference}`,
    method: 'GET',
    type: 'redirect',
  };
  const form = by === 'form' && {
    method: 'POST',
    data: { MD: mdOf(pspReference), PaReq: paReqOf(pspReference), TermUrl: notes.returnUrl },
  };
  // The redirect of a card has the reference of the payment, the redirect of a bank has none.
  return {
    resultCode: 'RedirectShopper',
    action: { ...redirect, ...form },
    ...(paidAway ? {} : { pspReference }),
  };
}

function pendingResponse({ id: pspReference, body: { merchantReference }, notes }: StoredPayment): object {
  const { type } = notes.method;
  if (type !== 'blik')
    return { pspReference, resultCode: type === 'sepadirectdebit' ? 'Received' : 'Pending', merchantReference };
  const action = { type: 'await', paymentMethodType: type, paymentData: 'Ab02b4c0' };
  return { pspReference, resultCode: 'Pending', action, merchantReference };
}

function refusedResponse({ id: pspReference, body, notes }: StoredPayment): object {
  const { code, merchantReference } = body;
  const { data } = notes.method;
  return {
    ...(data && Object.keys(data).length > 0 && { additionalData: data }),
    pspReference,
    resultCode: code === null ? 'Cancelled' : resultOf(code),
    ...(code !== null && { refusalReason: reasonOf(code), refusalReasonCode: code }),
    merchantReference,
  };
}

const detailsIn = ({ details }: Body): Body => {
  if (!isObject(details) || Object.keys(details).length === 0)
    throw invalid('14_003', 'Required object details is not provided.');
  return details;
};

/** The payment of these details, and whether its customer authenticated. `again`: the bank wants a challenge too. */
function paymentOfDetails(
  body: Body,
  work: UnitOfWork,
): { readonly payment: StoredPayment; readonly passed: boolean | null; readonly again?: true } {
  const details = detailsIn(body);
  const component = 'threeDSResult' in details ? readComponentResult(textIn(details, 'threeDSResult')) : undefined;
  const name = component?.reference ?? (textIn(details, 'PaRes') || textIn(details, 'redirectResult'));
  const payment = findOwned(work, component ? name : findByAlias(work.objects, name)?.id, isPayment);
  if (!payment) throw invalid('14_002', 'The details are not of a payment that waits for them.');
  return component
    ? { payment, passed: component.status === 'Y', ...(component.status === 'C' && { again: true }) }
    : { payment, passed: payment.notes.passed };
}

/** Continues with what the customer returned with. A settled payment shows its present state. */
function submitDetails({ body, call }: ApiRequest, work: UnitOfWork): object {
  const { payment, passed, again } = paymentOfDetails(body, work);
  if (payment.body.status !== 'waiting') return paymentResponse(payment);
  if (again) return paymentResponse(work.objects.change(payment, {}, { component: 'challenge' }));
  if (call.scenario === null) work.setWebhookMode(payment.notes.webhook);
  if (passed !== true) return paymentResponse(refuse(work, payment, passed === null ? '16' : '11'));
  return paymentResponse(attemptPayment(work, payment, call.scenario?.behaviour ?? null, true));
}

/** A payment of another account reads as missing. */
export function findPayment({ id, body }: Pick<ApiRequest, 'id' | 'body'>, work: UnitOfWork): StoredPayment {
  const payment = findOwned(work, id, isPayment);
  if (!payment || payment.body.status === 'waiting') throw noSuchPayment();
  if (payment.body.merchantAccount !== textIn(body, 'merchantAccount'))
    throw apiError(403, '901', 'Invalid Merchant Account', 'security');
  return payment;
}

/** All modifications get the same response: the result follows by webhook. */
export const receivedResponse = (pspReference: string, { body, id }: ApiRequest, more: object = {}) => ({
  merchantAccount: textIn(body, 'merchantAccount'),
  ...(id !== '' && { paymentPspReference: id }),
  pspReference,
  reference: textIn(body, 'reference'),
  status: 'received',
  ...more,
});

export const checkModification = (known: (body: Body) => void) => (body: Body, work: UnitOfWork) => {
  known(body);
  checkAccount(body, work);
};

function cancelPayment(request: ApiRequest, work: UnitOfWork): object {
  const payment = findPayment(request, work);
  const declined = request.call.scenario?.behaviour.kind === 'decline';
  return receivedResponse(
    cancel(
      work,
      payment,
      'CANCELLATION',
      textIn(request.body, 'reference') || payment.body.merchantReference,
      declined,
    ),
    request,
  );
}

/** By the merchant's reference. Unknown references get the same response, as Adyen looks them up only later. */
function cancelByReference(request: ApiRequest, work: UnitOfWork): object {
  const paymentReference = textIn(request.body, 'paymentReference');
  if (paymentReference === '') throw invalid('130', 'Required field paymentReference is not provided.');
  const payment = findOwned(work, findByAlias(work.objects, paymentReference)?.id, isPayment);
  const pspReference = payment ? cancel(work, payment, 'TECHNICAL_CANCEL', paymentReference, false) : newPspReference();
  return receivedResponse(pspReference, request, { paymentReference });
}

export const paymentRoutes = [
  apiRoute({
    method: 'POST',
    path: '/v72/payments',
    operation: 'create',
    status: 200,
    check: (body, work) => {
      checkPayment(body, work);
      checkRecurring(body);
      checkStored(body, work);
    },
    run: createPayment,
  }),
  apiRoute({
    method: 'POST',
    path: '/v72/payments/details',
    operation: 'confirm',
    status: 200,
    check: (body) => {
      checkDetailsFields(body);
      detailsIn(body);
    },
    run: submitDetails,
  }),
  apiRoute({
    method: 'POST',
    path: '/v72/payments/{id}/cancels',
    operation: 'cancel',
    status: 201,
    check: checkModification(checkCancelFields),
    run: cancelPayment,
  }),
  apiRoute({
    method: 'POST',
    path: '/v72/cancels',
    operation: 'cancel',
    status: 201,
    check: checkModification(checkStandaloneCancelFields),
    run: cancelByReference,
  }),
];
