import * as z from 'zod';
import {
  type ChargeOfEvent,
  PspOutcomeUnknown,
  type PspTransaction,
  type TransactionPage,
  type TransactionQuery,
} from '#shared/ports/psp.port.ts';
import { moneyIn, ourIdsIn } from '#shared/psp/kit/transactions.ts';
import { type MollieContext, paymentPath, requestOrThrow } from '#shared/psp/mollie/client.ts';
import { toOurMoney } from '#shared/psp/mollie/money.rules.ts';
import { readObject } from '#shared/psp/mollie/schema.ts';

const Amount = z.looseObject({ value: z.string().max(40), currency: z.string().length(3) });

const ListedPayment = z.looseObject({
  id: z.string().startsWith('tr_'),
  amount: Amount,
  createdAt: z.string(),
  description: z.string().nullish().catch(undefined),
  metadata: z.unknown().optional(),
});

const ListedRefund = z.looseObject({
  paymentId: z.string().startsWith('tr_'),
  createdAt: z.string(),
  metadata: z.unknown().optional(),
});

const links = z.looseObject({ next: z.looseObject({ href: z.string() }).nullish() }).nullish();
const PaymentPage = z.looseObject({ _embedded: z.looseObject({ payments: z.array(ListedPayment) }), _links: links });
const RefundPage = z.looseObject({ _embedded: z.looseObject({ refunds: z.array(ListedRefund) }), _links: links });

/** Mollie filters by no time. Its lists are newest first, so they are read until they are older than the range. */
export async function listTransactions(query: TransactionQuery, psp: MollieContext): Promise<TransactionPage> {
  const { kind, from, until, cursor } = query;
  const after = cursor === undefined ? '' : `&from=${encodeURIComponent(cursor)}`;
  const body = await requestOrThrow(
    { operation: 'list', paymentId: null, path: `/${kind === 'charge' ? 'payments' : 'refunds'}?limit=250${after}` },
    psp,
  );
  const { all, next } = kind === 'charge' ? paymentsIn(body) : refundsIn(body);
  const isOlder = ({ at }: PspTransaction) => new Date(at) < from;
  return {
    items: all.filter((one) => !isOlder(one) && new Date(one.at) < until),
    next: all.some(isOlder) ? undefined : next,
  };
}

type Listed = { readonly all: readonly PspTransaction[]; readonly next: string | undefined };

function paymentsIn(body: unknown): Listed {
  const { _embedded, _links } = readObject(PaymentPage, 'list of payments', body);
  const all = _embedded.payments.map(({ id, amount, createdAt, description, metadata }) => ({
    reference: id,
    ids: ourIdsIn(metadata),
    money: moneyIn(() => toOurMoney(amount)),
    description: description ?? undefined,
    at: timeOf(createdAt),
  }));
  return { all, next: cursorIn(_links?.next?.href) };
}

function refundsIn(body: unknown): Listed {
  const { _embedded, _links } = readObject(RefundPage, 'list of refunds', body);
  const all = _embedded.refunds.map(({ paymentId, createdAt, metadata }) => ({
    reference: paymentId,
    ids: ourIdsIn(metadata),
    at: timeOf(createdAt),
  }));
  return { all, next: cursorIn(_links?.next?.href) };
}

/** Without its time it is unknown where the range ends. */
function timeOf(text: string): string {
  const at = new Date(text);
  if (Number.isNaN(at.getTime())) throw new PspOutcomeUnknown('Mollie lists an object without a readable time.');
  return at.toISOString();
}

function cursorIn(next: string | undefined): string | undefined {
  if (next === undefined) return undefined;
  const from = URL.canParse(next) ? new URL(next).searchParams.get('from') : null;
  if (from === null) throw new PspOutcomeUnknown("Mollie's list does not say where it continues.");
  return from;
}

const WithMetadata = z.looseObject({ id: z.string().startsWith('tr_'), metadata: z.unknown().optional() });

export async function chargeIds({ reference }: ChargeOfEvent, psp: MollieContext): Promise<PspTransaction['ids']> {
  if (!reference?.startsWith('tr_')) return {};
  const payment = await requestOrThrow({ operation: 'fetch', paymentId: null, path: paymentPath(reference) }, psp);
  return ourIdsIn(readObject(WithMetadata, 'payment', payment).metadata);
}
