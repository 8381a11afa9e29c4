import { api, invalid, json, notAllowed } from '#lib/simulators/checkout/answers.ts';
import { attempt, newPayment, unattended } from '#lib/simulators/checkout/attempt.ts';
import { actionsOf, findPayment } from '#lib/simulators/checkout/find.ts';
import { checkAmount, checkMoney } from '#lib/simulators/checkout/money.ts';
import { isPayment, referenceId } from '#lib/simulators/checkout/objects.ts';
import { capture, end, type Step } from '#lib/simulators/checkout/outcomes.ts';
import { sourceOf } from '#lib/simulators/checkout/sources.ts';
import {
  asksFor3ds,
  checkWire,
  commonOf,
  metadataAt,
  seriesOf,
  textAt,
  urlAt,
} from '#lib/simulators/checkout/validation.ts';
import { accepted, processed, selfOf, shown } from '#lib/simulators/checkout/views.ts';
import { following } from '#lib/simulators/frame/following.ts';
import type { Call, Work } from '#lib/simulators/frame/provider.port.ts';
import type { WireAnswer } from '#lib/simulators/frame/wire.ts';

function create(call: Call, work: Work): WireAnswer {
  checkWire(call);
  const { input } = call;
  const { capture: captures, ...common } = commonOf(input);
  const { payment_type, absent } = seriesOf(input);
  const money = checkMoney(input.amount, input.currency);
  const urls = { success: urlAt(input, 'success_url', 1024), failure: urlAt(input, 'failure_url', 1024) };
  const secure = asksFor3ds(input) && !absent;
  const source = sourceOf(input.source, work);
  const { behaviour, webhook } = following(call.script);
  const notes = { behaviour: absent ? unattended(behaviour) : behaviour, webhook, capture: captures, urls };
  const payment = newPayment(work, source, { ...common, ...money, payment_type }, notes);
  const made = attempt(work, payment, source, secure);
  return made.action ? json(201, processed(made.payment, made.action)) : json(202, accepted(made.payment));
}

/** Newest first. */
function list({ request: { query } }: Call, work: Work): WireAnswer {
  const reference = query.get('reference');
  const [limit, skip] = [Number(query.get('limit') ?? 10), Number(query.get('skip') ?? 0)];
  if (!reference) throw invalid('reference_required');
  if (!Number.isInteger(limit) || limit < 1 || limit > 100) throw invalid('limit_invalid');
  const all = work.objects
    .childrenOf(referenceId(reference))
    .filter(isPayment)
    .filter(({ account }) => account === work.account)
    .toReversed();
  return json(200, { limit, skip, total_count: all.length, data: all.slice(skip, skip + limit).map(shown) });
}

/** What a capture or void says of itself, and its answer: taken, and told about later. */
function ordering(call: Call, step: (own: object, amount: unknown) => Step): WireAnswer {
  checkWire(call);
  const { input } = call;
  const reference = textAt(input, 'reference', 80);
  const { payment, action } = step({ reference, metadata: metadataAt(input) }, input.amount);
  return json(202, { action_id: action.id, reference, _links: { payment: { href: selfOf(payment.id) } } });
}

function orderCapture(call: Call, work: Work): WireAnswer {
  const payment = findPayment(work, call.params.id ?? '');
  return ordering(call, (own, amount) => {
    if (payment.body.status !== 'Authorized') throw notAllowed();
    const wanted = amount === undefined ? payment.body.amount : checkAmount(amount, payment.body.currency);
    if (wanted > payment.body.balances.available_to_capture) throw invalid('capture_value_greater_than_authorized');
    return capture(work, payment, wanted, own);
  });
}

/** Only what is authorized can be let go: not what is captured, and not what still waits for the customer. */
function orderVoid(call: Call, work: Work): WireAnswer {
  const payment = findPayment(work, call.params.id ?? '');
  if (payment.body.status !== 'Authorized') throw notAllowed();
  return ordering(call, (own) => end(work, payment, 'Voided', own));
}

export const paymentRoutes = [
  api('POST', '/payments', 'create', create),
  api('GET', '/payments', 'find', list),
  api('GET', '/payments/{id}', 'fetch', ({ params }, work) => json(200, shown(findPayment(work, params.id ?? '')))),
  api('GET', '/payments/{id}/actions', 'fetch_refund', ({ params }, work) =>
    json(
      200,
      actionsOf(work, findPayment(work, params.id ?? '')).map(({ body }) => body),
    ),
  ),
  api('POST', '/payments/{id}/captures', 'capture', orderCapture),
  api('POST', '/payments/{id}/voids', 'cancel', orderVoid),
];
