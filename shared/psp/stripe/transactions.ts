import * as z from 'zod';
import type { ChargeOfEvent, PspTransaction, TransactionPage, TransactionQuery } from '#shared/ports/psp.port.ts';
import { moneyIn, ourIdsIn } from '#shared/psp/kit/transactions.ts';
import { requestOrThrow, type StripeContext } from '#shared/psp/stripe/client.ts';
import { intentPath } from '#shared/psp/stripe/lookups.ts';
import { toOurMoney } from '#shared/psp/stripe/money.rules.ts';
import { readObject } from '#shared/psp/stripe/schema.ts';

const text = z.string().nullish().catch(undefined);

const ListedIntent = z.looseObject({
  id: z.string().startsWith('pi_'),
  amount: z.int().nonnegative(),
  currency: z.string().length(3),
  created: z.int(),
  description: text,
  metadata: z.unknown().optional(),
});

const ListedRefund = z.looseObject({
  id: z.string().min(1),
  payment_intent: text,
  created: z.int(),
  metadata: z.unknown().optional(),
});

const pageOf = <T extends z.ZodType>(item: T) => z.looseObject({ data: z.array(item), has_more: z.boolean() });
const IntentPage = pageOf(ListedIntent);
const RefundPage = pageOf(ListedRefund);

/** Unpaid pages are not among them: an intent exists once the customer pays. */
export function listTransactions(query: TransactionQuery, psp: StripeContext): Promise<TransactionPage> {
  return query.kind === 'charge' ? listIntents(query, psp) : listRefunds(query, psp);
}

async function listIntents(query: TransactionQuery, psp: StripeContext): Promise<TransactionPage> {
  const body = await requestOrThrow({ ...PURPOSE, path: `/v1/payment_intents?${parametersOf(query)}` }, psp);
  const { data, has_more } = readObject(IntentPage, 'list of payment intents', body);
  const items = data.map(
    ({ id, amount, currency, created, description, metadata }): PspTransaction => ({
      reference: id,
      ids: ourIdsIn(metadata),
      money: moneyIn(() => toOurMoney(amount, currency)),
      description: description ?? undefined,
      at: timeOf(created),
    }),
  );
  return { items, next: has_more ? data.at(-1)?.id : undefined };
}

/** A refund of a charge without an intent was not made through us. */
async function listRefunds(query: TransactionQuery, psp: StripeContext): Promise<TransactionPage> {
  const body = await requestOrThrow({ ...PURPOSE, path: `/v1/refunds?${parametersOf(query)}` }, psp);
  const { data, has_more } = readObject(RefundPage, 'list of refunds', body);
  const items = data.flatMap(({ payment_intent, created, metadata }): readonly PspTransaction[] =>
    payment_intent ? [{ reference: payment_intent, ids: ourIdsIn(metadata), at: timeOf(created) }] : [],
  );
  return { items, next: has_more ? data.at(-1)?.id : undefined };
}

const PURPOSE = { operation: 'list', paymentId: null } as const;

const timeOf = (seconds: number): string => new Date(seconds * 1_000).toISOString();

function parametersOf({ from, until, cursor }: TransactionQuery): string {
  const bounds = `created[gte]=${Math.floor(from.getTime() / 1_000)}&created[lt]=${Math.ceil(until.getTime() / 1_000)}`;
  return `${bounds}&limit=100${cursor === undefined ? '' : `&starting_after=${encodeURIComponent(cursor)}`}`;
}

const WithMetadata = z.looseObject({ metadata: z.unknown().optional() });

/** We charge by payment intents only. */
export async function chargeIds({ reference }: ChargeOfEvent, psp: StripeContext): Promise<PspTransaction['ids']> {
  if (!reference?.startsWith('pi_')) return {};
  const call = { operation: 'fetch', paymentId: null, path: intentPath(reference) } as const;
  const intent = await requestOrThrow(call, psp);
  return ourIdsIn(readObject(WithMetadata, 'payment intent', intent).metadata);
}
