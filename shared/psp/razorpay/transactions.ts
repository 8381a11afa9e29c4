import * as z from 'zod';
import { isId } from '#shared/kernel/ids.ts';
import {
  type ChargeOfEvent,
  PspOutcomeUnknown,
  PspRefused,
  type PspTransaction,
  type TransactionPage,
  type TransactionQuery,
} from '#shared/ports/psp.port.ts';
import { moneyIn, ourIdsIn } from '#shared/psp/kit/transactions.ts';
import { type RazorpayContext, requestOrThrow } from '#shared/psp/razorpay/client.ts';
import { paymentPath } from '#shared/psp/razorpay/lookups.ts';
import { toOurMoney } from '#shared/psp/razorpay/money.rules.ts';
import { readItems, readOrder, readPayment } from '#shared/psp/razorpay/schema.ts';

const PAGE_SIZE = 100;

const ListedRefund = z.looseObject({
  payment_id: z.string().startsWith('pay_').nullish(),
  created_at: z.int(),
  notes: z.unknown().optional(),
});

const text = z.string().nullish().catch(undefined);

export async function listTransactions(query: TransactionQuery, psp: RazorpayContext): Promise<TransactionPage> {
  const skip = Number(query.cursor ?? '0');
  const [from, to] = [Math.floor(query.from.getTime() / 1_000), Math.ceil(query.until.getTime() / 1_000) - 1];
  const list = query.kind === 'charge' ? 'payments' : 'refunds';
  const path = `/v1/${list}?from=${from}&to=${to}&count=${PAGE_SIZE}&skip=${skip}`;
  const found = readItems(await requestOrThrow({ ...PURPOSE, path }, psp));
  const items: PspTransaction[] = [];
  for (const value of found)
    items.push(...(query.kind === 'charge' ? [await toCharge(value, psp)] : chargeOfRefund(value)));
  return { items, next: found.length === 0 ? undefined : String(skip + found.length) };
}

const PURPOSE = { operation: 'list', paymentId: null } as const;

async function toCharge(value: unknown, psp: RazorpayContext): Promise<PspTransaction> {
  const payment = readPayment(value);
  const { id, amount, currency, created_at, order_id, notes, description } = payment;
  const ids = ourIdsIn(notes);
  const order = order_id ? await orderLabels(order_id, psp) : undefined;
  return {
    reference: id,
    ids: ids.payment_id === undefined && order ? order.ids : ids,
    attemptId: order?.attemptId,
    money: moneyIn(() => toOurMoney({ amount, currency })),
    description: text.parse(description) ?? undefined,
    at: timeOf(created_at),
  };
}

/** A payment shows neither our attempt nor, always, the notes of its order. Merchants' orders have other receipts. */
async function orderLabels(
  id: string,
  psp: RazorpayContext,
): Promise<Pick<PspTransaction, 'ids' | 'attemptId'> | undefined> {
  try {
    const order = readOrder(await requestOrThrow({ ...PURPOSE, path: `/v1/orders/${encodeURIComponent(id)}` }, psp));
    const receipt = order.receipt ?? '';
    return { ids: ourIdsIn(order.notes), attemptId: isId('attempt', receipt) ? receipt : undefined };
  } catch (error) {
    if (error instanceof PspRefused && error.kind === 'not_found') return undefined;
    throw error;
  }
}

function chargeOfRefund(value: unknown): readonly PspTransaction[] {
  const refund = ListedRefund.safeParse(value);
  if (!refund.success) throw new PspOutcomeUnknown("Razorpay's refund is not understood.");
  const { payment_id, notes, created_at } = refund.data;
  return payment_id ? [{ reference: payment_id, ids: ourIdsIn(notes), at: timeOf(created_at) }] : [];
}

function timeOf(seconds: number | null | undefined): string {
  if (typeof seconds !== 'number') throw new PspOutcomeUnknown('Razorpay lists an object without a readable time.');
  return new Date(seconds * 1_000).toISOString();
}

export async function chargeIds({ reference }: ChargeOfEvent, psp: RazorpayContext): Promise<PspTransaction['ids']> {
  if (!reference?.startsWith('pay_')) return {};
  const call = { operation: 'fetch', paymentId: null, path: paymentPath(reference) } as const;
  return (await toCharge(await requestOrThrow(call, psp), psp)).ids;
}
