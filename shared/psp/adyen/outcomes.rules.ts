import { declineOf } from '#shared/domain/payments/declines.catalog.ts';
import type { NextAction } from '#shared/domain/payments/payment.model.ts';
import type { RefundDecline } from '#shared/domain/payments/refund-failures.catalog.ts';
import { type PspOutcome, PspOutcomeUnknown, type RefundOutcome } from '#shared/ports/psp.port.ts';
import { readRefusal } from '#shared/psp/adyen/declines.catalog.ts';
import { toOurMoney } from '#shared/psp/adyen/money.rules.ts';
import { networkReport } from '#shared/psp/adyen/report.rules.ts';
import type { LinkResponse, PaymentResponse } from '#shared/psp/adyen/schema.ts';
import { lookUp, outcomeOfReason } from '#shared/psp/kit/declines.ts';

/**
 * Adyen's `resultCode`s. `open`: with an action they wait for the customer, without one for a notification. `Error` is
 * no outcome: Adyen may not know the result itself, and its AUTHORISATION notification decides. Source: OpenAPI document
 * of Checkout v72, read in 2026-11. A result that is not on the list is open, too.
 */
export const RESULTS: Readonly<Record<string, 'authorised' | 'refused' | 'given up' | 'undecided' | 'open'>> = {
  AuthenticationFinished: 'open',
  AuthenticationNotRequired: 'open',
  Authorised: 'authorised',
  Cancelled: 'given up',
  ChallengeShopper: 'open',
  Error: 'undecided',
  IdentifyShopper: 'open',
  PartiallyAuthorised: 'authorised',
  Pending: 'open',
  PresentToShopper: 'open',
  Received: 'open',
  RedirectShopper: 'open',
  Refused: 'refused',
  Success: 'open',
};

/** The outcome, with what Adyen tells of the card once nobody has to act any more. */
export function toOutcome(
  response: PaymentResponse,
  attemptId: string,
  clientKey?: string,
  manual = false,
): PspOutcome {
  const outcome = resultOf(response, attemptId, clientKey, manual);
  const { additionalData: data, paymentMethod } = response;
  return outcome.kind === 'requires_action'
    ? outcome
    : { ...outcome, ...networkReport({ data, brand: paymentMethod?.brand, refused: outcome.kind === 'declined' }) };
}

function resultOf(
  response: PaymentResponse,
  attemptId: string,
  clientKey: string | undefined,
  manual: boolean,
): PspOutcome {
  const reference = response.pspReference ?? attemptId;
  switch (lookUp(RESULTS, response.resultCode)) {
    case 'authorised':
      return authorisedOutcome(response, manual ? 'authorized' : 'succeeded');
    case 'refused':
      return refusedOutcome(response, reference);
    case 'given up':
      return canceledByShopper(response, reference);
    case 'undecided':
      return { kind: 'processing', reference };
    default:
      return response.action
        ? requiresAction(response.action, attemptId, clientKey)
        : { kind: 'processing', reference };
  }
}

/**
 * Charges request immediate capture, so an authorised one is paid, unless its order captures later. Older versions of
 * this response have no amount. The charge is then processing until the notification reports it.
 */
function authorisedOutcome({ pspReference, amount }: PaymentResponse, kind: 'authorized' | 'succeeded'): PspOutcome {
  if (!pspReference) throw new PspOutcomeUnknown('Adyen reports an authorisation without a reference.');
  const money = toOurMoney(amount);
  return money ? { kind, reference: pspReference, ...money } : { kind: 'processing', reference: pspReference };
}

const refusedOutcome = (
  { refusalReasonCode: code, refusalReason: reason, additionalData: data }: PaymentResponse,
  reference: string,
): PspOutcome => outcomeOfReason(reference, readRefusal({ code, reason, data }));

/**
 * The customer gave up. This is a decline, which may be retried: our `canceled` means that the merchant canceled.
 */
const canceledByShopper = (response: PaymentResponse, reference: string): PspOutcome =>
  response.refusalReasonCode || response.refusalReason
    ? refusedOutcome(response, reference)
    : { kind: 'declined', reference, decline: declineOf('customer_canceled') };

/** Nothing is authorised until the customer acts. Adyen's reference may still change, so ours is used. */
function requiresAction(
  action: NonNullable<PaymentResponse['action']>,
  attemptId: string,
  clientKey: string | undefined,
): PspOutcome {
  const expires_at = expiryOf(action.expiresAt);
  return {
    kind: 'requires_action',
    reference: attemptId,
    action: toNextAction(action, clientKey),
    ...(expires_at && { expires_at }),
  };
}

/** A link does not say what was paid. Only a notification reports success. */
export function toLinkOutcome({ id: reference, status, url, expiresAt }: LinkResponse): PspOutcome {
  if (status === 'expired') return { kind: 'declined', reference, decline: declineOf('expired') };
  if (status !== 'active') return { kind: 'processing', reference };
  const expires_at = expiryOf(expiresAt);
  return {
    kind: 'requires_action',
    reference,
    action: { type: 'redirect', url, method: 'GET' },
    ...(expires_at && { expires_at }),
  };
}

export const failedRefund = (
  reference: string | null,
  decline: RefundDecline,
): Extract<RefundOutcome, { kind: 'failed' }> => ({
  kind: 'failed',
  reference,
  decline,
});

/** An action in Adyen's form, which depends on its type. */
type ActionShape = { readonly type: string; readonly [field: string]: unknown };

/** Fields for Adyen's own components. */
const COMPONENT_FIELDS = new Set(['type', 'paymentData', 'passCreationToken']);

/** Displayed to the customer. */
const displayFields = (action: ActionShape): Readonly<Record<string, string | number>> =>
  Object.fromEntries(
    Object.entries(action).filter(
      (entry): entry is [string, string | number] =>
        !COMPONENT_FIELDS.has(entry[0]) && ['string', 'number'].includes(typeof entry[1]),
    ),
  );

const DISPLAYED = new Set(['voucher', 'bankTransfer', 'qrCode']);

/** The customer's next action. Without a URL or anything to display, Adyen's own components handle it. */
function toNextAction(action: ActionShape, clientKey: string | undefined): NextAction {
  if (action.type === 'redirect' && typeof action.url === 'string') return redirect(action.url, action);
  if (action.type === 'await') return { type: 'await' };
  if (DISPLAYED.has(action.type)) return { ...displayFields(action), type: 'display', kind: action.type };
  return {
    type: 'sdk',
    provider: 'adyen',
    data: { action: JSON.stringify(action), ...(clientKey && { client_key: clientKey }) },
  };
}

function redirect(url: string, { method, data }: ActionShape): NextAction {
  if (method !== 'POST') return { type: 'redirect', url, method: 'GET' };
  const fields = Object.entries(typeof data === 'object' && data ? data : {}).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string',
  );
  return { type: 'redirect', url, method: 'POST', fields: Object.fromEntries(fields) };
}

/** When the action expires, if Adyen reports a readable time. */
function expiryOf(text: unknown): string | undefined {
  const at = typeof text === 'string' ? new Date(text) : undefined;
  return at && !Number.isNaN(at.getTime()) ? at.toISOString() : undefined;
}
