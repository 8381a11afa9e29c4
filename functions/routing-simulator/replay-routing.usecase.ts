import type { ReplayRoutingInput } from '#functions/routing-simulator/routing-simulator.schema.ts';
import type { Payment } from '#shared/domain/payments/payment.model.ts';
import { rulesInOrder } from '#shared/domain/routing/edited-rules.rules.ts';
import {
  candidatesThen,
  type Replayed,
  replayPayment,
  summarizeReplay,
  wasRouted,
} from '#shared/domain/routing/routing-replay.rules.ts';
import type { Caller } from '#shared/ports/caller.ts';
import type { Deps } from '#shared/ports/deps.ts';
import type { RoutingData } from '#shared/ports/organizations.port.ts';
import { candidatesFor } from '#shared/services/payments/plan-payment.service.ts';

type Needs = Pick<Deps, 'psp' | 'payments' | 'clock'>;

/**
 * Routes the newest payments once by the stored rules and once by edited ones. Both plans see the same connections, so
 * that a difference comes from the edit alone.
 */
export async function replayRouting({ rules, limit }: ReplayRoutingInput, caller: Caller, deps: Needs) {
  const data = await caller.routingData();
  const edited = { rules: rulesInOrder(rules, data.connections), tests: data.tests };
  const payments = await newestPayments(caller.orgId, data, limit, deps);
  const at = deps.clock.now();
  const replayed: Replayed[] = [];
  for (const [n, payment] of payments.entries()) {
    if (n % PAYMENTS_AT_ONCE === 0) await otherWork();
    if (!wasRouted(payment)) continue;
    const now = candidatesFor(payment, { ...data, trouble: {} }, { type: payment.method }, at, deps.psp);
    replayed.push(replayPayment(payment, candidatesThen(payment, now), { stored: data, edited }, at));
  }
  return {
    payments: payments.length,
    oldest_at: payments.at(-1)?.created_at ?? null,
    newest_at: payments.at(0)?.created_at ?? null,
    ...summarizeReplay(replayed),
  };
}

const PAYMENTS_AT_ONCE = 25;

/** Lets other requests of the same process run in between. */
const otherWork = () => new Promise<void>((resolve) => void setImmediate(resolve));

/** Pages of the payments' list: what is read depends on `limit`, not on how many payments there are. */
async function newestPayments(
  orgId: string,
  { connections, deletedConnections }: RoutingData,
  limit: number,
  { payments }: Pick<Deps, 'payments'>,
): Promise<readonly Payment[]> {
  const ids = [...connections.map(({ id }) => id), ...deletedConnections];
  const found: Payment[] = [];
  let cursor: string | undefined;
  do {
    const page = await payments.list(orgId, ids, {
      limit: limit - found.length,
      offset: 0,
      ...(cursor !== undefined && { cursor }),
    });
    found.push(...page.items);
    cursor = page.next;
  } while (cursor !== undefined && found.length < limit);
  return found;
}
