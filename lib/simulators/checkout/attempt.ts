import {
  newId,
  type Payment,
  type PaymentNotes,
  referenceId,
  type StoredPayment,
} from '#lib/simulators/checkout/objects.ts';
import { decline, NO_BALANCES, type Step, succeed, wait } from '#lib/simulators/checkout/outcomes.ts';
import { AUTHENTICATION_REQUIRED, declineFor, type Verdict } from '#lib/simulators/checkout/response-codes.ts';
import type { Source } from '#lib/simulators/checkout/sources.ts';
import type { Behaviour } from '#lib/simulators/frame/behaviour.ts';
import type { Work } from '#lib/simulators/frame/provider.port.ts';

type Making = Pick<Payment, 'amount' | 'currency' | 'payment_type' | 'reference' | 'description' | 'metadata'> & {
  readonly customer?: { readonly email?: string };
};

/** An undecided payment, found by its reference from now on. */
export function newPayment(
  work: Work,
  source: Source,
  { customer, ...given }: Making,
  notes: Omit<PaymentNotes, 'session' | 'redirect'>,
): StoredPayment {
  const id = newId('pay');
  const paymentId = typeof given.metadata.payment_id === 'string' ? given.metadata.payment_id : null;
  const session = newId('sid');
  const { account, now } = work;
  const about = { account, paymentId, due: null };
  const body: Payment = {
    id,
    requested_on: now.toISOString(),
    source: source.shown,
    ...given,
    approved: false,
    status: 'Pending',
    balances: NO_BALANCES,
    risk: { flagged: false },
    ...(customer && { customer: { id: newId('cus'), ...customer } }),
  };
  work.objects.put({
    ...about,
    paymentId: null,
    id: session,
    kind: 'session',
    parent: null,
    body: { payment: id },
    notes: null,
  });
  const parent = given.reference === undefined ? null : referenceId(given.reference);
  return work.objects.put({
    ...about,
    id,
    kind: 'payment',
    parent,
    body,
    notes: { ...notes, session, redirect: false },
  });
}

type Wanted = { readonly kind: 'succeed' | 'ask' | 'wait' } | { readonly kind: 'decline'; readonly verdict: Verdict };

/** What a scenario orders comes before what the method would do. */
function ordered(behaviour: Behaviour | null): Wanted | undefined {
  if (behaviour?.kind === 'approve' || behaviour?.kind === 'wrong_amount') return { kind: 'succeed' };
  if (behaviour?.kind === 'decline') return { kind: 'decline', verdict: declineFor(behaviour.code) };
  if (behaviour?.kind === 'requires_action') return { kind: 'ask' };
  return behaviour?.kind === 'pending' ? { kind: 'wait' } : undefined;
}

/** The customer is absent: an issuer that requires authentication declines. */
export const unattended = (behaviour: Behaviour | null): Behaviour | null =>
  behaviour?.kind === 'requires_action' ? { kind: 'decline', code: 'authentication_required' } : behaviour;

/** A card that is enrolled is asked for where 3-D Secure was, and declined for the lack of it elsewhere. */
function natural(source: Source, secure: boolean): Wanted {
  if (source.decline) return { kind: 'decline', verdict: source.decline };
  if (source.redirects) return { kind: 'ask' };
  if (source.enrolled) return secure ? { kind: 'ask' } : { kind: 'decline', verdict: AUTHENTICATION_REQUIRED };
  return { kind: source.pending ? 'wait' : 'succeed' };
}

export type Attempted = Step | { readonly payment: StoredPayment; readonly action?: undefined };

/** One try to pay. */
export function attempt(work: Work, payment: StoredPayment, source: Source, secure: boolean): Attempted {
  const { behaviour } = payment.notes;
  const wanted = ordered(behaviour) ?? natural(source, secure);
  if (wanted.kind === 'decline') return decline(work, payment, wanted.verdict);
  if (wanted.kind !== 'succeed') return { payment: wait(work, payment, wanted.kind === 'ask') };
  return succeed(work, payment, payment.body.amount + (behaviour?.kind === 'wrong_amount' ? 1 : 0));
}
