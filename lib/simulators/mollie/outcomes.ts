import { type Behaviour, withoutAuthentication } from '#lib/simulators/kit/behaviour.ts';
import type { FinalOutcome, UnitOfWork } from '#lib/simulators/kit/provider-simulator.port.ts';
import { BASE_URL } from '#lib/simulators/kit/wire.ts';
import { declineFor, type MollieDecline } from '#lib/simulators/mollie/declines.ts';
import { announcePayment } from '#lib/simulators/mollie/events.ts';
import { createMandate } from '#lib/simulators/mollie/mandates.ts';
import { amountOf, minorUnits } from '#lib/simulators/mollie/money.ts';
import { type Payment, type PaymentNotes, type StoredPayment, timestamp } from '#lib/simulators/mollie/objects.ts';
import { DAY } from '#shared/kernel/clock.ts';

export function changePayment(
  work: UnitOfWork,
  payment: StoredPayment,
  change: Partial<Payment>,
  notes: Partial<PaymentNotes> = {},
): StoredPayment {
  return work.objects.put({ ...payment, body: { ...payment.body, ...change }, notes: { ...payment.notes, ...notes } });
}

/** Ends the wait for the customer: the page no longer expires, and is closed. `due`: when the bank's hold ends. */
function closePayment(
  work: UnitOfWork,
  payment: StoredPayment,
  change: Partial<Payment>,
  due: number | null = null,
): StoredPayment {
  const { expiresAt: _, isCancelable: __, ...body } = payment.body;
  const { checkout: ___, ...links } = body._links;
  const after = changePayment(work, { ...payment, due, body: { ...body, _links: links } }, change);
  announcePayment(work, after);
  return after;
}

/** Takes the money, or holds it for a manual capture. `minor` differs if a scenario wants a wrong amount. */
function pay(work: UnitOfWork, payment: StoredPayment, minor = minorUnits(payment.body.amount)): StoredPayment {
  const { body, notes } = payment;
  if (body.captureMode === 'manual' || notes.instrument?.ends === 'authorized') return authorize(work, payment, minor);
  const amount = amountOf(minor, body.amount.currency);
  work.recordCharge({ id: payment.id, paymentId: payment.paymentId, amount: minor, currency: amount.currency });
  const amounts = { amount, amountRefunded: amountOf(0, amount.currency), amountRemaining: amount };
  return closePayment(work, payment, {
    ...amounts,
    ...mandateOf(work, body),
    status: 'paid',
    paidAt: timestamp(work.now),
    details: detailsOf(payment),
    statusReason: undefined,
  });
}

/** How long banks hold money for sure. */
const HOLD_LIFE_MS = 7 * DAY;

function authorize(work: UnitOfWork, payment: StoredPayment, minor: number): StoredPayment {
  const { currency } = payment.body.amount;
  const captureBefore = new Date(work.now.getTime() + HOLD_LIFE_MS);
  work.recordHold({ id: payment.id, paymentId: payment.paymentId, amount: minor, currency });
  return closePayment(
    work,
    payment,
    {
      status: 'authorized',
      amount: amountOf(minor, currency),
      authorizedAt: timestamp(work.now),
      captureBefore: timestamp(captureBefore),
      amountCaptured: amountOf(0, currency),
      ...mandateOf(work, payment.body),
      details: detailsOf(payment),
    },
    captureBefore.getTime(),
  );
}

const capturedIn = ({ amountCaptured }: Payment): number => (amountCaptured ? minorUnits(amountCaptured) : 0);

/** Captures held money or a part of it. The rest stays held until it is released. */
export function capture(work: UnitOfWork, payment: StoredPayment, minor: number): StoredPayment {
  const { amount } = payment.body;
  const { currency } = amount;
  work.recordCapture({ hold: payment.id, amount: minor });
  const captured = capturedIn(payment.body) + minor;
  if (captured < minorUnits(amount))
    return changePayment(work, payment, { amountCaptured: amountOf(captured, currency) });
  return markPaid(work, payment, captured);
}

function markPaid(work: UnitOfWork, payment: StoredPayment, captured: number): StoredPayment {
  const { currency } = payment.body.amount;
  const amounts = {
    amountCaptured: amountOf(captured, currency),
    amountRefunded: amountOf(0, currency),
    amountRemaining: amountOf(captured, currency),
  };
  return closePayment(work, payment, { ...amounts, status: 'paid', paidAt: timestamp(work.now) });
}

/** The bank will decide within days. */
function markPending(work: UnitOfWork, payment: StoredPayment): StoredPayment {
  return closePayment(work, payment, {
    status: 'pending',
    ...(payment.body.method === 'directdebit' && { isCancelable: true }),
  });
}

export function fail(
  work: UnitOfWork,
  payment: StoredPayment,
  { status, reason, scheme, bankReason }: MollieDecline,
): StoredPayment {
  const at = timestamp(work.now);
  if (status !== 'failed')
    return closePayment(work, payment, { status, ...(status === 'canceled' ? { canceledAt: at } : { expiredAt: at }) });
  const details = {
    ...detailsOf(payment),
    ...(reason && { failureReason: reason }),
    ...(bankReason && { bankReasonCode: bankReason, bankReason: 'The bank returned the debit.' }),
  };
  return closePayment(work, payment, {
    status,
    failedAt: at,
    details,
    statusReason: scheme ? { code: scheme, message: 'The payment was declined.' } : undefined,
  });
}

/** Releases held money. What was captured before stays captured. */
export function release(
  work: UnitOfWork,
  payment: StoredPayment,
  status: 'canceled' | 'expired' = 'canceled',
): StoredPayment {
  const captured = capturedIn(payment.body);
  work.recordRelease(payment.id);
  return captured > 0 ? markPaid(work, payment, captured) : fail(work, payment, { status });
}

/** Sends the customer to the bank's page. */
const requireAuthentication = (work: UnitOfWork, payment: StoredPayment): StoredPayment =>
  changePayment(work, payment, {}, { pageStep: 'authentication' });

/** A bank approves a part only of what is captured later. */
function approvedPart({ body: { amount, captureMode } }: StoredPayment): number {
  const minor = minorUnits(amount);
  return captureMode === 'manual' ? Math.max(1, Math.floor(minor / 2)) : minor;
}

type AttemptOptions = { readonly behaviour: Behaviour | null; readonly authenticated: boolean };

/** One attempt to charge. A scenario overrides the behaviour of the instrument. */
export function attemptPayment(
  work: UnitOfWork,
  payment: StoredPayment,
  { behaviour, authenticated }: AttemptOptions,
): StoredPayment {
  const instrument = payment.notes.instrument;
  if (behaviour?.kind === 'approve') return pay(work, payment);
  if (behaviour?.kind === 'partial_approval') return pay(work, payment, approvedPart(payment));
  if (behaviour?.kind === 'wrong_amount') return pay(work, payment, minorUnits(payment.body.amount) + 1);
  if (behaviour?.kind === 'decline') return fail(work, payment, declineFor(behaviour.code));
  if (behaviour?.kind === 'pending') return markPending(work, payment);
  if (!authenticated && (behaviour?.kind === 'requires_action' || instrument?.authenticate))
    return requireAuthentication(work, payment);
  if (instrument?.decline) return fail(work, payment, instrument.decline);
  return instrument?.ends === 'pending' ? markPending(work, payment) : pay(work, payment);
}

export const checkoutUrl = (id: string): string => `${BASE_URL}/mollie/checkout/${id}`;

/** A first payment leaves a mandate of its customer. */
const mandateOf = (work: UnitOfWork, body: Payment): Partial<Payment> =>
  body.sequenceType === 'first' ? { mandateId: createMandate(work, body).id } : {};

function detailsOf({ body: { method, details }, notes: { pageStep } }: StoredPayment): Payment['details'] {
  if (method !== 'creditcard') return details;
  const isAuthenticated = pageStep === 'authentication';
  const card = {
    cardNumber: '4444',
    cardHolder: 'T. TEST',
    cardAudience: 'consumer',
    cardLabel: 'Mastercard',
    cardCountryCode: 'NL',
    cardFunding: 'credit',
    cardExpiryDate: '12/30',
    cardSecurity: isAuthenticated ? '3dsecure' : 'normal',
    ...(isAuthenticated && { card3dsEci: '02' }),
  };
  return { ...card, feeRegion: 'other', ...details };
}

/** A payment may still succeed after it ended: the customer was faster. */
export function settlePayment(work: UnitOfWork, payment: StoredPayment, outcome: FinalOutcome): StoredPayment {
  const { behaviour, pageStep, webhook } = payment.notes;
  const { status } = payment.body;
  work.setWebhookMode(webhook);
  if (status === 'paid' || work.wasReleased(payment.id)) return payment;
  if (status === 'authorized') return outcome === 'failed' ? release(work, payment) : payment;
  if (outcome === 'succeeded')
    return status === 'open'
      ? attemptPayment(work, payment, { behaviour: withoutAuthentication(behaviour), authenticated: true })
      : pay(work, payment);
  if (status !== 'open' && status !== 'pending') return payment;
  return fail(work, payment, declineFor(pageStep === 'authentication' ? 'authentication_failed' : 'card_declined'));
}
