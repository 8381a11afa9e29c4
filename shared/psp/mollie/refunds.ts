import {
  type ChargeRef,
  type ChargeWithRefunds,
  PspOutcomeUnknown,
  type PspRefund,
  type RefundOrder,
  type RefundOutcome,
  type RefundRef,
} from '#shared/ports/psp.port.ts';
import type { RequestPurpose } from '#shared/psp/kit/requests.ts';
import { type MollieContext, paymentPath, requestOrThrow } from '#shared/psp/mollie/client.ts';
import { toPspDispute } from '#shared/psp/mollie/disputes.ts';
import { chargeOutcome, fetchOwnPayment } from '#shared/psp/mollie/lookups.ts';
import { toPspRefund, toRefundOutcome } from '#shared/psp/mollie/outcomes.rules.ts';
import { refundBody } from '#shared/psp/mollie/requests.rules.ts';
import { type Payment, type Refund, RefundPage, readObject, readRefund } from '#shared/psp/mollie/schema.ts';

const refundsPath = (charge: string): string => `${paymentPath(charge)}/refunds`;

/** Searched first: the idempotency key lives for an hour only, but our id stays in the refund's metadata. */
export async function refundCharge(order: RefundOrder, psp: MollieContext): Promise<RefundOutcome> {
  const purpose = { operation: 'refund', paymentId: order.paymentId } as const;
  const body = refundBody(order);
  const earlier = (await refundsOf(order.reference, purpose, psp)).find((refund) => isOwn(refund, order));
  if (earlier) return toRefundOutcome(earlier);
  return toRefundOutcome(
    readRefund(
      await requestOrThrow(
        { ...purpose, method: 'POST', path: refundsPath(order.reference), body, idempotencyKey: order.refundId },
        psp,
      ),
    ),
  );
}

/** Metadata may come back in any form. */
const isOwn = ({ metadata }: Refund, { refundId }: RefundOrder): boolean =>
  JSON.stringify(metadata ?? null).includes(refundId);

export async function listRefunds(charge: ChargeRef, psp: MollieContext): Promise<readonly PspRefund[]> {
  const purpose = { operation: 'fetch_refund', paymentId: charge.paymentId } as const;
  return refundsIn(await fetchOwnPayment(charge, purpose, psp, EMBEDDED), purpose, psp);
}

const EMBEDDED = '?embed=refunds';

/** Mollie does not say how many refunds it embeds. From so many on, they are listed. */
const MAX_EMBEDDED = 50;

async function refundsIn(
  { id, _embedded }: Payment,
  purpose: RequestPurpose,
  psp: MollieContext,
): Promise<readonly PspRefund[]> {
  const embedded = _embedded?.refunds;
  const isWhole = embedded !== undefined && embedded.length < MAX_EMBEDDED;
  return (isWhole ? embedded : await refundsOf(id, purpose, psp)).map(toPspRefund);
}

/** One call, as Mollie's callbacks do not say what changed. */
export async function fetchWithRefunds(charge: ChargeRef, psp: MollieContext): Promise<ChargeWithRefunds> {
  const purpose = { operation: 'fetch', paymentId: charge.paymentId } as const;
  const payment = await fetchOwnPayment(charge, purpose, psp, `${EMBEDDED},chargebacks`);
  const outcome = await chargeOutcome(charge, payment, purpose, psp);
  const disputes = (payment._embedded?.chargebacks ?? []).map(toPspDispute);
  return { outcome, refunds: await refundsIn(payment, purpose, psp), disputes };
}

export async function fetchRefund({ reference, paymentId, charge }: RefundRef, psp: MollieContext): Promise<PspRefund> {
  if (charge === null) throw new PspOutcomeUnknown('Mollie shows a refund only below its payment.');
  const path = `${refundsPath(charge)}/${encodeURIComponent(reference)}`;
  return toPspRefund(readRefund(await requestOrThrow({ operation: 'fetch_refund', paymentId, path }, psp)));
}

const MAX_PAGES = 20;

/** All refunds of the charge. A missed one would be made a second time. */
async function refundsOf(charge: string, purpose: RequestPurpose, psp: MollieContext): Promise<readonly Refund[]> {
  const found: Refund[] = [];
  let from: string | null = null;
  for (let pages = 0; pages < MAX_PAGES; pages += 1) {
    const path: string = `${refundsPath(charge)}?limit=250${from === null ? '' : `&from=${encodeURIComponent(from)}`}`;
    const page = readObject(RefundPage, 'list of refunds', await requestOrThrow({ ...purpose, path }, psp));
    found.push(...page._embedded.refunds);
    const next = page._links?.next?.href;
    if (next === undefined) return found;
    from = URL.canParse(next) ? new URL(next).searchParams.get('from') : null;
    if (from === null) break;
  }
  throw new PspOutcomeUnknown("Mollie's list of refunds does not end.");
}
