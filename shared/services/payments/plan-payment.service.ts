import { listShardsAt } from '#shared/domain/accounts/capacity.rules.ts';
import type { Organization } from '#shared/domain/accounts/organization.model.ts';
import { assertVerified, quarantined } from '#shared/domain/accounts/organization.rules.ts';
import { declineOf, failureOf } from '#shared/domain/payments/declines.catalog.ts';
import {
  announce,
  answeredClaim,
  attemptConnectionOf,
  failUnsent,
  startAttempt,
} from '#shared/domain/payments/payment.machine.ts';
import type { Payment, RoutingNote } from '#shared/domain/payments/payment.model.ts';
import type { CreatePaymentInput } from '#shared/domain/payments/payment-input.model.ts';
import type { NewAttempt } from '#shared/domain/payments/verdict.model.ts';
import { mailHash } from '#shared/domain/reference/email.rules.ts';
import type { Stage } from '#shared/domain/reference/stage.model.ts';
import { type Candidate, capturesLater } from '#shared/domain/routing/candidates.rules.ts';
import type { RoutedConnection } from '#shared/domain/routing/connection.model.ts';
import { screenPayment } from '#shared/domain/routing/fraud.rules.ts';
import type { FraudPolicy } from '#shared/domain/routing/fraud-policy.model.ts';
import { healthIn } from '#shared/domain/routing/health.rules.ts';
import { planRouting, type RoutingPlan } from '#shared/domain/routing/routing.rules.ts';
import { plus } from '#shared/kernel/clock.ts';
import { AppError } from '#shared/kernel/errors.ts';
import { CLAIM_LEASE_MS, type Operation, operationId } from '#shared/kernel/operation.ts';
import type { Caller } from '#shared/ports/caller.ts';
import type { Deps, HashConfig, TokenConfig } from '#shared/ports/deps.ts';
import type { RoutingData } from '#shared/ports/organizations.port.ts';
import { type Instrument, tokenFor, tokenVersion } from '#shared/services/payments/charge-order.service.ts';

/** How many connections may see one payment. */
const MAX_CONNECTIONS_TRIED = 3;

/** The new payment with its first event; no PSP has been called. */
export function draftPayment(
  input: CreatePaymentInput,
  caller: Pick<Caller, 'orgId' | 'idempotencyRequest'>,
  operation: Operation,
  extra: { mode: Stage; intent: boolean; organization: Organization | undefined; config: HashConfig & TokenConfig },
): Payment {
  const at = operation.at.toISOString();
  const method = input.method ?? input.payment_method?.type ?? 'card';
  const place = placeFor(extra.organization, operation.at);
  const draft: Payment = {
    id: operationId(operation, 'payment'),
    org_id: caller.orgId,
    mode: extra.mode,
    amount: input.amount,
    currency: input.currency,
    status: 'created',
    method,
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
      request: caller.idempotencyRequest?.request ?? '',
      ...(extra.intent ? { answered: true } : { answered: false, lease_until: plus(at, CLAIM_LEASE_MS).toISOString() }),
    },
    sealed_method: null,
    return_url: input.payment_method?.return_url ?? null,
    alternatives: [],
    outbox: [],
    announced: 0,
    ...(input.customer_email && { mail_hash: mailHash(extra.config.hashSecret, caller.orgId, input.customer_email) }),
    ...(extra.config.rotations && tokenVersion(extra.config)),
    ...place,
    ...(input.capture === 'manual' && MANUAL_CAPTURE),
    ...(input.payment_method_id !== undefined && { payment_method_id: input.payment_method_id }),
    ...(input.save && { save: true }),
  };
  return announce(draft, 'payment.created', operation.at);
}

/** Payments that are captured at once have none of these fields, so that their records stay small. */
export const MANUAL_CAPTURE = {
  capture: 'manual',
  authorized_amount: null,
  captured_amount: 0,
  released_amount: 0,
  capturable_until: null,
  captures: [],
} as const satisfies Partial<Payment>;

/** Only a large organization spreads its lists over more partitions than everybody. */
export const placeFor = (organization: Organization | undefined, at: Date): Pick<Payment, 'list_shards'> =>
  organization?.capacity ? { list_shards: listShardsAt(organization.capacity, at) } : {};

/** Where a payment goes, and the fraud policy that it is screened by. */
type RoutingDecision = { readonly plan: RoutingPlan; readonly policy: FraudPolicy | undefined };

/**
 * Checked for every caller, our own schedule included: no live payment is sent for an organization that is not
 * verified. A bare `token` belongs to one provider, so only the first connection may take it.
 */
export function decideRouting(
  payment: Payment,
  routingData: RoutingData,
  instrument: Instrument,
  at: Date,
  { psp }: Pick<Deps, 'psp'>,
): RoutingDecision {
  if (routingData.organization?.quarantined_at !== undefined) throw quarantined();
  if (payment.mode === 'live') assertVerified(routingData.organization);
  const { ranked, note } = planRouting(
    payment,
    candidatesFor(payment, routingData, instrument, at, psp),
    routingData,
    at,
  );
  assertKnownNetwork(payment, instrument, ranked, psp);
  if (instrument.details?.mit) assertReusableToken(payment, instrument, routingData, psp);
  const isBareToken = instrument.token !== undefined && !instrument.tokens;
  return {
    plan: { ranked: ranked.slice(0, isBareToken ? 1 : MAX_CONNECTIONS_TRIED), note },
    policy: routingData.fraud,
  };
}

/**
 * A network that none of the connections' providers knows is the client's mistake. One of them is enough: the others
 * ask the customer on their page.
 */
function assertKnownNetwork(
  { method, currency, country }: Payment,
  { network, token, tokens }: Instrument,
  ranked: readonly RoutedConnection[],
  psp: Deps['psp'],
): void {
  if (network === undefined || token !== undefined || tokens) return;
  const lists = ranked.map(({ provider }) =>
    psp.adapter(provider)?.networksToChooseFrom?.({ method, currency, country, network }),
  );
  if (lists.length === 0 || lists.includes(undefined)) return;
  const message = `Name one of these networks: ${[...new Set(lists.flatMap((names) => names ?? []))].join(', ')}.`;
  throw new AppError('invalid_request', `This network is not known for ${method} in ${currency}. ${message}`, {
    details: { fields: [{ path: 'payment_method.network', message }] },
  });
}

/** Off-session only a saved payment method can be charged, and not one that was made in a browser for one charge. */
function assertReusableToken(
  { method, invoice_id }: Payment,
  instrument: Instrument,
  { connections }: Pick<RoutingData, 'connections'>,
  psp: Deps['psp'],
): void {
  // Nobody is there who could send another one.
  if (invoice_id !== undefined || connections.length === 0) return;
  const isReusable = connections.some(({ id, provider }) => {
    const token = tokenFor(instrument, provider, id);
    return token !== undefined && psp.adapter(provider)?.isReusableToken(token, method) === true;
  });
  if (isReusable) return;
  const message =
    'With mit, send the token of a saved payment method: none of your providers can charge this one while the customer ' +
    'is absent.';
  throw new AppError('invalid_request', message, { details: { fields: [{ path: 'payment_method.token', message }] } });
}

/** Each connection with what this payment needs of it. */
export function candidatesFor(
  payment: Payment,
  { connections, trouble }: RoutingData,
  instrument: Instrument,
  at: Date,
  psp: Deps['psp'],
): readonly Candidate[] {
  return connections.map((connection) => {
    const { provider } = connection;
    const token = tokenFor(instrument, provider, connection.id);
    const adapter = psp.adapter(provider);
    const isHosted = token === undefined && instrument.phone === undefined;
    return {
      connection,
      supportsAmount: adapter?.supportsAmount(payment.amount, payment.currency, isHosted, payment.method) ?? false,
      health: healthIn({ trouble }, connection, at),
      capturesLater: !payment.capture || capturesLater(connection.capabilities, payment.method, adapter?.manualCapture),
      lacksEmail: payment.customer_email === null && adapter?.requiresEmail === true,
      hasToken: payment.off_session
        ? token !== undefined &&
          adapter?.isReusableToken(token, payment.method) === true &&
          (instrument.tokens !== undefined || ownsToken(connection, payment, connections))
        : !instrument.tokens || token !== undefined,
    };
  });
}

/**
 * Off-session, a bare token goes where it went before; when that connection is deleted, another one of its provider may
 * be the same account.
 */
function ownsToken(
  { id, provider }: RoutedConnection,
  { token_of: owner }: Payment,
  connections: readonly RoutedConnection[],
): boolean {
  if (owner === undefined) return true;
  const isThere = connections.some((each) => each.id === owner.connection_id);
  return isThere ? id === owner.connection_id : provider === owner.provider;
}

function firstAttemptOf(operation: Operation, ranked: readonly RoutedConnection[], n: number): NewAttempt | undefined {
  const [first, ...rest] = ranked;
  return (
    first && {
      id: operationId(operation, 'attempt', n),
      ...attemptConnectionOf(first),
      alternatives: rest.map((c) => c.id),
    }
  );
}

/**
 * Begins the attempt at the first connection, or fails the payment. A payment that the fraud policy blocks is not
 * routed.
 */
export function startFirstAttempt(
  payment: Payment,
  { plan, policy }: RoutingDecision,
  operation: Operation,
  step: 'start' | 'retry',
  at: Date,
): Payment {
  const screened = screenForFraud(payment, policy);
  if (screened.fraud?.decision === 'blocked') return failWithoutAttempt(screened, 'fraud_blocked', operation, at);
  const abTest = abTestOf(plan.note);
  const firstAttempt = firstAttemptOf(operation, plan.ranked, payment.attempts.length);
  if (!firstAttempt) return failWithoutAttempt({ ...screened, routing: plan.note }, 'no_route', operation, at);
  // An off-session bare token is bound to the account that its first attempt goes to.
  const owner = payment.off_session && {
    token_of: { connection_id: firstAttempt.connection_id, provider: firstAttempt.provider },
  };
  const routed: Payment = { ...owner, ...screened, routing: plan.note };
  return startAttempt(routed, { ...firstAttempt, ...abTest }, step, at);
}

/** Marks the attempt that an A/B test's variant counts. */
const abTestOf = ({ ab_test_id, variant }: RoutingNote): Pick<NewAttempt, 'ab_test'> =>
  ab_test_id === undefined || variant === undefined ? {} : { ab_test: { test_id: ab_test_id, variant } };

function failWithoutAttempt(
  payment: Payment,
  code: 'fraud_blocked' | 'no_route',
  operation: Operation,
  at: Date,
): Payment {
  const { unscreened: _, ...rest } = payment;
  const failed = failUnsent(
    { ...rest, unsent: operationId(operation, 'attempt', payment.attempts.length) },
    failureOf(declineOf(code)),
    at,
  );
  return { ...failed, claim: failed.claim && answeredClaim(failed.claim) };
}

/** The fraud policy's verdict on the payment itself. Velocity is checked once the payment is stored. */
function screenForFraud({ unscreened: _, ...payment }: Payment, policy: FraudPolicy | undefined): Payment {
  if (!policy?.enabled) return { ...payment, fraud: null };
  const { allowed, reasons } = screenPayment(policy, payment);
  const onHit = policy.action === 'block' ? 'blocked' : 'flagged';
  const decision = reasons.length === 0 ? 'passed' : onHit;
  return {
    ...payment,
    fraud: { decision, reasons },
    ...(!allowed && policy.velocity.length > 0 && { unscreened: policy.version }),
  };
}
