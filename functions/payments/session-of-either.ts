import { type ChargeOrder, type ChargeRef, type PspOutcome, PspOutcomeUnknown, PspRefused } from '#shared/ports/psp.port.ts';
import type { PspSession } from '#shared/ports/psp-gateway.port.ts';

/** `own`: what something was sent with, unless it does not open. `now`: what the connection has instead. */
export type Either = {
  readonly adapter: PspSession['adapter'];
  readonly own: PspSession | undefined;
  readonly now: () => Promise<PspSession>;
  /** Whether what it was sent with is still kept. */
  readonly isKept: boolean;
};

/**
 * Credentials that were replaced may be refused by now, as keys are when they are rotated. What names a charge by the PSP's own
 * reference is then asked with those of now: they are of the same account, or nothing is found. What could charge is sent
 * where it was sent before, and nowhere else (docs/adr/0021).
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

/** Another account does not know the charge, and that says nothing of it. */
const isForeign = (error: unknown, isKept: boolean): boolean =>
  error instanceof PspRefused && (error.kind === 'not_found' || (isKept && (error.kind === 'request' || error.kind === 'account')));

const saysNothing = () => new PspOutcomeUnknown('The credentials were replaced, and those of now don’t open what this was sent to.');

/** A page that nobody has paid on looks like one that was never opened, at a PSP that tells of no pages. */
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
