import * as z from 'zod';
import type { DisputeStatus } from '#shared/domain/disputes/dispute.model.ts';
import { DAY, plus } from '#shared/kernel/clock.ts';
import { isId } from '#shared/kernel/ids.ts';
import type { DisputePage, DisputeQuery, DisputeRef, PspDispute, PspDisputes } from '#shared/ports/dispute.port.ts';
import { PspOutcomeUnknown, PspRefused } from '#shared/ports/psp.port.ts';
import { type FlutterwaveContext, refusal, requestOrThrow, sendRequest } from '#shared/psp/flutterwave/client.ts';
import type { FlutterwaveCredentials } from '#shared/psp/flutterwave/credentials.schema.ts';
import { fetchTransaction, isTransaction } from '#shared/psp/flutterwave/lookups.ts';
import { toOurMoney } from '#shared/psp/flutterwave/money.rules.ts';
import { PageInfo, readObject } from '#shared/psp/flutterwave/schema.ts';
import { lookUp } from '#shared/psp/kit/declines.ts';
import { reasonOfWords } from '#shared/psp/kit/dispute-reasons.ts';
import { answerDispute, reasonCode } from '#shared/psp/kit/disputes.ts';
import { isoTime } from '#shared/psp/kit/times.ts';
import { pageNumber } from '#shared/psp/kit/transactions.ts';

const text = z.string().nullish().catch(undefined);

const id = z.union([z.int().nonnegative(), z.string().regex(/^\d{1,20}$/)]).transform(String);

/** The amount is in the transaction's currency, which a chargeback does not name. */
const Chargeback = z.looseObject({
  id,
  amount: z.union([z.number(), z.string()]),
  currency: text,
  status: z.string(),
  comment: text,
  due_date: text,
  created_at: text,
  transaction_id: id.nullish(),
  tx_ref: text,
  meta: z
    .looseObject({ history: z.array(z.looseObject({ description: text })).nullish() })
    .nullish()
    .catch(undefined),
});

type Chargeback = z.infer<typeof Chargeback>;

/** Flutterwave's statuses → ours. The merchant `declined` it: the bank looks at the answer. */
const DISPUTE_STATUSES: Readonly<Record<string, DisputeStatus>> = {
  accepted: 'accepted',
  declined: 'under_review',
  initiated: 'needs_response',
  lost: 'lost',
  pending: 'needs_response',
  reversed: 'won',
  won: 'won',
};

function statusOf({ status, meta }: Chargeback): DisputeStatus {
  const known = lookUp(DISPUTE_STATUSES, status) ?? 'under_review';
  const unanswered = meta?.history?.some(({ description }) => /no merchant response/i.test(description ?? ''));
  return known === 'lost' && unanswered ? 'expired' : known;
}

const readChargeback = (value: unknown): Chargeback => readObject(Chargeback, 'chargeback', value);

function toPspDispute(chargeback: Chargeback, currency: string | null | undefined): PspDispute {
  const { transaction_id, amount, comment } = chargeback;
  return {
    reference: chargeback.id,
    paymentReference: transaction_id ?? null,
    status: statusOf(chargeback),
    ...toOurMoney(amount, chargeback.currency ?? currency),
    reason: reasonOfWords(comment),
    provider_reason: reasonCode(comment?.trim().toLowerCase().replaceAll(/\W+/g, '_').slice(0, 64)),
    respond_by: isoTime(chargeback.due_date),
    opened_at: isoTime(chargeback.created_at),
  };
}

type Page = { readonly chargebacks: readonly Chargeback[]; readonly pages: number };

/** UNVERIFIED: the response to an account without chargebacks; words that say so are an empty list. */
async function pageOf(query: string, paymentId: string | null, psp: FlutterwaveContext): Promise<Page> {
  const response = await sendRequest({ operation: 'dispute', paymentId, path: `/v3/chargebacks?${query}` }, psp);
  if (!response.ok && /\bno chargebacks?\b|chargebacks? (was |were )?not found/i.test(response.message))
    return { chargebacks: [], pages: 0 };
  if (!response.ok) throw refusal(response);
  const rows = readObject(z.array(z.unknown()), 'list of chargebacks', response.data);
  const pages = PageInfo.safeParse(response.meta).data?.page_info.total_pages ?? 1;
  return { chargebacks: rows.map(readChargeback), pages };
}

/** UNVERIFIED that `id` filters by the transaction: what is of another one is left out here. */
async function chargebacksOf(charge: string, paymentId: string, psp: FlutterwaveContext) {
  const { chargebacks } = await pageOf(`id=${encodeURIComponent(charge)}`, paymentId, psp);
  return chargebacks.filter(({ transaction_id }) => transaction_id === charge);
}

async function fetchDispute(dispute: DisputeRef, psp: FlutterwaveContext): Promise<PspDispute> {
  const { reference, paymentId, charge, currency } = dispute;
  if (charge === null || !isTransaction(charge))
    throw new PspOutcomeUnknown('Flutterwave shows a chargeback only by its transaction.');
  const found = (await chargebacksOf(charge, paymentId, psp)).find((each) => each.id === reference);
  if (!found) throw new PspRefused('not_found', 'Flutterwave has no such chargeback of this transaction.');
  return toPspDispute(found, currency);
}

const currencyOf = async (transaction: string, paymentId: string | null, psp: FlutterwaveContext) =>
  (await fetchTransaction(transaction, { operation: 'dispute', paymentId }, psp)).currency;

const listDisputes: NonNullable<PspDisputes<FlutterwaveCredentials>['list']> = async (charge, psp) => {
  const { reference, paymentId } = charge;
  const found = isTransaction(reference) ? await chargebacksOf(reference, paymentId, psp) : [];
  if (found.length === 0) return [];
  const currency = await currencyOf(reference, paymentId, psp);
  return found.map((each) => toPspDispute(each, currency));
};

/** Whole days, and one more on each side: Flutterwave's time zone is not documented. */
const dayOf = (at: Date): string => at.toISOString().slice(0, 10);

/** Only those whose `tx_ref` has the form of ours: the others' currency would take a call each. */
async function listSince({ from, until, cursor }: DisputeQuery, psp: FlutterwaveContext): Promise<DisputePage> {
  const page = pageNumber(cursor);
  const days = `from=${dayOf(plus(from, -DAY))}&to=${dayOf(plus(until, DAY))}`;
  const { chargebacks, pages } = await pageOf(`${days}&page=${page}`, null, psp);
  const items: PspDispute[] = [];
  for (const each of chargebacks) {
    if (!each.transaction_id || !isId('attempt', each.tx_ref ?? '')) continue;
    items.push(toPspDispute(each, each.currency ?? (await currencyOf(each.transaction_id, null, psp))));
  }
  return { items, next: page < pages ? String(page + 1) : undefined };
}

/** Flutterwave responds with the chargeback, without its transaction. */
async function answer(
  dispute: DisputeRef,
  body: { readonly action: 'accept' | 'decline'; readonly comment?: string },
  psp: FlutterwaveContext,
): Promise<PspDispute> {
  const { reference, paymentId, charge, currency } = dispute;
  const path = `/v3/chargebacks/${encodeURIComponent(reference)}`;
  const send = async () => {
    const { data } = await requestOrThrow({ operation: 'dispute', paymentId, path, method: 'PUT', body }, psp);
    return { ...toPspDispute(readChargeback(data), currency), paymentReference: charge };
  };
  return answerDispute(send, () => fetchDispute(dispute, psp));
}

export const disputes: PspDisputes<FlutterwaveCredentials> = {
  fetch: fetchDispute,
  list: listDisputes,
  listSince,
  accept: (dispute, _key, psp) => answer(dispute, { action: 'accept' }, psp),
  submitEvidence: async (dispute, { explanation }, _key, psp) => {
    if (!explanation)
      throw new PspRefused('request', 'Flutterwave takes one text: explanation, with the link to a proof.');
    return answer(dispute, { action: 'decline', comment: explanation }, psp);
  },
};
