import { allows, isOpen } from '#shared/domain/payments/payment.machine.ts';
import type { Attempt, Payment } from '#shared/domain/payments/payment.model.ts';
import type { AttemptConnection } from '#shared/domain/payments/verdict.model.ts';
import type { Connection } from '#shared/domain/routing/connection.model.ts';
import { credentialsOf } from '#shared/domain/routing/connection-credentials.rules.ts';
import type { Deps } from '#shared/ports/deps.ts';
import {
  type ChargeOrder,
  type ChargeRef,
  type Deadline,
  type PspOutcome,
  PspOutcomeUnknown,
  PspRefused,
} from '#shared/ports/psp.port.ts';
import type { PspSession } from '#shared/ports/psp-gateway.port.ts';

type Needs = Pick<Deps, 'psp' | 'connections'>;

/** Opens the PSP account that an attempt was sent to, for queries and further calls. */
export async function openSession(
  payment: Payment,
  attempt: Attempt,
  deadline: Deadline,
  deps: Needs,
): Promise<PspSession> {
  const connection = await deps.connections.get(payment.org_id, attempt.connection_id);
  if (!connection) throw new PspRefused('not_found', 'The connection was deleted.');
  return openAsSent(connection, attempt, deadline, deps);
}

export function referenceOf({ psp_reference }: Attempt): string {
  if (psp_reference === null) throw new PspRefused('not_found', 'The provider has not named the charge yet.');
  return psp_reference;
}

/** The charge that a call to the PSP is about. With `mayCapture: false` a look-up captures nothing. */
export const chargeRef = (payment: Payment, attempt: Attempt, reference: string = referenceOf(attempt)): ChargeRef => ({
  reference,
  paymentId: payment.id,
  attemptId: attempt.id,
  mayCapture:
    isOpen(attempt) && attempt.ending === undefined && allows(payment, 'succeed') && payment.status !== 'failed',
});

/** Ends a charge at its PSP. Where that is too late or not possible, the PSP's status of the charge is the answer. */
export async function endAtPsp(
  payment: Payment,
  attempt: Attempt,
  deadline: Deadline,
  deps: Needs,
): Promise<PspOutcome> {
  const session = await openSession(payment, attempt, deadline, deps);
  // Typed, so that a wrong field name does not compile: ending a charge must never capture it.
  const charge: ChargeRef = { ...chargeRef(payment, attempt), mayCapture: false };
  try {
    return await session.cancel(charge);
  } catch (error) {
    if (error instanceof PspRefused && error.kind === 'state') return session.fetch(charge);
    // A charge that lapsed at the PSP and only ever waited for the customer takes no money any more.
    if (error instanceof PspRefused && error.kind === 'not_found' && attempt.status === 'requires_action')
      return { kind: 'canceled', reference: charge.reference };
    throw error;
  }
}

/** Opens the account that a charge or refund was sent to, with the credentials it was sent with. */
export async function openAsSent(
  connection: Connection,
  sent: Pick<AttemptConnection, 'credentials_mark' | 'generation'>,
  deadline: Deadline,
  { psp }: Pick<Deps, 'psp'>,
): Promise<PspSession> {
  const { own, now } = credentialsOf(connection, sent);
  const open = (sealed_credentials: string) => psp.open({ ...connection, sealed_credentials }, deadline);
  if (now === undefined) {
    if (own === undefined) throw new PspRefused('not_found', 'The connection was deleted.');
    return open(own);
  }
  const adapter = psp.adapter(connection.provider);
  if (!adapter) throw new PspRefused('request', 'This provider is not supported yet.');
  return sessionWithFallback({
    adapter,
    own: own === undefined ? undefined : await undefinedIfRefused(open(own)),
    now: () => open(now),
    isStored: own !== undefined,
  });
}

/** Undefined for credentials that do not open. */
async function undefinedIfRefused(opening: Promise<PspSession>): Promise<PspSession | undefined> {
  try {
    return await opening;
  } catch (error) {
    if (error instanceof PspRefused) return undefined;
    throw error;
  }
}

/**
 * `own`: opened with the credentials that the charge was sent with, unless they fail to open. `now`: with the
 * connection's current ones.
 */
type CredentialChoice = {
  readonly adapter: PspSession['adapter'];
  readonly own: PspSession | undefined;
  readonly now: () => Promise<PspSession>;
  /** The credentials that the charge was sent with are still stored. */
  readonly isStored: boolean;
};

/**
 * Replaced credentials may be revoked by now. Queries by the PSP's own reference then use the current ones: they open the
 * same PSP account, or find nothing. Calls that could charge use only the original credentials (docs/adr/0021).
 */
function sessionWithFallback(choice: CredentialChoice): PspSession {
  const { adapter, own } = choice;
  const tryBoth = <T>(call: Call<T>, callNow?: Call<T>) => withEitherCredentials(choice, call, callNow);
  return {
    adapter,
    create: (order) => tryBoth((session) => session.create(order), findOnly(order)),
    find: (order) => tryBoth((session) => session.find(order), findOnly(order)),
    confirm: (reference, order, input) =>
      withOwnCredentials(own, (session) => session.confirm(reference, order, input)),
    cancel: (charge) => tryBoth((session) => session.cancel(charge)),
    refund: (order) => tryBoth((session) => session.refund(order)),
    fetch: (charge) => tryBoth((session) => session.fetch(charge), fetchUnlessWaiting(charge)),
    fetchRefund: (refund) => tryBoth((session) => session.fetchRefund(refund)),
    listRefunds: (charge) => tryBoth((session) => session.listRefunds(charge)),
    ping: () => withOwnCredentials(own, (session) => session.ping()),
    verifyCallback: async (callback) => (await own?.verifyCallback(callback)) ?? false,
  };
}

type Call<T> = (session: PspSession) => Promise<T>;

async function withOwnCredentials<T>(own: PspSession | undefined, call: Call<T>): Promise<T> {
  if (!own) throw new PspRefused('credentials', 'The credentials that this was sent with are no longer stored.');
  return call(own);
}

async function withEitherCredentials<T>(
  { own, now, isStored }: CredentialChoice,
  call: Call<T>,
  callNow = call,
): Promise<T> {
  try {
    return await withOwnCredentials(own, call);
  } catch (error) {
    if (!isLockedOut(error)) throw error;
  }
  try {
    return await callNow(await now());
  } catch (error) {
    throw isOtherAccount(error, isStored) ? inconclusive() : error;
  }
}

const isLockedOut = (error: unknown): boolean => error instanceof PspRefused && error.kind === 'credentials';

/** The current credentials are of another PSP account: it does not know the charge, which says nothing about it. */
const isOtherAccount = (error: unknown, isStored: boolean): boolean =>
  error instanceof PspRefused &&
  (error.kind === 'not_found' || (isStored && (error.kind === 'request' || error.kind === 'account')));

const inconclusive = () =>
  new PspOutcomeUnknown(
    'The credentials were replaced, and the current ones do not open the account that this was sent to.',
  );

/** At a PSP that reports no pages, an unpaid page looks like one that was never opened. */
const fetchUnlessWaiting =
  (charge: ChargeRef): Call<PspOutcome> =>
  async (session) => {
    const outcome = await session.fetch(charge);
    if (outcome.kind === 'waiting') throw inconclusive();
    return outcome;
  };

const findOnly =
  (order: ChargeOrder): Call<PspOutcome> =>
  async (session) => {
    const outcome = await session.find(order);
    if (!outcome) throw inconclusive();
    return outcome;
  };
