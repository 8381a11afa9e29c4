import type { Behaviour } from '#lib/simulators/frame/behaviour.ts';
import type { Work } from '#lib/simulators/frame/provider.port.ts';
import { HERE } from '#lib/simulators/frame/wire.ts';
import { announcePayment } from '#lib/simulators/mollie/callbacks.ts';
import { declineFor, type MollieDecline } from '#lib/simulators/mollie/declines.ts';
import { amountOf, units } from '#lib/simulators/mollie/money.ts';
import { type Payment, type PaymentNotes, type StoredPayment, timestamp } from '#lib/simulators/mollie/objects.ts';

export function changePayment(
  work: Work,
  payment: StoredPayment,
  change: Partial<Payment>,
  notes: Partial<PaymentNotes> = {},
): StoredPayment {
  return work.objects.put({ ...payment, body: { ...payment.body, ...change }, notes: { ...payment.notes, ...notes } });
}

/** Final, or not waiting for the customer: nothing expires any more and the page is gone. */
function close(work: Work, payment: StoredPayment, change: Partial<Payment>): StoredPayment {
  const { expiresAt: _, isCancelable: __, ...body } = payment.body;
  const { checkout: ___, ...links } = body._links;
  const after = changePayment(work, { ...payment, due: null, body: { ...body, _links: links } }, change);
  announcePayment(work, after);
  return after;
}

/**
 * The money is taken, or only held where it is to be captured. `minor` differs from what was asked where a scenario
 * says so.
 */
export function pay(work: Work, payment: StoredPayment, minor = units(payment.body.amount)): StoredPayment {
  const { body, notes } = payment;
  if (body.captureMode === 'manual' || notes.instrument?.ends === 'authorized') return authorize(work, payment);
  const amount = amountOf(minor, body.amount.currency);
  work.took({ id: payment.id, paymentId: payment.paymentId, amount: minor, currency: amount.currency });
  const money = { amount, amountRefunded: amountOf(0, amount.currency), amountRemaining: amount };
  return close(work, payment, {
    ...money,
    status: 'paid',
    paidAt: timestamp(work.now),
    details: detailsOf(body),
    statusReason: undefined,
  });
}

function authorize(work: Work, payment: StoredPayment): StoredPayment {
  const amountCaptured = amountOf(0, payment.body.amount.currency);
  return close(work, payment, {
    status: 'authorized',
    authorizedAt: timestamp(work.now),
    amountCaptured,
    details: detailsOf(payment.body),
  });
}

/** What was held is taken, or a part of it; the rest stays held until it is released. */
export function capture(work: Work, payment: StoredPayment, minor: number): StoredPayment {
  const { amount, amountCaptured } = payment.body;
  const { currency } = amount;
  const before = amountCaptured ? units(amountCaptured) : 0;
  work.took({
    id: before === 0 ? payment.id : `${payment.id}/${before}`,
    paymentId: payment.paymentId,
    amount: minor,
    currency,
  });
  const captured = before + minor;
  if (captured < units(amount)) return changePayment(work, payment, { amountCaptured: amountOf(captured, currency) });
  return paidOut(work, payment, captured);
}

function paidOut(work: Work, payment: StoredPayment, captured: number): StoredPayment {
  const { currency } = payment.body.amount;
  const money = {
    amountCaptured: amountOf(captured, currency),
    amountRefunded: amountOf(0, currency),
    amountRemaining: amountOf(captured, currency),
  };
  return close(work, payment, { ...money, status: 'paid', paidAt: timestamp(work.now) });
}

/** The bank's word is a matter of days. */
function pend(work: Work, payment: StoredPayment): StoredPayment {
  return close(work, payment, {
    status: 'pending',
    ...(payment.body.method === 'directdebit' && { isCancelable: true }),
  });
}

export function fail(work: Work, payment: StoredPayment, { status, reason, scheme }: MollieDecline): StoredPayment {
  const at = timestamp(work.now);
  if (status !== 'failed')
    return close(work, payment, { status, ...(status === 'canceled' ? { canceledAt: at } : { expiredAt: at }) });
  const details = { ...detailsOf(payment.body), ...(reason && { failureReason: reason }) };
  return close(work, payment, {
    status,
    failedAt: at,
    details,
    statusReason: scheme ? { code: scheme, message: 'The payment was declined.' } : undefined,
  });
}

/** What was captured before stays taken. */
export function release(work: Work, payment: StoredPayment): StoredPayment {
  const captured = payment.body.amountCaptured ? units(payment.body.amountCaptured) : 0;
  return captured > 0 ? paidOut(work, payment, captured) : fail(work, payment, { status: 'canceled' });
}

/** The customer is sent to the bank's page. */
const askToAuthenticate = (work: Work, payment: StoredPayment): StoredPayment =>
  changePayment(work, payment, {}, { asks: 'authentication' });

type Trying = { readonly behaviour: Behaviour | null; readonly authenticated: boolean };

/** One try to charge. What a scenario orders comes before what the instrument would do. */
export function attempt(work: Work, payment: StoredPayment, { behaviour, authenticated }: Trying): StoredPayment {
  const instrument = payment.notes.instrument;
  if (behaviour?.kind === 'approve') return pay(work, payment);
  if (behaviour?.kind === 'wrong_amount') return pay(work, payment, units(payment.body.amount) + 1);
  if (behaviour?.kind === 'decline') return fail(work, payment, declineFor(behaviour.code));
  if (behaviour?.kind === 'pending') return pend(work, payment);
  if (!authenticated && (behaviour?.kind === 'requires_action' || instrument?.authenticate))
    return askToAuthenticate(work, payment);
  if (instrument?.decline) return fail(work, payment, instrument.decline);
  return instrument?.ends === 'pending' ? pend(work, payment) : pay(work, payment);
}

export const pageOf = (id: string): string => `${HERE}/mollie/checkout/${id}`;

function detailsOf({ method, details }: Payment): Payment['details'] {
  if (method !== 'creditcard') return details;
  const shown = {
    cardNumber: '4444',
    cardHolder: 'T. TEST',
    cardAudience: 'consumer',
    cardLabel: 'Mastercard',
    cardCountryCode: 'NL',
    cardSecurity: 'normal',
  };
  return { ...shown, feeRegion: 'other', ...details };
}
