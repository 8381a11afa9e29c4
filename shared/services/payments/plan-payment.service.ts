import { refuseUnverified } from '#shared/domain/accounts/kyc.rules.ts';
import { failUnsent, startAttempt } from '#shared/domain/payments/attempt-start.machine.ts';
import { declineOf, failureOf } from '#shared/domain/payments/declines.catalog.ts';
import { announce } from '#shared/domain/payments/payment.events.ts';
import type { Payment, RoutingNote } from '#shared/domain/payments/payment.model.ts';
import type { CreatePaymentInput } from '#shared/domain/payments/payment-input.model.ts';
import type { AttemptSeed } from '#shared/domain/payments/verdict.model.ts';
import type { Provider } from '#shared/domain/reference/provider.model.ts';
import type { Stage } from '#shared/domain/reference/stage.model.ts';
import type { Connection } from '#shared/domain/routing/connection.model.ts';
import { sentThrough } from '#shared/domain/routing/connection-credentials.rules.ts';
import { screenPayment } from '#shared/domain/routing/fraud.rules.ts';
import type { FraudPolicy } from '#shared/domain/routing/fraud-policy.model.ts';
import { healthOf } from '#shared/domain/routing/health.rules.ts';
import { type Route, type RoutingSetup, routePayment } from '#shared/domain/routing/routing.rules.ts';
import type { Want } from '#shared/domain/routing/usable-connection.rules.ts';
import { plus } from '#shared/kernel/clock.ts';
import { LEASE, type Operation, operationId } from '#shared/kernel/operation.ts';
import type { Caller } from '#shared/ports/caller.ts';
import type { Deps } from '#shared/ports/deps.ts';
import type { Setup } from '#shared/ports/organizations.port.ts';
import { type Instrument, tokenFor } from '#shared/services/payments/instrument.service.ts';

/** How many connections may see one payment. */
const MOST_CONNECTIONS = 3;

/** The new payment with its first event; no PSP has been called. */
export function draftPayment(
  input: CreatePaymentInput,
  caller: Pick<Caller, 'orgId' | 'ticket'>,
  operation: Operation,
  extra: { mode: Stage; intent: boolean },
): Payment {
  const at = operation.at.toISOString();
  const draft: Payment = {
    id: operationId(operation, 'payment'),
    org_id: caller.orgId,
    mode: extra.mode,
    amount: input.amount,
    currency: input.currency,
    status: 'created',
    method: methodOf(input),
    country: input.country ?? null,
    customer_id: input.customer_id ?? null,
    customer_email: input.customer_email ?? null,
    customer_ip: input.customer_ip ?? null,
    description: input.description ?? null,
    metadata: input.metadata ?? {},
    connection_id: null,
    provider: null,
    psp_reference: null,
    amount_refunded: 0,
    refunds: [],
    attempts: [],
    next_action: null,
    failure: null,
    late_success: false,
    review: null,
    routing: null,
    fraud: null,
    payment_link_id: null,
    created_at: at,
    updated_at: at,
    version: 1,
    intent: extra.intent,
    claim: {
      request: caller.ticket?.request ?? '',
      lease_until: plus(at, LEASE).toISOString(),
      answered: extra.intent,
    },
    sealed_method: null,
    return_url: input.payment_method?.return_url ?? null,
    alternatives: [],
    outbox: [],
    announced: 0,
  };
  return announce(draft, 'payment.created', operation.at);
}

const methodOf = (input: Pick<CreatePaymentInput, 'method' | 'payment_method'>): string =>
  input.method ?? input.payment_method?.type ?? 'card';

/** The routing decision and the fraud policy that a payment is dispatched with. */
type RoutingDecision = { readonly route: Route; readonly policy: FraudPolicy | undefined };

/**
 * Checked for every caller, our own schedule included: no live payment is sent for an organization that is not
 * verified.
 */
export function decideRouting(
  payment: Payment,
  setup: Setup,
  instrument: Instrument,
  deps: Pick<Deps, 'psp' | 'clock'>,
): RoutingDecision {
  if (payment.mode === 'live') refuseUnverified(setup.organization);
  return { route: routeOf(payment, setup, instrument, deps), policy: setup.fraud };
}

/**
 * The connections that can take this payment, in order. A bare `token` belongs to one provider: only the first one can
 * take it.
 */
function routeOf(
  payment: Payment,
  setup: Setup,
  instrument: Instrument,
  { psp, clock }: Pick<Deps, 'psp' | 'clock'>,
): Route {
  const at = clock.now();
  const want: Want = {
    ...payment,
    offSession: payment.off_session === true,
    hasToken: payment.off_session
      ? hasSavedToken(payment, instrument, setup, psp)
      : (provider) => !instrument.tokens || tokenFor(instrument, provider) !== undefined,
    canExpress: (provider) => {
      const hosted = tokenFor(instrument, provider) === undefined && instrument.phone === undefined;
      return psp.adapter(provider)?.canExpress(payment.amount, payment.currency, hosted) ?? false;
    },
    lacksEmail: (provider) => payment.customer_email === null && psp.adapter(provider)?.needsEmail === true,
  };
  const route = routePayment({ ...setup, healthOf: healthIn(setup, at), at }, want);
  const single = instrument.token !== undefined && !instrument.tokens;
  return { ...route, ranked: route.ranked.slice(0, single ? 1 : MOST_CONNECTIONS) };
}

/**
 * Off-session: which providers hold a saved method of the customer's. A bare token goes where it went before; when that
 * connection is deleted, another one of its provider may be the same account.
 */
function hasSavedToken(
  { method, token_of }: Payment,
  instrument: Instrument,
  { connections }: Setup,
  psp: Deps['psp'],
): Want['hasToken'] {
  const isThere = connections.some(({ id }) => id === token_of?.connection_id);
  const knows = (provider: string, connectionId: string) =>
    instrument.tokens !== undefined ||
    token_of === undefined ||
    (isThere ? connectionId === token_of.connection_id : provider === token_of.provider);
  return (provider, connectionId) => {
    const token = tokenFor(instrument, provider);
    return (
      token !== undefined &&
      psp.adapter(provider as Provider)?.keepsToken(token, method) === true &&
      knows(provider, connectionId)
    );
  };
}

function seedOf(operation: Operation, ranked: readonly Connection[], n: number): AttemptSeed | undefined {
  const [first, ...rest] = ranked;
  return (
    first && { id: operationId(operation, 'attempt', n), ...sentThrough(first), alternatives: rest.map((c) => c.id) }
  );
}

/**
 * Begins the attempt at the first connection, or fails the payment. A payment that the fraud policy blocks is not
 * routed.
 */
export function dispatch(
  payment: Payment,
  { route, policy }: RoutingDecision,
  operation: Operation,
  step: 'start' | 'retry',
  at: Date,
): Payment {
  const screened = screen(payment, policy);
  if (screened.fraud?.decision === 'blocked') return notDispatched(screened, 'fraud_blocked', operation, at);
  const seed = seedOf(operation, route.ranked, payment.attempts.length);
  // An off-session bare token is bound to the account that its first attempt goes to.
  const pin = seed &&
    payment.off_session && { token_of: { connection_id: seed.connection_id, provider: seed.provider } };
  const routed: Payment = { ...pin, ...screened, routing: route.note };
  return seed
    ? startAttempt(routed, { ...seed, ...trialIn(route.note) }, step, at)
    : notDispatched(routed, 'no_route', operation, at);
}

/** Marks the attempt that an A/B test's variant counts. */
const trialIn = ({ ab_test_id, variant }: RoutingNote): Pick<AttemptSeed, 'ab_test'> =>
  ab_test_id === undefined || variant === undefined ? {} : { ab_test: { test_id: ab_test_id, variant } };

function notDispatched(payment: Payment, code: 'fraud_blocked' | 'no_route', operation: Operation, at: Date): Payment {
  const { unscreened: _, ...rest } = payment;
  const failed = failUnsent(
    { ...rest, unsent: operationId(operation, 'attempt', payment.attempts.length) },
    failureOf(declineOf(code)),
    at,
  );
  return { ...failed, claim: failed.claim && { ...failed.claim, answered: true } };
}

/** What the policy says of the payment by itself. Velocity is checked once the payment is written. */
function screen({ unscreened: _, ...payment }: Payment, policy: FraudPolicy | undefined): Payment {
  if (!policy?.enabled) return { ...payment, fraud: null };
  const { allowed, reasons } = screenPayment(policy, payment);
  const decision = reasons.length === 0 ? 'passed' : policy.action === 'block' ? 'blocked' : 'flagged';
  return {
    ...payment,
    fraud: { decision, reasons },
    ...(!allowed && policy.velocity.length > 0 && { unscreened: policy.version }),
  };
}

/** The connections' health now; computed once for each connection. */
function healthIn({ calls }: Setup, at: Date): RoutingSetup['healthOf'] {
  const known = new Map<string, ReturnType<RoutingSetup['healthOf']>>();
  return (id) => {
    const found = known.get(id) ?? judged(calls.get(id)?.sums ?? {}, at);
    known.set(id, found);
    return found;
  };
}

function judged(sums: Parameters<typeof healthOf>[0], at: Date): ReturnType<RoutingSetup['healthOf']> {
  const { health_score: score, health_status: status } = healthOf(sums, at);
  return { score, status };
}
