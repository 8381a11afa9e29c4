import * as z from 'zod';
import type { DisputeReason, DisputeStatus } from '#shared/domain/disputes/dispute.model.ts';
import type {
  DisputeEvidence,
  DisputePage,
  DisputeQuery,
  DisputeRef,
  PspDispute,
  PspDisputes,
} from '#shared/ports/dispute.port.ts';
import { PspOutcomeUnknown, PspRefused } from '#shared/ports/psp.port.ts';
import { lookUp } from '#shared/psp/kit/declines.ts';
import { answerDispute, joinedEvidence, lookUpAnswered, reasonCode } from '#shared/psp/kit/disputes.ts';
import { throwIfUnavailable } from '#shared/psp/kit/responses.ts';
import { isoTime } from '#shared/psp/kit/times.ts';
import { pageNumber } from '#shared/psp/kit/transactions.ts';
import { type PaystackContext, requestOrThrow } from '#shared/psp/paystack/client.ts';
import type { PaystackCredentials } from '#shared/psp/paystack/credentials.schema.ts';
import { paystackUnits, toOurMoney } from '#shared/psp/paystack/money.rules.ts';
import { readObject } from '#shared/psp/paystack/schema.ts';

const text = z.string().nullish().catch(undefined);

/** A look-up shows the transaction, some responses only its number. */
const Dispute = z.looseObject({
  id: z.union([z.int().transform(String), z.string().regex(/^\d{1,20}$/)]),
  refund_amount: z.unknown(),
  currency: text,
  status: z.string(),
  resolution: text,
  category: text,
  transaction: z.looseObject({ reference: text }).nullish().catch(undefined),
  merchant_transaction_reference: text,
  dueAt: text,
  due_at: text,
  createdAt: text,
  created_at: text,
});

type Dispute = z.infer<typeof Dispute>;

export const DISPUTE_CATEGORIES: Readonly<Record<string, DisputeReason>> = {
  chargeback: 'general',
  fraud: 'fraudulent',
  general: 'general',
};

/** Of resolved disputes. `auto-accepted`: nobody answered in time. UNVERIFIED: the whole list. */
const DISPUTE_RESOLUTIONS: Readonly<Record<string, DisputeStatus>> = {
  'auto-accepted': 'expired',
  'bank-accepted': 'lost',
  declined: 'won',
  'merchant-accepted': 'accepted',
};

function statusOf({ status, resolution }: Dispute): DisputeStatus {
  if (status === 'resolved' || status === 'archived') return lookUp(DISPUTE_RESOLUTIONS, resolution) ?? 'under_review';
  return status === 'awaiting-merchant-feedback' ? 'needs_response' : 'under_review';
}

function toPspDispute(value: unknown): PspDispute {
  const dispute = readObject(Dispute, 'dispute', value);
  const { id, refund_amount, currency, category, transaction } = dispute;
  return {
    reference: id,
    paymentReference: transaction?.reference ?? dispute.merchant_transaction_reference ?? null,
    status: statusOf(dispute),
    ...toOurMoney(refund_amount, currency),
    reason: lookUp(DISPUTE_CATEGORIES, category) ?? 'general',
    provider_reason: reasonCode(category),
    respond_by: isoTime(dispute.dueAt ?? dispute.due_at),
    opened_at: isoTime(dispute.createdAt ?? dispute.created_at),
  };
}

const pathOf = (reference: string): string => `/dispute/${encodeURIComponent(reference)}`;

async function fetchDispute({ reference, paymentId }: DisputeRef, psp: PaystackContext): Promise<PspDispute> {
  return toPspDispute(await requestOrThrow({ operation: 'dispute', paymentId, path: pathOf(reference) }, psp));
}

const PAGE_SIZE = 100;

/** Paystack lists a transaction's disputes by its own number, which we do not keep. */
async function listSince({ from, until, cursor }: DisputeQuery, psp: PaystackContext): Promise<DisputePage> {
  const page = pageNumber(cursor);
  const bounds = `from=${from.toISOString()}&to=${until.toISOString()}`;
  const path = `/dispute?${bounds}&perPage=${PAGE_SIZE}&page=${page}`;
  const data = readObject(
    z.array(z.unknown()),
    'list of disputes',
    await requestOrThrow({ operation: 'dispute', paymentId: null, path }, psp),
  );
  return { items: data.map(toPspDispute), next: data.length < PAGE_SIZE ? undefined : String(page + 1) };
}

const Upload = z.looseObject({ signedUrl: z.string(), fileName: z.string().min(1).max(200) });

/** Paystack keeps the documents of disputes in its own folder at AWS. Nothing is sent to any other address. */
const STORE = /^https:\/\/(s3[.-][a-z0-9-]+\.amazonaws\.com)(\/files\.paystack\.co\/[\w-][\w.-]*\?[^\s#]+)$/;

/** A dispute is answered with a document. Ours is the merchant's text. Returns its name. */
async function uploadText({ reference, paymentId }: DisputeRef, body: string, psp: PaystackContext): Promise<string> {
  const path = `${pathOf(reference)}/upload_url?upload_filename=answer.txt`;
  const data = await requestOrThrow({ operation: 'dispute', paymentId, path }, psp);
  const { signedUrl, fileName } = readObject(Upload, 'address for a document', data);
  const [, host = '', target = ''] = STORE.exec(signedUrl) ?? [];
  if (host === '') throw new PspOutcomeUnknown("Paystack's address for documents is not understood.");
  const headers = { 'content-type': 'text/plain' };
  const to = { operation: 'dispute', method: 'PUT', host, path: target } as const;
  const response = await psp.send({ ...to, headers, body, paymentId });
  throwIfUnavailable(response, psp.now());
  if (response.status >= 300)
    throw new PspRefused('request', `Paystack did not take the document (HTTP ${response.status}).`);
  return fileName;
}

const CUSTOMER = ['customer_email', 'customer_name', 'customer_phone'] as const;

/** For claims of fraud: who bought what. All of it, or nothing. */
async function addEvidence(
  { reference, paymentId }: DisputeRef,
  evidence: DisputeEvidence,
  psp: PaystackContext,
): Promise<number | undefined> {
  const missing = CUSTOMER.filter((name) => !evidence[name]);
  if (missing.length === CUSTOMER.length) return undefined;
  const { customer_email, customer_name, customer_phone, shipping_address, shipping_date } = evidence;
  const body = {
    customer_email,
    customer_name,
    customer_phone,
    service_details: evidence.product_description ?? evidence.explanation,
    ...(shipping_address && { delivery_address: shipping_address }),
    ...(shipping_date && { delivery_date: shipping_date }),
  };
  const path = `${pathOf(reference)}/evidence`;
  const data = await requestOrThrow({ operation: 'dispute', paymentId, path, body }, psp);
  return readObject(z.looseObject({ id: z.int() }), 'evidence', data).id;
}

/** Found before anything is sent. */
function checkEvidence(evidence: DisputeEvidence): void {
  const missing = CUSTOMER.filter((name) => !evidence[name]);
  if (missing.length > 0 && missing.length < CUSTOMER.length)
    throw new PspRefused(
      'request',
      `Paystack takes the customer's data only together: ${missing.join(', ')} is missing.`,
    );
  if (missing.length === 0 && !evidence.product_description && !evidence.explanation)
    throw new PspRefused('request', 'Paystack wants to know what was sold: product_description is missing.');
}

async function resolve(dispute: DisputeRef, body: Readonly<Record<string, unknown>>, psp: PaystackContext) {
  const { reference, paymentId } = dispute;
  const path = `${pathOf(reference)}/resolve`;
  await requestOrThrow({ operation: 'dispute', paymentId, path, method: 'PUT', body }, psp);
  return lookUpAnswered(() => fetchDispute(dispute, psp));
}

export const disputes: PspDisputes<PaystackCredentials> = {
  fetch: fetchDispute,
  listSince,
  accept: (dispute, _key, psp) => {
    const message = 'The merchant accepts this dispute.';
    const answer = async () => {
      const uploaded_filename = await uploadText(dispute, message, psp);
      const refund_amount = paystackUnits(dispute.amount, dispute.currency);
      return resolve(dispute, { resolution: 'merchant-accepted', message, refund_amount, uploaded_filename }, psp);
    };
    return answerDispute(answer, () => fetchDispute(dispute, psp));
  },
  submitEvidence: async (dispute, evidence, _key, psp) => {
    checkEvidence(evidence);
    const answer = async () => {
      const message = joinedEvidence(evidence);
      const uploaded_filename = await uploadText(dispute, message, psp);
      const id = await addEvidence(dispute, evidence, psp);
      const fields = { resolution: 'declined', message: evidence.explanation ?? message, refund_amount: 0 };
      return resolve(dispute, { ...fields, uploaded_filename, ...(id !== undefined && { evidence: id }) }, psp);
    };
    return answerDispute(answer, () => fetchDispute(dispute, psp));
  },
};
