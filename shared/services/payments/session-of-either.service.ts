import {
  type ChargeOrder,
  type ChargeRef,
  type PspOutcome,
  PspOutcomeUnknown,
  PspRefused,
} from '#shared/ports/psp.port.ts';
import type { PspSession } from '#shared/ports/psp-gateway.port.ts';

/**
 * `own`: opened with the credentials it was sent with, unless they fail to open. `now`: with the connection's current
 * ones.
 */
type Either = {
  readonly adapter: PspSession['adapter'];
  readonly own: PspSession | undefined;
  readonly now: () => Promise<PspSession>;
  /** Whether the credentials it was sent with are still kept. */
  readonly isKept: boolean;
};

/**
 * Replaced credentials may be revoked by now. Questions that name a charge by the PSP's own reference are then asked
 * with the current ones: they open the same account, or find nothing. Calls that could charge go only where they were
 * sent before (docs/adr/0021).
 */
export function sessionOfEither(either: Either): PspSession {
  const { adapter, own } = either;
  const ask = <T>(call: Call<T>, callNow?: Call<T>) => atEither(either, call, callNow);
  return {
    adapter,
    create: (order) => ask((session) => session.create(order), findOnly(order)),
    find: (order) => ask((session) => session.find(order), findOnly(order)),
    confirm: (reference, order, input) => atOwn(own, (session) => session.confirm(reference, order, input)),
    cancel: (charge) => ask((session) => session.cancel(charge)),
    refund: (order) => ask((session) => session.refund(order)),
    fetch: (charge) => ask((session) => session.fetch(charge), seenOnly(charge)),
    fetchRefund: (refund) => ask((session) => session.fetchRefund(refund)),
    listRefunds: (charge) => ask((session) => session.listRefunds(charge)),
    ping: () => atOwn(own, (session) => session.ping()),
    verifies: async (callback) => (await own?.verifies(callback)) ?? false,
  };
}

type Call<T> = (session: PspSession) => Promise<T>;

async function atOwn<T>(own: PspSession | undefined, call: Call<T>): Promise<T> {
  if (!own) throw new PspRefused('credentials', 'What this was sent with is kept no more.');
  return call(own);
}

async function atEither<T>({ own, now, isKept }: Either, call: Call<T>, callNow = call): Promise<T> {
  try {
    return await atOwn(own, call);
  } catch (error) {
    if (!isLockedOut(error)) throw error;
  }
  try {
    return await callNow(await now());
  } catch (error) {
    throw isForeign(error, isKept) ? saysNothing() : error;
  }
}

const isLockedOut = (error: unknown): boolean => error instanceof PspRefused && error.kind === 'credentials';

/** Another account does not know the charge, which says nothing about it. */
const isForeign = (error: unknown, isKept: boolean): boolean =>
  error instanceof PspRefused &&
  (error.kind === 'not_found' || (isKept && (error.kind === 'request' || error.kind === 'account')));

const saysNothing = () =>
  new PspOutcomeUnknown('The credentials were replaced, and those of now don’t open what this was sent to.');

/** At a PSP that reports no pages, an unpaid page looks like one that was never opened. */
const seenOnly =
  (charge: ChargeRef): Call<PspOutcome> =>
  async (session) => {
    const outcome = await session.fetch(charge);
    if (outcome.kind === 'waiting') throw saysNothing();
    return outcome;
  };

const findOnly =
  (order: ChargeOrder): Call<PspOutcome> =>
  async (session) => {
    const outcome = await session.find(order);
    if (!outcome) throw saysNothing();
    return outcome;
  };
