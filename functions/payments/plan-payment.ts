import { type Instrument, tokenFor } from '#functions/payments/instrument.ts';
import type { CreatePaymentBody } from '#functions/payments/payments.schema.ts';
import { failUnsent, startAttempt } from '#shared/domain/attempt-start.machine.ts';
import type { Connection } from '#shared/domain/connection.model.ts';
import { declineOf, failureOf } from '#shared/domain/declines.catalog.ts';
import { announce } from '#shared/domain/payment.events.ts';
import type { Payment } from '#shared/domain/payment.model.ts';
import { type Route, routeByDefault, type Want } from '#shared/domain/routing.rules.ts';
import type { AttemptSeed } from '#shared/domain/verdict.model.ts';
import { plus } from '#shared/kernel/clock.ts';
import { LEASE, type Operation, operationId } from '#shared/kernel/operation.ts';
import type { Caller } from '#shared/ports/caller.ts';
import type { PspGatewayPort } from '#shared/ports/psp-gateway.port.ts';
import type { Setup } from '#shared/ports/stores.port.ts';

/** At most so many connections see one payment. */
const MOST_CONNECTIONS = 3;

/** The payment as it begins, with its first event; no PSP has heard of it. */
export function draftPayment(input: CreatePaymentBody, caller: Caller, operation: Operation, extra: { mode: 'sandbox' | 'live'; intent: boolean }): Payment {
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
    claim: { request: caller.ticket?.request ?? '', lease_until: plus(at, LEASE).toISOString(), answered: extra.intent },
    sealed_method: null,
    return_url: input.payment_method?.return_url ?? null,
    alternatives: [],
    outbox: [],
    announced: 0,
  };
  return announce(draft, 'payment.created', operation.at);
}

export const methodOf = (input: Pick<CreatePaymentBody, 'method' | 'payment_method'>): string => input.method ?? input.payment_method?.type ?? 'card';

/** Where this payment can go, in order. A bare `token` belongs to one provider: only the first can take it. */
export function routeOf(payment: Payment, setup: Setup, instrument: Instrument, psp: PspGatewayPort): Route {
  const want: Want = {
    ...payment,
    hasToken: (provider) => !instrument.tokens || tokenFor(instrument, provider) !== undefined,
    canExpress: (provider) => {
      const hosted = tokenFor(instrument, provider) === undefined && instrument.phone === undefined;
      return psp.adapter(provider)?.canExpress(payment.amount, payment.currency, hosted) ?? false;
    },
    lacksEmail: (provider) => payment.customer_email === null && psp.adapter(provider)?.needsEmail === true,
  };
  const route = routeByDefault(setup.connections, want);
  const single = instrument.token !== undefined && !instrument.tokens;
  return { ...route, ranked: route.ranked.slice(0, single ? 1 : MOST_CONNECTIONS) };
}

export function seedOf(operation: Operation, ranked: readonly Connection[], n: number): AttemptSeed | undefined {
  const [first, ...rest] = ranked;
  return first && { id: operationId(operation, 'attempt', n), connection_id: first.id, provider: first.provider, alternatives: rest.map((c) => c.id) };
}

/** Sends a payment on its way: to the first connection, or nowhere. */
export function sendOff(payment: Payment, route: Route, operation: Operation, step: 'start' | 'retry', at: Date): Payment {
  const seed = seedOf(operation, route.ranked, payment.attempts.length);
  const routed: Payment = { ...payment, routing: route.note };
  if (seed) return startAttempt(routed, seed, step, at);
  const failed = failUnsent(routed, failureOf(declineOf('no_route')), at);
  return { ...failed, claim: failed.claim && { ...failed.claim, answered: true } };
}
