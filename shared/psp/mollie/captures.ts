import { declineOf } from '#shared/domain/payments/declines.catalog.ts';
import type { CaptureOrder, CaptureOutcome, PspAuthorization } from '#shared/ports/capture.port.ts';
import { type ChargeRef, PspNotSent, PspOutcomeUnknown, PspRefused } from '#shared/ports/psp.port.ts';
import type { RequestPurpose } from '#shared/psp/kit/requests.ts';
import { isoTime } from '#shared/psp/kit/times.ts';
import {
  type MollieContext,
  paymentPath,
  refusal,
  releasePath,
  requestOrThrow,
  sendRequest,
} from '#shared/psp/mollie/client.ts';
import { fetchOwnPayment } from '#shared/psp/mollie/lookups.ts';
import { toOurMoney } from '#shared/psp/mollie/money.rules.ts';
import { toCaptureOutcome, toPspCapture } from '#shared/psp/mollie/outcomes.rules.ts';
import { captureBody } from '#shared/psp/mollie/requests.rules.ts';
import { type Capture, CapturePage, type Payment, readCapture, readObject } from '#shared/psp/mollie/schema.ts';

const capturesPath = (charge: string): string => `${paymentPath(charge)}/captures`;

/**
 * A repeat searches first: the idempotency key lives for an hour only, but our id stays in the capture's metadata. A
 * final capture of a part also releases the rest, which Mollie would hold on.
 */
export async function captureCharge(order: CaptureOrder, psp: MollieContext): Promise<CaptureOutcome> {
  const purpose = { operation: 'capture', paymentId: order.paymentId } as const;
  const earlier = order.isRepeat ? ownCapture(order, await readHold(order, purpose, psp)) : undefined;
  const outcome = earlier ? toCaptureOutcome(earlier) : await sendCapture(order, purpose, psp);
  const leavesRest = outcome.kind === 'succeeded' && order.final && order.amount < order.authorized;
  if (leavesRest) await releaseRest(order.reference, purpose, psp);
  return outcome;
}

async function sendCapture(order: CaptureOrder, purpose: RequestPurpose, psp: MollieContext): Promise<CaptureOutcome> {
  const body = captureBody(order);
  const path = capturesPath(order.reference);
  const response = await sendRequest({ ...purpose, method: 'POST', path, body, idempotencyKey: order.captureId }, psp);
  if (response.ok) return toCaptureOutcome(readCapture(response.body));
  if (response.status !== 422) throw refusal(response.status, response.error);
  const hold = await lookUpAfterSending(() => readHold(order, purpose, psp));
  const own = ownCapture(order, hold);
  return own ? toCaptureOutcome(own) : refusedCapture(hold.payment);
}

/** There is nothing left to capture, or not so much. */
const refusedCapture = ({ status }: Payment): CaptureOutcome => ({
  kind: 'failed',
  reference: null,
  decline: declineOf(STATES[status] === 'expired' ? 'authorization_expired' : 'capture_declined'),
});

async function lookUpAfterSending<T>(look: () => Promise<T>): Promise<T> {
  try {
    return await look();
  } catch (cause) {
    throw new PspOutcomeUnknown('The captures could not be looked up at Mollie.', { cause });
  }
}

type Hold = { readonly payment: Payment; readonly captures: readonly Capture[] };

/** The payment with its captures: one call for most. */
async function readHold(
  charge: Pick<ChargeRef, 'reference' | 'paymentId'>,
  purpose: RequestPurpose,
  psp: MollieContext,
): Promise<Hold> {
  const payment = await fetchOwnPayment(charge, purpose, psp, '?embed=captures');
  return { payment, captures: await capturesIn(payment, purpose, psp) };
}

const ownCapture = ({ captureId }: CaptureOrder, { captures }: Hold): Capture | undefined =>
  captures.find((capture) => toPspCapture(capture).ourId === captureId);

/**
 * No idempotency key: it would return an earlier response. Mollie refuses it once nothing is held any more. Without a
 * response the capture counts as unknown, so that its repeat releases the rest.
 */
async function releaseRest(reference: string, purpose: RequestPurpose, psp: MollieContext): Promise<void> {
  try {
    await requestOrThrow({ ...purpose, method: 'POST', path: releasePath(reference) }, psp);
  } catch (cause) {
    if (cause instanceof PspRefused) return;
    if (cause instanceof PspNotSent || cause instanceof PspOutcomeUnknown)
      throw new PspOutcomeUnknown('Mollie took the capture. Whether it released the rest is not known.', { cause });
    throw cause;
  }
}

/** A pending final capture could not release the rest when it was sent, so this does it. */
export async function fetchAuthorization(charge: ChargeRef, psp: MollieContext): Promise<PspAuthorization> {
  const purpose = { operation: 'fetch', paymentId: charge.paymentId } as const;
  const { payment, captures } = await readHold(charge, purpose, psp);
  const authorization = toAuthorization(payment, captures);
  if (authorization.state === 'open' && isToRelease(captures)) await releaseRest(payment.id, purpose, psp);
  return authorization;
}

/** Mollie does not say how many captures it embeds. From so many on, they are listed. */
const MAX_EMBEDDED = 50;

async function capturesIn(
  { id, _embedded }: Payment,
  purpose: RequestPurpose,
  psp: MollieContext,
): Promise<readonly Capture[]> {
  const embedded = _embedded?.captures;
  return embedded !== undefined && embedded.length < MAX_EMBEDDED ? embedded : capturesOf(id, purpose, psp);
}

/** Whether a final capture has succeeded, and no other one waits for what is left. */
const isToRelease = (captures: readonly Capture[]): boolean =>
  captures.some(isFinal) && !captures.some(({ status }) => status === 'pending');

/** Metadata may come back in any form. */
const isFinal = ({ status, metadata }: Capture): boolean =>
  status === 'succeeded' && /"final\\?":true/.test(JSON.stringify(metadata ?? null));

/**
 * `expired`: from that time on a bank refuses captures, which ends a payment as expired or failed. What was captured
 * before stays captured.
 */
const STATES: Readonly<Record<string, PspAuthorization['state']>> = {
  authorized: 'open',
  paid: 'closed',
  canceled: 'canceled',
  expired: 'expired',
  failed: 'expired',
};

function toAuthorization(payment: Payment, captures: readonly Capture[]): PspAuthorization {
  const { id: reference, status, captureBefore } = payment;
  const state = payment.authorizedAt || status === 'authorized' || status === 'paid' ? STATES[status] : undefined;
  if (state === undefined) throw new PspRefused('state', 'Mollie does not hold the money of this payment.');
  const { amount: authorized, currency } = toOurMoney(payment.amount);
  const capturable_until = isoTime(captureBefore);
  const unlisted = Math.max(0, capturedOf(payment) - sumOf(captures, 'succeeded') - sumOf(captures, 'pending'));
  const foreign = { kind: 'succeeded', reference, amount: unlisted, currency, ourId: null } as const;
  return {
    reference,
    authorized,
    captured: sumOf(captures, 'succeeded') + unlisted,
    currency,
    state,
    ...(capturable_until && { capturable_until }),
    captures: [...captures.map(toPspCapture), ...(unlisted > 0 ? [foreign] : [])],
  };
}

/** As the payment itself says. Mollie captures some without a capture, such as those of an account that never waits. */
function capturedOf({ status, amount, amountCaptured }: Payment): number {
  const captured = amountCaptured ? toOurMoney(amountCaptured).amount : 0;
  return captured === 0 && status === 'paid' ? toOurMoney(amount).amount : captured;
}

const sumOf = (captures: readonly Capture[], status: string): number =>
  captures
    .filter((capture) => capture.status === status)
    .reduce((sum, { amount }) => sum + toOurMoney(amount).amount, 0);

const MAX_PAGES = 20;

/** All captures of the charge. A missed one would be made a second time. */
async function capturesOf(charge: string, purpose: RequestPurpose, psp: MollieContext): Promise<readonly Capture[]> {
  const found: Capture[] = [];
  let from: string | undefined = '';
  for (let pages = 0; pages < MAX_PAGES && from !== undefined; pages += 1) {
    const path: string = `${capturesPath(charge)}?limit=250${from && `&from=${encodeURIComponent(from)}`}`;
    const page = readObject(CapturePage, 'list of captures', await requestOrThrow({ ...purpose, path }, psp));
    found.push(...page._embedded.captures);
    const next = page._links?.next?.href;
    if (next === undefined) return found;
    from = URL.parse(next)?.searchParams.get('from') ?? undefined;
  }
  throw new PspOutcomeUnknown("Mollie's list of captures does not end.");
}
