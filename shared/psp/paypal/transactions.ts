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
import { moneyIn, ourIdsIn, pageNumber } from '#shared/psp/kit/transactions.ts';
import { type PaypalContext, requestOrThrow } from '#shared/psp/paypal/client.ts';
import { capturePath } from '#shared/psp/paypal/lookups.ts';
import { toOurMoney } from '#shared/psp/paypal/money.rules.ts';
import { Money, readCapture, readObject } from '#shared/psp/paypal/schema.ts';

const text = z.string().nullish().catch(undefined);

const TransactionInfo = z.looseObject({
  transaction_id: z.string().min(1).max(64),
  paypal_reference_id: text,
  paypal_reference_id_type: text,
  transaction_event_code: z.string(),
  transaction_initiation_date: z.string(),
  transaction_amount: Money.nullish().catch(undefined),
  custom_field: text,
  invoice_id: text,
  transaction_subject: text,
});

type TransactionInfo = z.infer<typeof TransactionInfo>;

const Page = z.looseObject({
  transaction_details: z.array(z.looseObject({ transaction_info: TransactionInfo })),
  total_pages: z.int().nonnegative().nullish(),
});

/** PayPal refuses a longer range. */
const MAX_RANGE = 31 * DAY;

/** Payments received are T00xx, refunds and reversals of them T11xx. */
const EVENT_CODES = { charge: /^T00\d\d$/, refund: /^T11\d\d$/ } as const;

/** Needs the permission "Transaction Search" of the app. A transaction is listed three hours after it was made at most. */
export async function listTransactions(query: TransactionQuery, psp: PaypalContext): Promise<TransactionPage> {
  const [start, page] = positionOf(query);
  const end = new Date(Math.min(plus(start, MAX_RANGE).getTime(), query.until.getTime()));
  const parameters = new URLSearchParams({
    start_date: start.toISOString(),
    end_date: end.toISOString(),
    fields: 'transaction_info',
    page_size: '500',
    page: String(page),
  });
  const path = `/v1/reporting/transactions?${parameters}`;
  const body = await requestOrThrow({ operation: 'list', paymentId: null, path }, psp);
  const { transaction_details, total_pages } = readObject(Page, 'list of transactions', body);
  const items = transaction_details
    .map(({ transaction_info }) => transaction_info)
    .filter(({ transaction_event_code }) => EVENT_CODES[query.kind].test(transaction_event_code))
    .map((info) => toTransaction(info, query.kind));
  return { items, next: nextPosition(page < (total_pages ?? 1) ? [start, page + 1] : [end, 1], query) };
}

type Position = readonly [start: Date, page: number];

function positionOf({ from, cursor }: TransactionQuery): Position {
  const [start = from.toISOString(), page] = cursor?.split('/') ?? [];
  return [new Date(start), pageNumber(page)];
}

const nextPosition = ([start, page]: Position, { until }: TransactionQuery): string | undefined =>
  start < until ? `${start.toISOString()}/${page}` : undefined;

/** Divided as in the request. */
function idsInText(text: string | null | undefined): PspTransaction['ids'] {
  const [org_id, connection_id, payment_id] = (text ?? '').split(/[|,]/);
  return ourIdsIn({ org_id, connection_id, payment_id });
}

/** Its amount is that of the capture. */
function toTransaction(info: TransactionInfo, kind: TransactionQuery['kind']): PspTransaction {
  const { custom_field, invoice_id, transaction_amount: amount, transaction_initiation_date } = info;
  const at = new Date(transaction_initiation_date);
  if (Number.isNaN(at.getTime())) throw new PspOutcomeUnknown('PayPal lists a transaction without a readable time.');
  return {
    reference: kind === 'charge' ? info.transaction_id : (info.paypal_reference_id ?? info.transaction_id),
    ids: idsInText(custom_field),
    attemptId: isId('attempt', invoice_id ?? '') ? (invoice_id ?? undefined) : undefined,
    money: kind === 'charge' && amount ? moneyIn(() => toOurMoney(amount)) : undefined,
    description: info.transaction_subject ?? undefined,
    at: at.toISOString(),
  };
}

/** Events name captures. */
export async function chargeIds({ reference }: ChargeOfEvent, psp: PaypalContext): Promise<PspTransaction['ids']> {
  if (reference === null) return {};
  const call = { operation: 'fetch', paymentId: null, path: capturePath(reference) } as const;
  return idsInText(text.parse(readCapture(await requestOrThrow(call, psp)).custom_id));
}
