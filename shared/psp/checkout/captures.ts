import { declineOf } from '#shared/domain/payments/declines.catalog.ts';
import { DAY, plus } from '#shared/kernel/clock.ts';
import { isId } from '#shared/kernel/ids.ts';
import type { CaptureOrder, CaptureOutcome, PspAuthorization, PspCapture } from '#shared/ports/capture.port.ts';
import { type ChargeRef, PspOutcomeUnknown, PspRefused } from '#shared/ports/psp.port.ts';
import { type CheckoutContext, paymentPath, refusal, sendRequest } from '#shared/psp/checkout/client.ts';
import { checkoutFacts } from '#shared/psp/checkout/facts.ts';
import { fetchActions, fetchPage, fetchPayment, isPage } from '#shared/psp/checkout/lookups.ts';
import { toOurMoney } from '#shared/psp/checkout/money.rules.ts';
import { authorizedMoney, isAuthorized } from '#shared/psp/checkout/outcomes.rules.ts';
import { captureBody } from '#shared/psp/checkout/requests.rules.ts';
import { type Action, type Payment, readAccepted } from '#shared/psp/checkout/schema.ts';
import type { RequestPurpose } from '#shared/psp/kit/requests.ts';

/**
 * Checkout.com stores only successful responses under a key, for a day. So a repeat searches the capture by our
 * reference first. Whether undecided captures are listed is not documented: after the key has expired, the balance
 * tells whether there is one.
 */
export async function captureCharge(order: CaptureOrder, psp: CheckoutContext): Promise<CaptureOutcome> {
  const purpose = { operation: 'capture', paymentId: order.paymentId } as const;
  const id = await chargeBehind(order.reference, purpose, psp);
  const known = order.isRepeat ? await findOwn(order, id, purpose, psp) : undefined;
  if (known) return known;
  const response = await sendRequest(
    { ...purpose, path: `${paymentPath(id)}/captures`, body: captureBody(order), idempotencyKey: order.captureId },
    psp,
  );
  if (response.ok) return { kind: 'accepted', reference: readAccepted(response.body) };
  if (response.status !== 403 && response.status !== 422) throw refusal(response.status, response.codes, 'state');
  return refusedCapture(order, response.codes[0] ?? null, await authorizationOf(id, purpose, psp));
}

async function chargeBehind(reference: string, purpose: RequestPurpose, psp: CheckoutContext): Promise<string> {
  if (!isPage(reference)) return reference;
  const { payment_id } = await fetchPage(reference, purpose, psp);
  if (!payment_id) throw new PspRefused('state', 'This hosted page has no payment.');
  return payment_id;
}

async function findOwn(
  order: CaptureOrder,
  id: string,
  purpose: RequestPurpose,
  psp: CheckoutContext,
): Promise<CaptureOutcome | undefined> {
  const actions = await fetchActions(id, purpose, psp);
  const own = actions.find((action) => isOwn(action, order));
  if (own) return toCaptureOutcome(own);
  if (hasKeyExpired(order, psp.now())) assertNoneHidden(await fetchPayment(id, purpose, psp), actions);
  return undefined;
}

const isCapture = ({ type }: Action): boolean => type === 'Capture';

const isOwn = (action: Action, { captureId }: CaptureOrder): boolean =>
  isCapture(action) && action.reference === captureId;

const hasKeyExpired = ({ sentAt }: CaptureOrder, now: Date): boolean =>
  sentAt === undefined || plus(sentAt, DAY / 2) <= now;

/** What was captured, and is reserved no more, is in the listed captures. Anything else may be ours. */
function assertNoneHidden({ balances }: Payment, actions: readonly Action[]): void {
  const listed = actions
    .filter((action) => isCapture(action) && action.approved !== false)
    .reduce((sum, { amount }) => sum + (amount ?? 0), 0);
  if (balances?.total_captured !== listed)
    throw new PspOutcomeUnknown('Checkout.com does not say whether this capture was made.');
}

function toCaptureOutcome({ id: reference, approved, response_code }: Action): CaptureOutcome {
  if (approved === true) return { kind: 'succeeded', reference };
  if (approved !== false) return { kind: 'accepted', reference };
  return { kind: 'failed', reference, decline: declineOf('capture_declined', response_code ?? null) };
}

/** Nothing was captured: there is less left, or the charge has ended. An earlier send may have been executed, though. */
function refusedCapture(
  { captureId }: CaptureOrder,
  code: string | null,
  { state, captures = [] }: PspAuthorization,
): CaptureOutcome {
  const own = captures.find(({ ourId }) => ourId === captureId);
  if (own) return own;
  const failure = state === 'expired' ? 'authorization_expired' : 'capture_declined';
  return { kind: 'failed', reference: null, decline: declineOf(failure, code) };
}

export async function fetchAuthorization(charge: ChargeRef, psp: CheckoutContext): Promise<PspAuthorization> {
  const purpose = { operation: 'fetch', paymentId: charge.paymentId } as const;
  return authorizationOf(await chargeBehind(charge.reference, purpose, psp), purpose, psp);
}

async function authorizationOf(id: string, purpose: RequestPurpose, psp: CheckoutContext): Promise<PspAuthorization> {
  const payment = await fetchPayment(id, purpose, psp);
  if (!isAuthorized(payment) && !ENDED.has(payment.status))
    throw new PspRefused('state', `This payment is ${payment.status}: nothing is authorized.`);
  const actions = await fetchActions(id, purpose, psp);
  const { amount: authorized, currency } = authorizedMoney(payment);
  const captured = payment.balances?.total_captured;
  if (captured === undefined || captured === null)
    throw new PspOutcomeUnknown('Checkout.com reports no captured amount.');
  return {
    reference: id,
    authorized,
    captured: toOurMoney(captured, currency).amount,
    currency,
    state: stateOf(payment, actions),
    captures: actions.filter(isCapture).map((action) => toPspCapture(action, currency)),
  };
}

const ENDED: ReadonlySet<string> = new Set(['Voided', 'Canceled', 'Expired']);

function stateOf({ status, balances, requested_on }: Payment, actions: readonly Action[]): PspAuthorization['state'] {
  if (status === 'Expired') return 'expired';
  if (ENDED.has(status)) return wasVoidedInTime(actions, requested_on) ? 'canceled' : 'expired';
  return status === 'Authorized' || (balances?.available_to_capture ?? 0) > 0 ? 'open' : 'closed';
}

/** What nobody captured in time is voided by Checkout.com itself. */
function wasVoidedInTime(actions: readonly Action[], requestedOn: string | null | undefined): boolean {
  const voided = Date.parse(actions.find(({ type }) => type === 'Void')?.processed_on ?? '');
  const end = Date.parse(requestedOn ?? '') + (checkoutFacts.manualCapture?.validityMs ?? 0);
  return !(voided >= end);
}

/** Our id is the reference. A merchant's own reference, or the payment's, is none of ours. */
function toPspCapture(action: Action, currency: string): PspCapture {
  if (action.amount === null || action.amount === undefined)
    throw new PspOutcomeUnknown('Checkout.com reports no amount of a capture.');
  const { reference } = action;
  const ourId = reference && isId('capture', reference) ? reference : null;
  return { ...toCaptureOutcome(action), ...toOurMoney(action.amount, currency), ourId };
}
