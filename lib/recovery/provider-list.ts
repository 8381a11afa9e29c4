import type { ConnectionResult } from '#lib/recovery/recovery-report.ts';
import type { Connection } from '#shared/domain/routing/connection.model.ts';
import { MINUTE, plus, SECOND, startDeadline } from '#shared/kernel/clock.ts';
import { pause } from '#shared/kernel/retry-on-conflict.ts';
import type { Deps } from '#shared/ports/deps.ts';
import {
  PspNotSent,
  PspOutcomeUnknown,
  PspRefused,
  type PspTransaction,
  type TransactionQuery,
} from '#shared/ports/psp.port.ts';
import type { PspSession } from '#shared/ports/psp-gateway.port.ts';

/** How to wait before a call is repeated. */
export type Waiting = { readonly wait?: (ms: number) => Promise<unknown> };

export type ListDeps = Pick<Deps, 'psp' | 'clock' | 'connections'> & Waiting;

export type TimeRange = { readonly from: Date; readonly until: Date };

/** What a connection's provider lists of a time range as ours. */
export type ProviderList = {
  readonly connection: Connection;
  readonly charges: readonly PspTransaction[];
  readonly refunds: readonly PspTransaction[];
  readonly result: ConnectionResult;
};

/** Each page is a call of its own, and has its own time. */
const PAGE_TIME = MINUTE;

/** Clocks of providers may be behind ours. What is known already does no harm. */
const MAX_CLOCK_SKEW = 5 * MINUTE;

const MAX_TRIES = 5;
const MAX_PAUSE = MINUTE;

/** Reads both lists of a connection. Its failure is a result: it ends nothing for the others. */
export async function listOfConnection(
  connection: Connection,
  range: TimeRange,
  deps: ListDeps,
): Promise<ProviderList> {
  const { org_id, id, provider } = connection;
  const facts = deps.psp.adapter(provider);
  const base = { org_id, connection_id: id, provider };
  const none = (result: 'no_list' | 'failed', reason: string): ProviderList => ({
    connection,
    charges: [],
    refunds: [],
    result: { ...base, result, listed: 0, ours: 0, reason },
  });
  if (!facts || facts.noTransactionList !== undefined)
    return none('no_list', facts?.noTransactionList ?? 'This provider is not supported any more.');
  const asked = { from: plus(range.from, -MAX_CLOCK_SKEW), until: range.until };
  try {
    const charges = await readAll(connection, { ...asked, kind: 'charge' }, deps);
    const refunds = await readAll(connection, { ...asked, kind: 'refund' }, deps);
    const ours = charges.filter((one) => isOurs(one, connection));
    const listsUntil = plus(deps.clock.now(), -(facts.transactionListLagMs ?? 0));
    const lag = range.until > listsUntil && facts.transactionListLagMs !== undefined;
    const counts = { listed: charges.length + refunds.length, ours: ours.length };
    return {
      connection,
      charges: ours,
      refunds,
      result: lag
        ? { ...base, ...counts, result: 'incomplete', reason: lagReason(facts.transactionListLagMs ?? 0) }
        : { ...base, ...counts, result: 'read' },
    };
  } catch (error) {
    if (!isOfProvider(error)) throw error;
    return none('failed', error.message);
  }
}

const lagReason = (ms: number): string =>
  `Its list may lack the newest ${Math.ceil(ms / (60 * MINUTE))} hours. Run this again when they are over.`;

const isOfProvider = (error: unknown): error is Error =>
  error instanceof PspNotSent || error instanceof PspOutcomeUnknown || error instanceof PspRefused;

/** Several organizations or connections may use one account: each takes its own. */
const isOurs = ({ ids, attemptId }: PspTransaction, { id, org_id }: Connection): boolean =>
  ids.payment_id === undefined
    ? attemptId !== undefined
    : ids.org_id === org_id && (ids.connection_id === undefined || ids.connection_id === id);

async function readAll(
  connection: Connection,
  query: TransactionQuery,
  deps: ListDeps,
): Promise<readonly PspTransaction[]> {
  // Pages may overlap, as lists grow while they are read.
  const found = new Map<string, PspTransaction>();
  for (let cursor: string | undefined; ; ) {
    const page = await readPage(connection, { ...query, ...(cursor !== undefined && { cursor }) }, deps);
    for (const item of page?.items ?? []) found.set(item.reference, item);
    if (page?.next === undefined) return [...found.values()];
    if (page.next === cursor)
      throw new PspOutcomeUnknown('Its list does not end: a page names itself as the next one.');
    cursor = page.next;
  }
}

const readPage = (connection: Connection, query: TransactionQuery, deps: ListDeps) =>
  repeated(async () => (await openForLists(connection, deps)).listTransactions(query), isPassing, deps);

const isPassing = (error: unknown): boolean => error instanceof PspNotSent || error instanceof PspOutcomeUnknown;

/** Ten look-ups run at once, which may be more than a provider takes. */
export const isLimited = (error: unknown): boolean => error instanceof PspNotSent && error.reason === 'rate_limited';

/** A call that changes nothing is repeated, after a longer pause each time. Some providers say after which. */
export async function repeated<T>(
  call: () => Promise<T>,
  mayRepeat: (error: unknown) => boolean,
  { wait = pause }: Waiting,
): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await call();
    } catch (error) {
      if (!mayRepeat(error) || tries === MAX_TRIES) throw error;
      const { retryAfter = 0 } = error instanceof PspNotSent ? error : {};
      await wait(Math.min(MAX_PAUSE, Math.max(retryAfter, 2 ** (tries - 1)) * SECOND));
    }
  }
}

export const openForLists = (connection: Connection, { psp }: Pick<ListDeps, 'psp'>): Promise<PspSession> =>
  psp.open(connection, startDeadline(PAGE_TIME));
