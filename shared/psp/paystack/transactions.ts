import * as z from 'zod';
import { DAY, plus } from '#shared/kernel/clock.ts';
import {
  type ChargeOfEvent,
  PspOutcomeUnknown,
  type PspTransaction,
  type TransactionPage,
  type TransactionQuery,
} from '#shared/ports/psp.port.ts';
import { moneyIn, ourIdsIn, pageNumber } from '#shared/psp/kit/transactions.ts';
import { type PaystackContext, requestOrThrow } from '#shared/psp/paystack/client.ts';
import { toOurMoney } from '#shared/psp/paystack/money.rules.ts';
import { toAttemptId } from '#shared/psp/paystack/requests.rules.ts';
import { readObject } from '#shared/psp/paystack/schema.ts';

const text = z.string().nullish().catch(undefined);
const number = z.union([z.number(), z.string()]).transform(String).optional().catch(undefined);

const ListedTransaction = z.looseObject({
  reference: z.string().min(1),
  amount: z.unknown().optional(),
  /** What was asked for, where the customer pays the fees on top. */
  requested_amount: z.unknown().optional(),
  currency: z.unknown().optional(),
  metadata: z.unknown().optional(),
  created_at: text,
  createdAt: text,
});

/** Lists name a refund's transaction by its number, or show it. */
const ListedRefund = z.looseObject({
  transaction_reference: text,
  transaction: z.union([z.looseObject({ id: number, reference: text }), number]).nullish(),
  created_at: text,
  createdAt: text,
});

const PER_PAGE = 100;

export async function listTransactions(query: TransactionQuery, psp: PaystackContext): Promise<TransactionPage> {
  const page = pageNumber(query.cursor);
  const path = `/${query.kind === 'charge' ? 'transaction' : 'refund'}?perPage=${PER_PAGE}&page=${page}&${daysOf(query)}`;
  const data = await requestOrThrow({ operation: 'list', paymentId: null, path }, psp);
  if (!Array.isArray(data)) throw new PspOutcomeUnknown(`Paystack's list of ${query.kind}s is not understood.`);
  const items = query.kind === 'charge' ? data.map(toCharge) : await chargesOfRefunds(data, psp);
  return {
    items: items.filter(({ at }) => at >= query.from.toISOString() && at < query.until.toISOString()),
    // Its documents disagree on the parameter for the size of a page, so a short page is not taken for the last one.
    next: data.length === 0 ? undefined : String(page + 1),
  };
}

/** Whole days, and one more on each side: Paystack's days are in its own time zone. The result is filtered here. */
const daysOf = ({ from, until }: TransactionQuery): string =>
  `from=${plus(from, -DAY).toISOString().slice(0, 10)}&to=${plus(until, DAY).toISOString().slice(0, 10)}`;

function toCharge(value: unknown): PspTransaction {
  const listed = readObject(ListedTransaction, 'transaction', value);
  const { reference, amount, requested_amount, currency, metadata } = listed;
  return {
    reference,
    ids: ourIdsIn(metadata),
    attemptId: toAttemptId(reference),
    money: moneyIn(() => toOurMoney(requested_amount ?? amount, currency)),
    at: timeOf(listed),
  };
}

async function chargesOfRefunds(data: readonly unknown[], psp: PaystackContext): Promise<readonly PspTransaction[]> {
  const found: PspTransaction[] = [];
  for (const value of data) {
    const refund = readObject(ListedRefund, 'refund', value);
    found.push({ reference: await chargeOf(refund, psp), ids: {}, at: timeOf(refund) });
  }
  return found;
}

async function chargeOf(
  { transaction_reference, transaction }: z.infer<typeof ListedRefund>,
  psp: PaystackContext,
): Promise<string> {
  const { id, reference } = typeof transaction === 'object' && transaction ? transaction : { id: transaction };
  const named = transaction_reference ?? reference;
  if (named) return named;
  if (!id) throw new PspOutcomeUnknown("Paystack's refund names no transaction.");
  const path = `/transaction/${encodeURIComponent(id)}`;
  const found = await requestOrThrow({ operation: 'list', paymentId: null, path }, psp);
  return readObject(ListedTransaction, 'transaction', found).reference;
}

function timeOf({ created_at, createdAt }: { created_at?: string | null; createdAt?: string | null }): string {
  const at = new Date(created_at ?? createdAt ?? '');
  if (Number.isNaN(at.getTime())) throw new PspOutcomeUnknown('Paystack lists an object without a readable time.');
  return at.toISOString();
}

const WithMetadata = z.looseObject({ reference: z.string(), metadata: z.unknown().optional() });

export async function chargeIds({ reference }: ChargeOfEvent, psp: PaystackContext): Promise<PspTransaction['ids']> {
  if (reference === null) return {};
  const path = `/transaction/verify/${encodeURIComponent(reference)}`;
  const transaction = await requestOrThrow({ operation: 'fetch', paymentId: null, path }, psp);
  return ourIdsIn(readObject(WithMetadata, 'transaction', transaction).metadata);
}
