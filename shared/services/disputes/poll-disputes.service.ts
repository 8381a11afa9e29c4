import type { FoundDispute } from '#shared/domain/disputes/dispute.model.ts';
import type { Payment } from '#shared/domain/payments/payment.model.ts';
import type { Connection } from '#shared/domain/routing/connection.model.ts';
import { DAY, HOUR, plus } from '#shared/kernel/clock.ts';
import type { Deps } from '#shared/ports/deps.ts';
import type { DisputeQuery } from '#shared/ports/dispute.port.ts';
import type { PspSession } from '#shared/ports/psp-gateway.port.ts';
import { type ApplyDisputeDeps, applyDispute } from '#shared/services/disputes/apply-dispute.service.ts';
import { lookUpChargeIds } from '#shared/services/disputes/charge-ids.service.ts';

type PollDeps = ApplyDisputeDeps & Pick<Deps, 'disputePolls' | 'connections' | 'psp' | 'pspDeadline' | 'log'>;

/**
 * The interval grows with the time without payments, from an hour to a day: disputes of an account that is not used come
 * late, and seldom.
 */
const IDLE_SHARE = 8;
const [MIN_INTERVAL, MAX_INTERVAL] = [HOUR, DAY];
/** Banks take disputes for about four months after a payment. */
const MAX_IDLE_TIME = 180 * DAY;
/** A PSP's list may lag behind: what it opened shortly before the last poll is read again. */
const OVERLAP = DAY;
/** Of the PSP's list; a hundred disputes or so each. */
const MAX_PAGES = 50;

/** What was opened before the first payment with us is read once. */
const FIRST_POLL_REACHES_BACK = 30 * DAY;

/**
 * Has the timer read the account's list of disputes, for a PSP that sends no callbacks about them. Called where a
 * payment of the connection has moved on; each process looks at most once an hour.
 */
export async function startDisputePolling(
  { org_id, id, provider }: Pick<Connection, 'org_id' | 'id' | 'provider'>,
  { disputePolls, psp, clock }: Pick<Deps, 'disputePolls' | 'psp' | 'clock'>,
): Promise<void> {
  if (psp.adapter(provider)?.disputes?.toldBy !== 'polled') return;
  const at = clock.now();
  await disputePolls.start({ org_id, connection_id: id }, plus(at, -FIRST_POLL_REACHES_BACK), at);
}

/** Reads what an account's customers have disputed since the last poll: one call, however many payments it has. */
export async function pollDisputes(
  { orgId, connectionId }: { readonly orgId: string; readonly connectionId: string },
  deps: PollDeps,
): Promise<void> {
  const poll = await deps.disputePolls.get(orgId, connectionId);
  if (!poll) return;
  const connection = await deps.connections.get(orgId, connectionId);
  const at = deps.clock.now();
  const idle = at.getTime() - Date.parse(poll.active_at);
  if (!connection || connection.sealed_credentials === '' || idle > MAX_IDLE_TIME) return deps.disputePolls.stop(poll);
  const range = { from: plus(poll.polled_until, -OVERLAP), until: at };
  const isRead = await readDisputes(connection, range, deps).then(
    () => true,
    (error: unknown) => {
      deps.log.warn('disputes_not_polled', { connection_id: connectionId, org_id: orgId, error });
      return false;
    },
  );
  const polled_until = isRead ? at.toISOString() : poll.polled_until;
  await deps.disputePolls.save({ ...poll, polled_until, version: poll.version + 1 }, plus(at, intervalAfter(idle)));
}

/** Payments are noted once a day: so long an account may look idle that is not. */
const intervalAfter = (idle: number): number =>
  Math.max(MIN_INTERVAL, Math.min(MAX_INTERVAL, Math.round((idle - DAY) / IDLE_SHARE)));

async function readDisputes(connection: Connection, range: DisputeQuery, deps: PollDeps): Promise<void> {
  const session = await deps.psp.open(connection, deps.pspDeadline());
  for await (const found of listedSince(session, range)) await applyIfOurs(found, { connection, session }, deps);
}

async function* listedSince(session: PspSession, range: DisputeQuery): AsyncGenerator<FoundDispute> {
  let query: DisputeQuery | undefined = range;
  for (let page = 0; query && page < MAX_PAGES; page += 1) {
    const asked: DisputeQuery = query;
    const { items, next } = await session.disputes(
      async (calls, psp) => (await calls.listSince?.(asked, psp)) ?? { items: [] },
    );
    yield* items;
    query = next === undefined ? undefined : { ...range, cursor: next };
  }
  if (query) throw new Error(`The list of disputes has more than ${MAX_PAGES} pages.`);
}

type Account = { readonly connection: Connection; readonly session: PspSession };

/** An account also has disputes of charges that were not made here. */
async function applyIfOurs(found: FoundDispute, account: Account, deps: PollDeps): Promise<void> {
  const { connection } = account;
  const { reference } = found;
  const payment = await disputedPayment(found, account, deps);
  if (payment?.org_id !== connection.org_id) return;
  await applyDispute({ payment, connection, reference, polled: true }, async () => ({ found, source: 'report' }), deps);
}

/** By the charge's reference, or by the ids that the PSP keeps with it: nobody may have told us that it was paid. */
async function disputedPayment(
  { paymentReference: charge }: FoundDispute,
  { connection, session }: Account,
  { payments }: PollDeps,
): Promise<Payment | undefined> {
  if (charge === null) return undefined;
  const known = await payments.byReference(connection.provider, charge);
  if (known?.attempts.some((a) => a.connection_id === connection.id && a.psp_reference === charge)) return known;
  const ids = await lookUpChargeIds({ reference: charge }, { connection, session });
  if (ids === 'unknown' || ids?.payment_id === undefined) return undefined;
  const named = await payments.byId(ids.payment_id);
  return named?.attempts.some((a) => a.connection_id === connection.id) ? named : undefined;
}
