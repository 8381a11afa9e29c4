import { checkDetails } from '#lib/simulators/checkout/details.ts';
import { invalid, json, notAllowed } from '#lib/simulators/checkout/errors.ts';
import { checkMoney } from '#lib/simulators/checkout/money.ts';
import {
  actionsOf,
  findPayment,
  isPayment,
  paymentUrl,
  paymentView,
  pendingResponse,
  processedResponse,
  referenceId,
} from '#lib/simulators/checkout/objects.ts';
import { attemptPayment, endPayment, newPayment } from '#lib/simulators/checkout/outcomes.ts';
import {
  apiRoute,
  checkBody,
  commonFields,
  metadataIn,
  seriesIn,
  textIn,
  urlIn,
  wants3ds,
} from '#lib/simulators/checkout/requests.ts';
import { sourceOf } from '#lib/simulators/checkout/test-methods.ts';
import { offSessionBehaviour, scenarioNotes } from '#lib/simulators/kit/behaviour.ts';
import type { Call, UnitOfWork } from '#lib/simulators/kit/provider-simulator.port.ts';
import type { WireResponse } from '#lib/simulators/kit/wire.ts';

function createPayment(call: Call, work: UnitOfWork): WireResponse {
  checkBody(call);
  const { input } = call;
  checkDetails(input);
  const { capture: captures, ...common } = commonFields(input);
  const { payment_type, offSession } = seriesIn(input);
  const money = checkMoney(input.amount, input.currency);
  const urls = { success: urlIn(input, 'success_url', 1024), failure: urlIn(input, 'failure_url', 1024) };
  const secure = wants3ds(input) && !offSession;
  const source = sourceOf(input.source, work);
  const { behaviour, webhook } = scenarioNotes(call.scenario);
  const notes = {
    behaviour: offSession ? offSessionBehaviour(behaviour) : behaviour,
    webhook,
    capture: captures,
    urls,
    ...(source.authentication && { authentication: source.authentication }),
  };
  const payment = newPayment(work, source, { ...common, ...money, payment_type }, notes);
  const attempt = attemptPayment(work, payment, source, secure);
  return attempt.payment.body.status === 'Pending'
    ? json(202, pendingResponse(attempt.payment))
    : json(201, processedResponse(attempt.payment, attempt.action));
}

/** Newest first. */
function listPayments({ request: { query } }: Call, work: UnitOfWork): WireResponse {
  const reference = query.get('reference');
  const [limit, skip] = [Number(query.get('limit') ?? 10), Number(query.get('skip') ?? 0)];
  if (!reference) throw invalid('reference_required');
  if (!Number.isInteger(limit) || limit < 1 || limit > 100) throw invalid('limit_invalid');
  const all = work.objects
    .childrenOf(referenceId(reference))
    .filter(isPayment)
    .filter(({ account }) => account === work.account)
    .toReversed();
  return json(200, { limit, skip, total_count: all.length, data: all.slice(skip, skip + limit).map(paymentView) });
}

/**
 * Only an authorized payment can be voided, or the rest of one that was captured in part: not one that waits for the
 * customer. The response only accepts it: the result follows by webhook.
 */
function voidPayment(call: Call, work: UnitOfWork): WireResponse {
  checkBody(call);
  const payment = findPayment(work, call.params.id ?? '');
  if (payment.body.balances.available_to_void === 0) throw notAllowed();
  const reference = textIn(call.input, 'reference', 80);
  const { action } = endPayment(work, payment, 'Voided', { reference, metadata: metadataIn(call.input) });
  return json(202, { action_id: action.id, reference, _links: { payment: { href: paymentUrl(payment.id) } } });
}

export const paymentRoutes = [
  apiRoute('POST', '/payments', 'create', createPayment),
  apiRoute('GET', '/payments', 'find', listPayments),
  apiRoute('GET', '/payments/{id}', 'fetch', ({ params }, work) =>
    json(200, paymentView(findPayment(work, params.id ?? ''))),
  ),
  apiRoute('GET', '/payments/{id}/actions', 'fetch_refund', ({ params }, work) =>
    json(
      200,
      actionsOf(work, findPayment(work, params.id ?? '')).map(({ body }) => body),
    ),
  ),
  apiRoute('POST', '/payments/{id}/voids', 'cancel', voidPayment),
];
