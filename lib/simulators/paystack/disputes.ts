import { findOwned } from '#lib/simulators/kit/account-scope.ts';
import {
  type Dispute,
  disputeLife,
  disputesOf,
  isDispute,
  type StoredDispute,
} from '#lib/simulators/kit/dispute-life.ts';
import type { NewDispute, Route, UnitOfWork } from '#lib/simulators/kit/provider-simulator.port.ts';
import { apiError, invalid, notFound } from '#lib/simulators/paystack/errors.ts';
import { announce } from '#lib/simulators/paystack/events.ts';
import {
  INTEGRATION,
  isTransaction,
  newCode,
  newNumericId,
  type StoredTransaction,
  transactionView,
} from '#lib/simulators/paystack/objects.ts';
import { type ApiRequest, apiRoute, requiredText, type Success } from '#lib/simulators/paystack/requests.ts';
import { HOUR } from '#shared/kernel/clock.ts';

/** Paystack has three categories. */
const categoryOf = (reason: NewDispute['reason']): string => {
  if (reason === 'fraudulent' || reason === 'unrecognized') return 'fraud';
  return reason === 'general' ? 'general' : 'chargeback';
};

const STATES: Readonly<Record<Dispute['state'], readonly [status: string, resolution: string | null]>> = {
  inquiry: ['awaiting-merchant-feedback', null],
  needs_response: ['awaiting-merchant-feedback', null],
  under_review: ['awaiting-bank-feedback', null],
  won: ['resolved', 'declined'],
  lost: ['resolved', 'bank-accepted'],
  accepted: ['resolved', 'merchant-accepted'],
  expired: ['resolved', 'auto-accepted'],
};

const iso = (at: number): string => new Date(at).toISOString();

const transactionOf = (work: UnitOfWork, { parent }: StoredDispute): StoredTransaction | undefined =>
  work.objects.find(parent, isTransaction);

function view(work: UnitOfWork, dispute: StoredDispute): object {
  const { state, amount, currency, reason, openedAt, answerBy, changedAt } = dispute.body;
  const transaction = transactionOf(work, dispute);
  const [status, resolution] = STATES[state];
  return {
    id: Number(dispute.id),
    refund_amount: amount,
    currency,
    status,
    resolution,
    domain: transaction?.body.domain ?? 'test',
    transaction: transaction && transactionView(transaction),
    transaction_reference: null,
    merchant_transaction_reference: transaction?.body.reference,
    category: categoryOf(reason),
    bin: '408408',
    last4: '4081',
    dueAt: iso(answerBy),
    resolvedAt: resolution === null ? null : iso(changedAt),
    evidence: dispute.body.evidence.id === undefined ? null : dispute.body.evidence,
    attachments: null,
    note: null,
    history: [{ status: 'pending', by: 'issuer@bank.example', createdAt: iso(openedAt) }],
    messages: [],
    integration: INTEGRATION,
    createdAt: iso(openedAt),
    updatedAt: iso(changedAt),
  };
}

function tell(work: UnitOfWork, dispute: StoredDispute, before: Dispute['state'] | undefined): void {
  const event = before === undefined ? 'create' : 'resolve';
  // While the bank looks at the answer, nothing is sent.
  if (before !== undefined && STATES[dispute.body.state][1] === null) return;
  announce(work, `charge.dispute.${event}`, () => view(work, dispute));
}

const life = disputeLife({
  newId: () => String(newNumericId()),
  timeToAnswerMs: 48 * HOUR,
  currencyOf: (charged) => (isTransaction(charged) ? charged.body.currency : undefined),
  tell,
});

export const { controls: disputeControls, expire: expireDispute } = life;

function find(work: UnitOfWork, id: string): StoredDispute {
  const dispute = findOwned(work, id, isDispute);
  if (!dispute) throw notFound('Dispute not found', 'dispute_not_found');
  return dispute;
}

function findAnswerable(work: UnitOfWork, id: string): StoredDispute {
  const dispute = find(work, id);
  if (!life.isAnswerable(dispute)) throw invalid('This dispute has been resolved', 'dispute_resolved');
  return dispute;
}

const UPLOAD_PREFIX = 'upload ';

/** The address is at AWS, with a signature in its query. */
function uploadUrl({ id, call }: ApiRequest, work: UnitOfWork): Success {
  const dispute = find(work, id);
  if (!call.request.query.get('upload_filename')) throw invalid('"upload_filename" is required');
  const fileName = newCode();
  const { account, paymentId } = dispute;
  const stored = { id: UPLOAD_PREFIX + fileName, account, kind: 'upload', paymentId, parent: id, due: null };
  work.objects.put({ ...stored, body: null, notes: null });
  const signedUrl = `https://s3.eu-west-1.amazonaws.com/files.paystack.co/${fileName}?X-Amz-Signature=${newCode()}`;
  return { message: 'Upload url generated', data: { signedUrl, fileName } };
}

/** AWS knows no accounts of Paystack: the signed address is enough. */
const storeRoute: Route = {
  method: 'PUT',
  path: '/files.paystack.co/{file}',
  operation: null,
  run: ({ params, request }, work) => {
    const upload = work.objects.get(UPLOAD_PREFIX + params.file);
    if (!upload || !request.query.has('X-Amz-Signature')) return { status: 403, headers: {}, body: '<Error/>' };
    work.objects.put({ ...upload, body: request.body });
    return { status: 200, headers: {}, body: '' };
  },
};

function addEvidence({ id, input }: ApiRequest, work: UnitOfWork): Success {
  const dispute = findAnswerable(work, id);
  for (const name of ['customer_email', 'customer_name', 'customer_phone', 'service_details'])
    requiredText(input, name);
  const evidence = { ...input, dispute: Number(id), id: newNumericId() };
  life.draft(work, dispute, evidence);
  return { message: 'Evidence created', data: evidence };
}

function resolveDispute({ id, input }: ApiRequest, work: UnitOfWork): Success {
  const dispute = findAnswerable(work, id);
  const resolution = requiredText(input, 'resolution');
  requiredText(input, 'message');
  const upload = work.objects.get<string | null, unknown>(UPLOAD_PREFIX + requiredText(input, 'uploaded_filename'));
  if (!upload || upload.parent !== id || upload.body === null) throw invalid('The uploaded file was not found');
  if (typeof input.refund_amount !== 'number') throw invalid('"refund_amount" is required');
  if (resolution !== 'merchant-accepted' && resolution !== 'declined') throw invalid('"resolution" is invalid');
  const after = resolution === 'declined' ? life.answer(work, dispute) : life.accept(work, dispute);
  return { message: 'Dispute successfully resolved', data: { ...view(work, after), transaction: 1 } };
}

/** `from` and `to` are about the creation. */
function listDisputes({ call }: ApiRequest, work: UnitOfWork): Success {
  const { query } = call.request;
  const [from, to] = [query.get('from') ?? '', query.get('to') ?? '9999'];
  const [perPage, page] = [Number(query.get('perPage') ?? 50), Number(query.get('page') ?? 1)];
  if (![perPage, page].every((n) => Number.isInteger(n) && n > 0))
    throw apiError(400, { message: 'Invalid pagination values passed', code: 'invalid_pagination' });
  const all = disputesOf(work)
    .filter(({ body }) => iso(body.openedAt) >= from && iso(body.openedAt) <= to)
    .toReversed();
  const skipped = (page - 1) * perPage;
  return {
    message: 'Disputes retrieved',
    data: all.slice(skipped, skipped + perPage).map((dispute) => view(work, dispute)),
    meta: { total: all.length, skipped, perPage, page, pageCount: Math.ceil(all.length / perPage) },
  };
}

export const disputeRoutes: readonly Route[] = [
  apiRoute('GET', '/dispute', 'dispute', listDisputes),
  apiRoute('GET', '/dispute/{id}', 'dispute', ({ id }, work) => ({
    message: 'Dispute retrieved',
    data: view(work, find(work, id)),
  })),
  apiRoute('GET', '/dispute/{id}/upload_url', 'dispute', uploadUrl),
  apiRoute('POST', '/dispute/{id}/evidence', 'dispute', addEvidence),
  apiRoute('PUT', '/dispute/{id}/resolve', 'dispute', resolveDispute),
  storeRoute,
];
