import {
  type ChargeRef,
  PspOutcomeUnknown,
  type RefundOrder,
  type RefundOutcome,
  type RefundRef,
  type SeenRefund,
} from '#shared/ports/psp.port.ts';
import type { Purpose } from '#shared/psp/kit/purpose.ts';
import { read, readRefund, toRefundOutcome, toSeenRefund } from '#shared/psp/mollie/mapping.rules.ts';
import { fetchOwn } from '#shared/psp/mollie/mollie.charges.ts';
import { get, type MollieContext, paymentPath } from '#shared/psp/mollie/mollie.client.ts';
import { type Refund, RefundPage } from '#shared/psp/mollie/objects.schema.ts';
import { refundBody } from '#shared/psp/mollie/request.rules.ts';

const refundsPath = (charge: string): string => `${paymentPath(charge)}/refunds`;

/** Searched first: the idempotency key lives for an hour only, our id in the refund's metadata for good. */
export async function refundCharge(order: RefundOrder, psp: MollieContext): Promise<RefundOutcome> {
  const purpose = { operation: 'refund', paymentId: order.paymentId } as const;
  const body = refundBody(order);
  const earlier = (await refundsOf(order.reference, purpose, psp)).find((refund) => isOurs(refund, order));
  if (earlier) return toRefundOutcome(earlier);
  return toRefundOutcome(
    readRefund(
      await get(
        { ...purpose, method: 'POST', path: refundsPath(order.reference), body, idempotencyKey: order.refundId },
        psp,
      ),
    ),
  );
}

/** Metadata may come back in any form. */
const isOurs = ({ metadata }: Refund, { refundId }: RefundOrder): boolean =>
  JSON.stringify(metadata ?? null).includes(refundId);

export async function listRefunds(charge: ChargeRef, psp: MollieContext): Promise<readonly SeenRefund[]> {
  const purpose = { operation: 'fetch_refund', paymentId: charge.paymentId } as const;
  const { id } = await fetchOwn(charge, purpose, psp);
  return (await refundsOf(id, purpose, psp)).map(toSeenRefund);
}

export async function fetchRefund(
  { reference, paymentId, charge }: RefundRef,
  psp: MollieContext,
): Promise<SeenRefund> {
  if (charge === null) throw new PspOutcomeUnknown('Mollie shows a refund only below its payment.');
  const path = `${refundsPath(charge)}/${encodeURIComponent(reference)}`;
  return toSeenRefund(readRefund(await get({ operation: 'fetch_refund', paymentId, path }, psp)));
}

const MOST_PAGES = 20;

/** All of them: a missed one would be made a second time. */
async function refundsOf(charge: string, purpose: Purpose, psp: MollieContext): Promise<readonly Refund[]> {
  const found: Refund[] = [];
  let from: string | null = null;
  for (let pages = 0; pages < MOST_PAGES; pages += 1) {
    const path: string = `${refundsPath(charge)}?limit=250${from === null ? '' : `&from=${encodeURIComponent(from)}`}`;
    const page = read(RefundPage, 'list of refunds', await get({ ...purpose, path }, psp));
    found.push(...page._embedded.refunds);
    const next = page._links?.next?.href;
    if (next === undefined) return found;
    from = URL.canParse(next) ? new URL(next).searchParams.get('from') : null;
    if (from === null) break;
  }
  throw new PspOutcomeUnknown("Mollie's list of refunds does not end.");
}
