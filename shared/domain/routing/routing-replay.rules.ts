import type { Payment } from '#shared/domain/payments/payment.model.ts';
import type { Candidate } from '#shared/domain/routing/candidates.rules.ts';
import { planRouting, type RoutingConfig } from '#shared/domain/routing/routing.rules.ts';

/** How often a list of moves or payments is cut. */
const MAX_MOVES = 50;
const MAX_SAMPLE = 20;

/** Where one payment goes by the stored rules and by the edited ones; null where nothing can take it. */
export type Replayed = {
  readonly payment_id: string;
  readonly created_at: string;
  readonly recorded: string | null;
  readonly from: string | null;
  readonly to: string | null;
};

/** Whether a payment was ever routed: others were blocked before, or wait for their confirmation. */
export const wasRouted = (payment: Payment): boolean => payment.routing !== null;

/**
 * The connections as this payment met them, as far as its record says: what was down for it was down, and what had no
 * token of it has none. Otherwise the replay would show today's troubles in place of the edited rules.
 */
export function candidatesThen(payment: Payment, candidates: readonly Candidate[]): readonly Candidate[] {
  const reasons = new Map(payment.routing?.considered.map(({ connection_id, reason }) => [connection_id, reason]));
  return candidates.map((candidate) => {
    const reason = reasons.get(candidate.connection.id);
    return {
      ...candidate,
      health: reason === 'down' ? 'down' : 'healthy',
      hasToken: reason !== 'no_token',
      lacksEmail: payment.erased ? reason === 'customer_email_required' : candidate.lacksEmail,
    };
  });
}

export function replayPayment(
  payment: Payment,
  candidates: readonly Candidate[],
  { stored, edited }: { readonly stored: RoutingConfig; readonly edited: RoutingConfig },
  at: Date,
): Replayed {
  const goesBy = (config: RoutingConfig) => planRouting(payment, candidates, config, at).ranked[0]?.id ?? null;
  return {
    payment_id: payment.id,
    created_at: payment.created_at,
    recorded: payment.routing?.considered.find(({ usable }) => usable)?.connection_id ?? null,
    from: goesBy(stored),
    to: goesBy(edited),
  };
}

/** Payments newest first. */
export function summarizeReplay(replayed: readonly Replayed[]) {
  const moved = replayed.filter(({ from, to }) => from !== to);
  const groups = Map.groupBy(moved, ({ from, to }) => JSON.stringify([from, to]));
  const moves = [...groups.values()].flatMap((group) =>
    group[0] ? [{ from: group[0].from, to: group[0].to, payments: group.length }] : [],
  );
  return {
    replayed: replayed.length,
    moved: moved.length,
    differs_from_recorded: replayed.filter(({ recorded, from }) => recorded !== from).length,
    moves: moves.sort((a, b) => b.payments - a.payments).slice(0, MAX_MOVES),
    sample: moved.slice(0, MAX_SAMPLE).map(({ recorded: _, ...each }) => each),
  };
}
