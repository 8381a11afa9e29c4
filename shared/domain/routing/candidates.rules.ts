import type { Payment, RoutingNote } from '#shared/domain/payments/payment.model.ts';
import type { Capabilities, FeeStructure, RoutedConnection } from '#shared/domain/routing/connection.model.ts';
import type { HealthStatus } from '#shared/domain/routing/health.rules.ts';
import { shardOf } from '#shared/kernel/ids.ts';

/** What routing looks at in a payment. */
export type RoutedPayment = Pick<
  Payment,
  'id' | 'customer_id' | 'mode' | 'method' | 'currency' | 'country' | 'amount' | 'off_session'
>;

/**
 * A connection with what is known of it for one payment. All of it is looked up before, so that ranking only compares.
 */
export type Candidate = {
  readonly connection: RoutedConnection;
  readonly health: HealthStatus;
  /** The provider can express exactly this amount. */
  readonly supportsAmount: boolean;
  /** The provider requires a mail address, and the payment has none. */
  readonly lacksEmail: boolean;
  /** It can authorize the payment without capturing it, or need not. */
  readonly capturesLater: boolean;
  /** There is a token for this connection, or none is needed. */
  readonly hasToken: boolean;
};

/** A candidate with the values that it is ranked by. */
export type RatedCandidate = {
  readonly connection: RoutedConnection;
  /** Why it cannot take the payment; null if it can. */
  readonly reason: string | null;
  readonly isDown: boolean;
  /** This payment tests whether a degraded connection, or one that is down, has recovered. */
  readonly isProbed: boolean;
  readonly isPreferred: boolean;
  readonly bias: number;
  readonly healthRank: number;
  readonly fee: number;
};

export type Ranking = { readonly ranked: readonly RoutedConnection[]; readonly considered: RoutingNote['considered'] };

/** How many of 100 payments probe a connection that is degraded or down, to see whether it has recovered. */
const PROBES_IN_100 = 5;

/** Unknown is as good as healthy: a new connection must get its first payment. */
const HEALTH_RANK: Readonly<Record<HealthStatus, number>> = { healthy: 0, unknown: 0, degraded: 1, down: 2 };

export function rateCandidate(candidate: Candidate, payment: RoutedPayment): RatedCandidate {
  const { connection, health } = candidate;
  const { routing_hints: hints, fee_structure } = connection;
  const isProbed = (health === 'degraded' || health === 'down') && isProbe(payment.id, connection.id);
  return {
    connection,
    reason: unusableReason(candidate, payment),
    isDown: health === 'down',
    isProbed,
    isPreferred: payment.country !== null && hints.country_preference.includes(payment.country),
    bias: hints.method_bias[payment.method] ?? 0,
    // Without calls the recovery of a degraded connection would go unseen, so a probe takes it for healthy.
    healthRank: health === 'degraded' && isProbed ? HEALTH_RANK.healthy : HEALTH_RANK[health],
    fee: fee_structure === null ? 0 : feeFor(fee_structure, payment),
  };
}

/** Why a connection cannot take this payment; null when it can. */
export function unusableReason(
  { connection, supportsAmount, capturesLater, lacksEmail, hasToken }: Candidate,
  payment: Omit<RoutedPayment, 'id' | 'customer_id'>,
): string | null {
  const { status, mode, capabilities } = connection;
  if (status !== 'active') return 'inactive';
  if (mode !== payment.mode) return 'wrong_mode';
  if (!capabilities.methods.includes(payment.method)) return 'method_not_supported';
  if (!includes(capabilities.currencies, payment.currency)) return 'currency_not_supported';
  if (payment.country !== null && !includes(capabilities.countries, payment.country)) return 'country_not_supported';
  if (payment.off_session && !capabilities.off_session) return 'off_session_not_supported';
  if (!capturesLater) return 'capture_not_supported';
  if (!supportsAmount) return 'amount_not_supported';
  if (lacksEmail) return 'customer_email_required';
  return hasToken ? null : 'no_token';
}

export type CaptureFacts = { readonly methods: readonly string[]; readonly partial: boolean; readonly multi: boolean };

/** Whether a connection can authorize this method without capturing it: its provider can, and it is not switched off. */
export const capturesLater = (
  { manual_capture }: Capabilities,
  method: string,
  facts: CaptureFacts | undefined,
): boolean => facts?.methods.includes(method) === true && manual_capture !== false;

/** The capabilities with those of capture, which connections store only where they were set. */
export function withCaptureCapabilities(capabilities: Capabilities, facts: CaptureFacts | undefined) {
  const manual_capture = facts !== undefined && capabilities.manual_capture !== false;
  return {
    ...capabilities,
    manual_capture,
    partial_capture: manual_capture && facts.partial && capabilities.partial_capture !== false,
    multi_capture: manual_capture && facts.multi && capabilities.multi_capture !== false,
  };
}

const includes = (all: readonly string[] | 'all', one: string): boolean => all === 'all' || all.includes(one);

/** Derived from the payment's id, so that a retry decides as the first try did. */
const isProbe = (paymentId: string, connectionId: string): boolean =>
  shardOf(`${connectionId} ${paymentId}`, 100) < PROBES_IN_100;

/**
 * A provider's fee for this payment, in fractional minor units: for comparison only, never charged. The most specific
 * line counts, currency before method before all, separately for each part. A missing fee is 0.
 */
function feeFor(fees: FeeStructure, { amount, currency, method }: RoutedPayment): number {
  const lines = [fees.per_currency?.[currency], fees.per_method?.[method], fees];
  const mostSpecific = (part: 'percentage' | 'fixed') => lines.find((line) => line?.[part] !== undefined)?.[part] ?? 0;
  return (amount * mostSpecific('percentage')) / 100 + mostSpecific('fixed');
}

/**
 * Ranks the connections that can take the payment: preferred country first, then the method's bias, health and cost,
 * then the id; `fallback_only` ones last. One that is down is left out, except for probes and while all others are
 * down; degraded ones are probed too. A probed connection comes first within its group: a `fallback_only` one stays
 * behind the others. The same input gives the same order.
 */
export function rankCandidates(candidates: readonly RatedCandidate[]): Ranking {
  const someAreUp = candidates.some(({ reason, isDown }) => reason === null && !isDown);
  const considered = candidates.toSorted(byRank(someAreUp)).map(({ connection, reason, isDown, isProbed }) => ({
    connection,
    reason: reason ?? (someAreUp && isDown && !isProbed ? 'down' : null),
  }));
  return {
    ranked: considered.filter(({ reason }) => reason === null).map(({ connection }) => connection),
    considered: considered.map(({ connection, reason }) => ({
      connection_id: connection.id,
      usable: reason === null,
      reason,
    })),
  };
}

const byRank =
  (someAreUp: boolean) =>
  (a: RatedCandidate, b: RatedCandidate): number =>
    Number(a.connection.routing_hints.fallback_only) - Number(b.connection.routing_hints.fallback_only) ||
    (someAreUp ? Number(b.isDown && b.isProbed) - Number(a.isDown && a.isProbed) : 0) ||
    Number(b.isPreferred) - Number(a.isPreferred) ||
    b.bias - a.bias ||
    a.healthRank - b.healthRank ||
    a.fee - b.fee ||
    (a.connection.id < b.connection.id ? -1 : 1);
