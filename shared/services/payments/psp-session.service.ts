import { allows, isOpen } from '#shared/domain/payments/payment.machine.ts';
import type { Attempt, Payment } from '#shared/domain/payments/payment.model.ts';
import type { AttemptConnection } from '#shared/domain/payments/verdict.model.ts';
import type { Connection } from '#shared/domain/routing/connection.model.ts';
import { credentialsOf } from '#shared/domain/routing/connection-credentials.rules.ts';
import type { Deps } from '#shared/ports/deps.ts';
import {
  type ChargeOrder,
  type ChargeRef,
  type ChargeWithRefunds,
  type Deadline,
  type PspOutcome,
  PspOutcomeUnknown,
  PspRefused,
} from '#shared/ports/psp.port.ts';
import type { PspSession } from '#shared/ports/psp-gateway.port.ts';

type PspSessionDeps = Pick<Deps, 'psp' | 'connections'>;

/** Opens a session at the PSP account that an attempt was sent to. */
export async function openSession(
  payment: Payment,
  attempt: Attempt,
  deadline: Deadline,
  deps: PspSessionDeps,
): Promise<PspSession> {
  const connection = await deps.connections.get(payment.org_id, attempt.connection_id);
  if (!connection) throw new PspRefused('not_found', 'The connection was deleted.');
  return openWithOriginalCredentials(connection, attempt, deadline, deps);
}

export function referenceOf({ psp_reference }: Attempt): string {
  if (psp_reference === null) throw new PspRefused('not_found', 'The provider has not named the charge yet.');
  return psp_reference;
}

/** The charge that a call to the PSP is about. With `mayCapture: false` a look-up does not capture it. */
export const chargeRef = (payment: Payment, attempt: Attempt, reference: string = referenceOf(attempt)): ChargeRef => ({
  reference,
  paymentId: payment.id,
  attemptId: attempt.id,
  mayCapture:
    isOpen(attempt) && attempt.ending === undefined && allows(payment, 'succeed') && payment.status !== 'failed',
  ...(payment.capture && { manual: true }),
});

/** Ends a charge at its PSP. If that is too late or not possible, returns the charge's status at the PSP. */
export async function endAtPsp(
  payment: Payment,
  attempt: Attempt,
  deadline: Deadline,
  deps: PspSessionDeps,
): Promise<PspOutcome> {
  const session = await openSession(payment, attempt, deadline, deps);
  // Typed, so that a wrong field name does not compile: ending a charge must never capture it.
  const charge: ChargeRef = { ...chargeRef(payment, attempt), mayCapture: false };
  try {
    return await session.cancel(charge);
  } catch (error) {
    if (error instanceof PspRefused && error.kind === 'state') return session.fetch(charge);
    // A charge that expired at the PSP while it waited for the customer can no longer take money.
    if (error instanceof PspRefused && error.kind === 'not_found' && attempt.status === 'requires_action')
      return { kind: 'canceled', reference: charge.reference };
    throw error;
  }
}

/**
 * Opens a session with the credentials that a charge or refund was sent with, and with the current ones where those
 * fail.
 */
export async function openWithOriginalCredentials(
  connection: Connection,
  sent: Pick<AttemptConnection, 'credentials_mark' | 'generation'>,
  deadline: Deadline,
  { psp }: Pick<Deps, 'psp'>,
): Promise<PspSession> {
  const { original, current } = credentialsOf(connection, sent);
  const open = (sealed_credentials: string) => psp.open({ ...connection, sealed_credentials }, deadline);
  if (current === undefined) {
    if (original === undefined) throw new PspRefused('not_found', 'The connection was deleted.');
    return open(original);
  }
  const adapter = psp.adapter(connection.provider);
  if (!adapter) throw new PspRefused('request', 'This provider is not supported yet.');
  return sessionWithFallback({
    adapter,
    original: original === undefined ? undefined : await undefinedIfRefused(open(original)),
    current: () => open(current),
    isStored: original !== undefined,
  });
}

/** Undefined if the credentials cannot be decrypted or are not valid. */
async function undefinedIfRefused(opening: Promise<PspSession>): Promise<PspSession | undefined> {
  try {
    return await opening;
  } catch (error) {
    if (error instanceof PspRefused) return undefined;
    throw error;
  }
}

/**
 * The two sessions to choose from. `original` has the credentials that the charge was sent with; undefined if they fail
 * to open. `current` opens one with the current credentials of the connection.
 */
type CredentialChoice = {
  readonly adapter: PspSession['adapter'];
  readonly original: PspSession | undefined;
  readonly current: () => Promise<PspSession>;
  /** The credentials that the charge was sent with are still stored. */
  readonly isStored: boolean;
};

/**
 * Replaced credentials may be revoked by now. Queries by the PSP's own reference then use the current ones: they open
 * the same PSP account, or find nothing. Calls that could charge use only the original credentials (docs/adr/0021).
 */
function sessionWithFallback(choice: CredentialChoice): PspSession {
  const { adapter, original } = choice;
  const withFallback = <T>(call: Call<T>, currentCall?: Call<T>) => withEitherCredentials(choice, call, currentCall);
  return {
    adapter,
    warnings: () => original?.warnings() ?? [],
    create: (order) => withFallback((session) => session.create(order), findOrThrow(order)),
    find: (order) => withFallback((session) => session.find(order), findOrThrow(order)),
    confirm: (reference, order, input) =>
      withOriginalCredentials(original, (session) => session.confirm(reference, order, input)),
    cancel: (charge) => withFallback((session) => session.cancel(charge)),
    refund: (order) => withFallback((session) => session.refund(order)),
    fetch: (charge) => withFallback((session) => session.fetch(charge), fetchUnlessWaiting(charge)),
    fetchWithRefunds: (charge) =>
      withFallback((session) => session.fetchWithRefunds(charge), fetchWithRefundsUnlessWaiting(charge)),
    fetchRefund: (refund) => withFallback((session) => session.fetchRefund(refund)),
    listRefunds: (charge) => withFallback((session) => session.listRefunds(charge)),
    capture: (order) => withFallback((session) => session.capture(order)),
    fetchAuthorization: (charge) => withFallback((session) => session.fetchAuthorization(charge)),
    chargeIds: (charge) => withFallback((session) => session.chargeIds(charge)),
    disputes: (call) => withFallback((session) => session.disputes(call)),
    listTransactions: (query) => withFallback((session) => session.listTransactions(query)),
    ping: () => withOriginalCredentials(original, (session) => session.ping()),
    verifyCallback: async (...args) => (await original?.verifyCallback(...args)) ?? false,
    isUnsigned: (callback) => original?.isUnsigned(callback) ?? true,
  };
}

type Call<T> = (session: PspSession) => Promise<T>;

async function withOriginalCredentials<T>(original: PspSession | undefined, call: Call<T>): Promise<T> {
  if (!original) throw new PspRefused('credentials', 'The credentials that this was sent with are no longer stored.');
  return call(original);
}

async function withEitherCredentials<T>(
  { original, current, isStored }: CredentialChoice,
  call: Call<T>,
  currentCall = call,
): Promise<T> {
  try {
    return await withOriginalCredentials(original, call);
  } catch (error) {
    if (!isCredentialsRefused(error)) throw error;
  }
  try {
    return await currentCall(await current());
  } catch (error) {
    throw isOtherAccount(error, isStored) ? inconclusive() : error;
  }
}

const isCredentialsRefused = (error: unknown): boolean => error instanceof PspRefused && error.kind === 'credentials';

/** The current credentials are of another PSP account: it does not know the charge, which says nothing about it. */
const isOtherAccount = (error: unknown, isStored: boolean): boolean =>
  error instanceof PspRefused &&
  (error.kind === 'not_found' || (isStored && (error.kind === 'request' || error.kind === 'account')));

const inconclusive = () =>
  new PspOutcomeUnknown(
    'The credentials were replaced, and the current ones do not open the account that this was sent to.',
  );

/** Some PSPs cannot look up a payment page: an unpaid page looks like one that does not exist in this account. */
const fetchUnlessWaiting =
  (charge: ChargeRef): Call<PspOutcome> =>
  async (session) => {
    const outcome = await session.fetch(charge);
    if (outcome.kind === 'waiting') throw inconclusive();
    return outcome;
  };

const fetchWithRefundsUnlessWaiting =
  (charge: ChargeRef): Call<ChargeWithRefunds> =>
  async (session) => {
    const found = await session.fetchWithRefunds(charge);
    if (found.outcome.kind === 'waiting') throw inconclusive();
    return found;
  };

const findOrThrow =
  (order: ChargeOrder): Call<PspOutcome> =>
  async (session) => {
    const outcome = await session.find(order);
    if (!outcome) throw inconclusive();
    return outcome;
  };
