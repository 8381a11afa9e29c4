import { findOwned } from '#lib/simulators/kit/account-scope.ts';
import {
  type Dispute,
  disputeLife,
  disputesOf,
  isDispute,
  type StoredDispute,
} from '#lib/simulators/kit/dispute-life.ts';
import { isObject, parseObject } from '#lib/simulators/kit/json.ts';
import { toMajorUnits } from '#lib/simulators/kit/money.ts';
import type { Call, Input, NewDispute, Route, UnitOfWork } from '#lib/simulators/kit/provider-simulator.port.ts';
import { randomId } from '#lib/simulators/kit/random-id.ts';
import { BASE_URL, type WireResponse } from '#lib/simulators/kit/wire.ts';
import { invalidRequest, json, notFound, unprocessable } from '#lib/simulators/paypal/errors.ts';
import { EXPIRED_TOKEN, hasExpired } from '#lib/simulators/paypal/oauth.ts';
import { isCapture } from '#lib/simulators/paypal/objects.ts';
import { apiRoute } from '#lib/simulators/paypal/requests.ts';
import { CURRENCIES } from '#shared/domain/reference/currencies.catalog.ts';
import { DAY } from '#shared/kernel/clock.ts';

const REASONS: Readonly<Record<NewDispute['reason'], string>> = {
  fraudulent: 'UNAUTHORISED',
  unrecognized: 'UNAUTHORISED',
  duplicate: 'DUPLICATE_TRANSACTION',
  product_not_received: 'MERCHANDISE_OR_SERVICE_NOT_RECEIVED',
  product_unacceptable: 'MERCHANDISE_OR_SERVICE_NOT_AS_DESCRIBED',
  subscription_canceled: 'CANCELED_RECURRING_BILLING',
  credit_not_processed: 'CREDIT_NOT_PROCESSED',
  processing_error: 'INCORRECT_AMOUNT',
  authorization: 'OTHER',
  debit_not_authorized: 'OTHER',
  insufficient_funds: 'OTHER',
  general: 'OTHER',
};

const STATUSES: Readonly<Record<Dispute['state'], string>> = {
  inquiry: 'OPEN',
  needs_response: 'WAITING_FOR_SELLER_RESPONSE',
  under_review: 'UNDER_REVIEW',
  won: 'RESOLVED',
  lost: 'RESOLVED',
  accepted: 'RESOLVED',
  expired: 'RESOLVED',
};

/** PayPal does not say why the customer won: a claim that nobody answered is decided like any other. */
const OUTCOMES: Readonly<Partial<Record<Dispute['state'], string>>> = {
  won: 'RESOLVED_SELLER_FAVOUR',
  lost: 'RESOLVED_BUYER_FAVOUR',
  accepted: 'RESOLVED_BUYER_FAVOUR',
  expired: 'RESOLVED_BUYER_FAVOUR',
};

const iso = (at: number): string => new Date(at).toISOString();

const amountOf = ({ amount, currency }: Dispute) => ({
  currency_code: currency,
  value: toMajorUnits(amount, CURRENCIES[currency] ?? 2),
});

const linkTo = ({ id }: StoredDispute, rel: string, action = '') => ({
  href: `${BASE_URL}/paypal/v1/customer/disputes/${id}${action}`,
  rel,
  method: action === '' ? 'GET' : 'POST',
});

/** What a list shows: neither the transaction nor the outcome. */
const summary = (dispute: StoredDispute) => ({
  dispute_id: dispute.id,
  create_time: iso(dispute.body.openedAt),
  update_time: iso(dispute.body.changedAt),
  reason: REASONS[dispute.body.reason],
  status: STATUSES[dispute.body.state],
  dispute_amount: amountOf(dispute.body),
  dispute_life_cycle_stage: dispute.body.state === 'inquiry' ? 'INQUIRY' : 'CHARGEBACK',
  dispute_channel: 'INTERNAL',
  seller_response_due_date: iso(dispute.body.answerBy),
  links: [linkTo(dispute, 'self')],
});

function view(work: UnitOfWork, dispute: StoredDispute): object {
  const capture = work.objects.find(dispute.parent, isCapture);
  const outcome = OUTCOMES[dispute.body.state];
  const answers = [
    linkTo(dispute, 'accept_claim', '/accept-claim'),
    linkTo(dispute, 'provide_evidence', '/provide-evidence'),
  ];
  return {
    ...summary(dispute),
    disputed_transactions: [
      {
        seller_transaction_id: dispute.parent,
        create_time: capture?.body.create_time,
        transaction_status: 'COMPLETED',
        gross_amount: capture?.body.amount,
        ...(capture?.body.invoice_id && { invoice_number: capture.body.invoice_id }),
        ...(capture?.body.custom_id && { custom: capture.body.custom_id }),
        seller: { ...(work.accountPublicId && { merchant_id: work.accountPublicId }), name: work.accountName },
      },
    ],
    ...(outcome && { dispute_outcome: { outcome_code: outcome } }),
    links: [linkTo(dispute, 'self'), ...(life.isAnswerable(dispute) ? answers : [])],
  };
}

function tell(work: UnitOfWork, dispute: StoredDispute, before: Dispute['state'] | undefined): void {
  const ended = OUTCOMES[dispute.body.state] === undefined ? 'UPDATED' : 'RESOLVED';
  const type = before === undefined ? 'CREATED' : ended;
  const id = `WH-${randomId(17).toUpperCase()}-${randomId(17).toUpperCase()}`;
  const resource = view(work, dispute);
  work.emit(() =>
    JSON.stringify({
      id,
      event_version: '1.0',
      create_time: work.now.toISOString(),
      resource_type: 'dispute',
      resource_version: '1.0',
      event_type: `CUSTOMER.DISPUTE.${type}`,
      summary: 'A dispute of a customer.',
      resource,
      links: [{ href: `${BASE_URL}/paypal/v1/notifications/webhooks-events/${id}`, rel: 'self', method: 'GET' }],
    }),
  );
}

const life = disputeLife({
  newId: () => `PP-D-${randomId(5).toUpperCase()}${randomId(5).toUpperCase()}`,
  timeToAnswerMs: 10 * DAY,
  inquiries: true,
  reopens: true,
  currencyOf: (charged) => (isCapture(charged) ? charged.body.amount.currency_code : undefined),
  tell,
});

export const { controls: disputeControls, expire: expireDispute } = life;

function find(work: UnitOfWork, { params }: Call): StoredDispute {
  const dispute = findOwned(work, params.id, isDispute);
  if (!dispute) throw notFound();
  return dispute;
}

/** The fields of the one part of a form. */
function inputOf({ request }: Call): Input {
  const [, boundary] = /^multipart\/form-data; boundary=([\w-]+)$/.exec(request.headers['content-type'] ?? '') ?? [];
  const [head = '', ...part] = request.body.split('\r\n\r\n');
  const text = part.join('\r\n\r\n').split(`\r\n--${boundary}--`)[0] ?? '';
  const isPart = boundary !== undefined && head.startsWith(`--${boundary}\r\n`) && /name="input"/.test(head);
  const input = isPart ? parseObject(text) : undefined;
  if (!input) throw invalidRequest('/', 'MALFORMED_REQUEST_JSON', 'The request is not well formed.');
  return input;
}

const NOT_ALLOWED = 'The action is not allowed in the current state of the dispute.';

function findAnswerable(work: UnitOfWork, call: Call): StoredDispute {
  const dispute = find(work, call);
  if (!life.isAnswerable(dispute)) throw unprocessable('ACTION_NOT_ALLOWED_IN_CURRENT_DISPUTE_STATE', NOT_ALLOWED);
  return dispute;
}

const done = (dispute: StoredDispute): WireResponse => json(200, { links: [linkTo(dispute, 'self')] });

function acceptClaim(call: Call, work: UnitOfWork): WireResponse {
  inputOf(call);
  return done(life.accept(work, findAnswerable(work, call)));
}

function provideEvidence(call: Call, work: UnitOfWork): WireResponse {
  const { evidences } = inputOf(call);
  const [first] = Array.isArray(evidences) ? evidences : [];
  if (!isObject(first) || typeof first.evidence_type !== 'string')
    throw invalidRequest('/evidences', 'MISSING_REQUIRED_PARAMETER', 'A required field / parameter is missing.');
  if (typeof first.notes === 'string' && first.notes.length > 2_000)
    throw invalidRequest('/evidences/0/notes', 'INVALID_STRING_LENGTH', 'The value of a field is too long.');
  return done(life.answer(work, findAnswerable(work, call), { evidences }));
}

/** These calls take forms with files, and no JSON bodies. */
const formRoute = (path: string, run: Route['run']): Route => ({
  method: 'POST',
  path,
  operation: 'dispute',
  run: (call, work) => (hasExpired(call.request, work.now) ? EXPIRED_TOKEN : run(call, work)),
});

function listDisputes({ request: { query } }: Call, work: UnitOfWork): WireResponse {
  const size = Number(query.get('page_size') ?? 10);
  if (!Number.isInteger(size) || size < 1 || size > 50)
    throw invalidRequest('page_size', 'INVALID_PARAMETER_VALUE', 'The value of a field is invalid.');
  const transaction = query.get('disputed_transaction_id');
  const found = disputesOf(work).filter(({ parent }) => transaction === null || parent === transaction);
  return json(200, { items: found.toReversed().slice(0, size).map(summary), links: [] });
}

export const disputeRoutes = [
  apiRoute('GET', '/v1/customer/disputes', 'dispute', listDisputes),
  apiRoute('GET', '/v1/customer/disputes/{id}', 'dispute', (call, work) => json(200, view(work, find(work, call)))),
  formRoute('/v1/customer/disputes/{id}/accept-claim', acceptClaim),
  formRoute('/v1/customer/disputes/{id}/provide-evidence', provideEvidence),
];
