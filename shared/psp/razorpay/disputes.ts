import * as z from 'zod';
import type { DisputeStatus } from '#shared/domain/disputes/dispute.model.ts';
import type { DisputePage, DisputeQuery, DisputeRef, PspDispute, PspDisputes } from '#shared/ports/dispute.port.ts';
import { reasonOfWords } from '#shared/psp/kit/dispute-reasons.ts';
import { answerDispute, reasonCode } from '#shared/psp/kit/disputes.ts';
import { isoFromSeconds } from '#shared/psp/kit/times.ts';
import { type RazorpayContext, requestOrThrow } from '#shared/psp/razorpay/client.ts';
import type { RazorpayCredentials } from '#shared/psp/razorpay/credentials.schema.ts';
import { toOurMoney } from '#shared/psp/razorpay/money.rules.ts';
import { readItems, readObject } from '#shared/psp/razorpay/schema.ts';

const text = z.string().nullish().catch(undefined);

const Dispute = z.looseObject({
  id: z.string().min(1),
  entity: z.literal('dispute'),
  payment_id: text,
  amount: z.int().nonnegative(),
  amount_deducted: z.int().nullish().catch(undefined),
  currency: z.string().length(3),
  reason_code: text,
  reason_description: text,
  respond_by: z.int().nullish().catch(undefined),
  status: z.string(),
  phase: text,
  created_at: z.int().nullish().catch(undefined),
});

type Dispute = z.infer<typeof Dispute>;

/** The bank only asks, or warns of fraud. Nothing is deducted. */
const INQUIRIES: ReadonlySet<string> = new Set(['fraud', 'retrieval']);

/** An inquiry that is closed was answered. A status of the future is under review. */
function statusOf({ status, phase, amount_deducted }: Dispute): DisputeStatus {
  const isInquiry = INQUIRIES.has(phase ?? '');
  if (status === 'won' || status === 'lost') return status;
  if (status === 'closed') return (amount_deducted ?? 0) > 0 ? 'lost' : 'won';
  if (isInquiry) return 'warning';
  return status === 'open' ? 'needs_response' : 'under_review';
}

function toPspDispute(value: unknown): PspDispute {
  const dispute = readObject(Dispute, 'dispute', value);
  const { id, payment_id, amount, currency, reason_code, reason_description } = dispute;
  return {
    reference: id,
    paymentReference: payment_id ?? null,
    status: statusOf(dispute),
    ...toOurMoney({ amount, currency }),
    reason: reasonOfWords(`${reason_code ?? ''} ${reason_description ?? ''}`),
    provider_reason: reasonCode(reason_code),
    respond_by: isoFromSeconds(dispute.respond_by),
    opened_at: isoFromSeconds(dispute.created_at),
  };
}

const pathOf = (reference: string): string => `/v1/disputes/${encodeURIComponent(reference)}`;

async function fetchDispute({ reference, paymentId }: DisputeRef, psp: RazorpayContext): Promise<PspDispute> {
  return toPspDispute(await requestOrThrow({ operation: 'dispute', paymentId, path: pathOf(reference) }, psp));
}

const PAGE_SIZE = 100;

/** Razorpay cannot list the disputes of one payment. */
async function listSince({ from, until, cursor }: DisputeQuery, psp: RazorpayContext): Promise<DisputePage> {
  const skip = Number(cursor ?? 0);
  const bounds = `from=${Math.floor(from.getTime() / 1_000)}&to=${Math.ceil(until.getTime() / 1_000)}`;
  const path = `/v1/disputes?${bounds}&count=${PAGE_SIZE}&skip=${skip}`;
  const items = readItems(await requestOrThrow({ operation: 'dispute', paymentId: null, path }, psp));
  return { items: items.map(toPspDispute), next: items.length < PAGE_SIZE ? undefined : String(skip + PAGE_SIZE) };
}

/**
 * Evidence is given in Razorpay's dashboard: a dispute is contested with at least one document, and its API takes those
 * only from its own upload.
 */
export const disputes: PspDisputes<RazorpayCredentials> = {
  fetch: fetchDispute,
  listSince,
  // Razorpay's response says `lost` and nothing of who gave up.
  accept: async (dispute, _key, psp) => {
    const { reference, paymentId } = dispute;
    const path = `${pathOf(reference)}/accept`;
    const accepted = await answerDispute(
      async () => toPspDispute(await requestOrThrow({ operation: 'dispute', paymentId, path, body: {} }, psp)),
      () => fetchDispute(dispute, psp),
    );
    return { ...accepted, status: 'accepted' };
  },
};
