import * as z from 'zod';
import { DAY, plus } from '#shared/kernel/clock.ts';
import { isId } from '#shared/kernel/ids.ts';
import {
  type ChargeOfEvent,
  PspOutcomeUnknown,
  type PspTransaction,
  type TransactionPage,
  type TransactionQuery,
} from '#shared/ports/psp.port.ts';
import { type FlutterwaveContext, refusal, requestOrThrow, sendRequest } from '#shared/psp/flutterwave/client.ts';
import { fetchTransaction } from '#shared/psp/flutterwave/lookups.ts';
import { toOurMoney } from '#shared/psp/flutterwave/money.rules.ts';
import { isNoRefunds } from '#shared/psp/flutterwave/refunds.ts';
import { PageInfo, readObject, readRefund } from '#shared/psp/flutterwave/schema.ts';
import { moneyIn, ourIdsIn, pageNumber } from '#shared/psp/kit/transactions.ts';

const Row = z.looseObject({
  id: z.union([z.int().nonnegative(), z.string().regex(/^\d{1,20}$/)]).transform(String),
  tx_ref: z.string().nullish(),
  amount: z.union([z.number(), z.string()]).nullish(),
  currency: z.string().nullish(),
  meta: z.unknown().optional(),
  created_at: z.string().nullish(),
});

export function listTransactions(query: TransactionQuery, psp: FlutterwaveContext): Promise<TransactionPage> {
  return query.kind === 'charge' ? listCharges(query, psp) : listRefunds(query, psp);
}

async function listCharges(query: TransactionQuery, psp: FlutterwaveContext): Promise<TransactionPage> {
  const { data, meta } = await requestOrThrow({ ...PURPOSE, path: `/v3/transactions?${parametersOf(query)}` }, psp);
  const items: PspTransaction[] = [];
  for (const value of readObject(z.array(z.unknown()), 'list of transactions', data)) {
    const row = readObject(Row, 'transaction', value);
    const at = timeOf(row.created_at);
    if (isWithin(query, at)) items.push({ ...toCharge(row), ids: await idsOf(row, psp), at });
  }
  return { items, next: nextPage(query, { data, meta }) };
}

const toCharge = ({ id, tx_ref, amount, currency }: z.infer<typeof Row>): Omit<PspTransaction, 'ids' | 'at'> => ({
  reference: id,
  attemptId: isOurs(tx_ref) ? tx_ref : undefined,
  money: moneyIn(() => toOurMoney(amount, currency)),
});

const isOurs = (txRef: string | null | undefined): txRef is string => isId('attempt', txRef ?? '');

/** Rows come without `meta`. One whose `tx_ref` has the form of ours is looked up, which shows them. */
async function idsOf(
  { id, tx_ref, meta }: z.infer<typeof Row>,
  psp: FlutterwaveContext,
): Promise<PspTransaction['ids']> {
  const listed = ourIdsIn(meta);
  return listed.payment_id !== undefined || !isOurs(tx_ref)
    ? listed
    : ourIdsIn((await fetchTransaction(id, PURPOSE, psp)).meta);
}

/** UNVERIFIED whether the list of refunds obeys `from` and `to`. What is out of the range is left out here. */
async function listRefunds(query: TransactionQuery, psp: FlutterwaveContext): Promise<TransactionPage> {
  const response = await sendRequest({ ...PURPOSE, path: `/v3/refunds?${parametersOf(query)}` }, psp);
  if (!response.ok && isNoRefunds(response)) return { items: [] };
  if (!response.ok) throw refusal(response);
  const refunds = readObject(z.array(z.unknown()), 'list of refunds', response.data).map(readRefund);
  const items = refunds.flatMap(({ tx_id, transaction_id, created_at }): readonly PspTransaction[] => {
    const reference = tx_id ?? transaction_id;
    const at = timeOf(typeof created_at === 'string' ? created_at : undefined);
    return reference && isWithin(query, at) ? [{ reference, ids: {}, at }] : [];
  });
  return { items, next: nextPage(query, response) };
}

const PURPOSE = { operation: 'list', paymentId: null } as const;

/** Whole days, and one more on each side: Flutterwave's time zone is not documented. */
function parametersOf({ from, until, cursor }: TransactionQuery): string {
  const day = (at: Date) => at.toISOString().slice(0, 10);
  return `from=${day(plus(from, -DAY))}&to=${day(plus(until, DAY))}&page=${pageNumber(cursor)}`;
}

const isWithin = ({ from, until }: TransactionQuery, at: string): boolean =>
  at >= from.toISOString() && at < until.toISOString();

/** Without the number of pages, the list ends where a page is empty. */
function nextPage({ cursor }: TransactionQuery, { data, meta }: { readonly data: unknown; readonly meta: unknown }) {
  const page = pageNumber(cursor);
  const last = PageInfo.safeParse(meta).data?.page_info.total_pages;
  const isLast = last === undefined ? Array.isArray(data) && data.length === 0 : page >= last;
  return isLast ? undefined : String(page + 1);
}

function timeOf(text: string | null | undefined): string {
  const at = new Date(text ?? '');
  if (Number.isNaN(at.getTime())) throw new PspOutcomeUnknown('Flutterwave lists an object without a readable time.');
  return at.toISOString();
}

/** A refund's event may name nothing but the refund. */
export async function chargeIds(
  { reference, refund }: ChargeOfEvent,
  psp: FlutterwaveContext,
): Promise<PspTransaction['ids']> {
  const purpose = { operation: 'fetch', paymentId: null } as const;
  const charge = reference ?? (refund === undefined ? null : await chargeOfRefund(refund, psp));
  if (charge === null || !/^\d{1,20}$/.test(charge)) return {};
  return ourIdsIn((await fetchTransaction(charge, purpose, psp)).meta);
}

async function chargeOfRefund(refund: string, psp: FlutterwaveContext): Promise<string | null> {
  const path = `/v3/refunds/${encodeURIComponent(refund)}`;
  const { data } = await requestOrThrow({ operation: 'fetch_refund', paymentId: null, path }, psp);
  const { tx_id, transaction_id } = readRefund(data);
  return tx_id ?? transaction_id ?? null;
}
