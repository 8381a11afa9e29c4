import { type Decline, declineOf, failureOf, mayFailOver } from '#shared/domain/payments/declines.catalog.ts';
import type { HealthSignal } from '#shared/domain/payments/payment.model.ts';
import type { RefundVerdict } from '#shared/domain/payments/refund.machine.ts';
import { type RefundFailureCode, refundDecline } from '#shared/domain/payments/refund-failures.catalog.ts';
import type { Verdict } from '#shared/domain/payments/verdict.model.ts';
import type { LogPort } from '#shared/ports/log.port.ts';
import {
  PspNotSent,
  type PspOutcome,
  PspOutcomeUnknown,
  PspRefused,
  PspUnsupported,
  type RefundOutcome,
} from '#shared/ports/psp.port.ts';

type Call = () => Promise<PspOutcome>;

/** What the PSP says, or what the error of the call means. */
async function classify<V>(call: Call, onError: (error: unknown) => V): Promise<Verdict | V> {
  try {
    const outcome = await call();
    return outcome.kind === 'declined' ? declinedVerdict(outcome) : outcome;
  } catch (error) {
    return onError(error);
  }
}

/**
 * The first send of a charge: if it was certainly not sent, or was refused, the charge has failed and may fail over.
 */
export const classifyCharge = (call: Call, log: LogPort): Promise<Verdict> =>
  classify(call, (error) => chargeError(error, log));

/**
 * The same charge sent again under its key. A PSP that refuses the request itself never took it; otherwise only its own
 * verdict counts. As the first send may have been taken after all, there is no failover.
 */
export const classifyRepeat = (call: Call, log: LogPort): Promise<Verdict> =>
  classify(call, (error) => {
    const isRefusedRequest = error instanceof PspRefused && error.kind === 'request';
    const verdict = isRefusedRequest ? chargeError(error, log) : noVerdict(error, log);
    return verdict.kind === 'failed' ? { ...verdict, allowsFailover: false } : verdict;
  });

/** A query about a charge: if it fails, that says nothing about the charge. */
export const classifyLookup = (call: Call, log: LogPort): Promise<Verdict> =>
  classify(call, (error) => noVerdict(error, log));

/** The PSP has no such charge. */
type AbsentCharge = { readonly kind: 'absent' };

/** A search for a charge by our own reference. */
export async function classifySearch(
  call: () => Promise<PspOutcome | undefined>,
  log: LogPort,
): Promise<Verdict | AbsentCharge> {
  try {
    const outcome = await call();
    return outcome ? verdictOf(outcome) : { kind: 'absent' };
  } catch (error) {
    return noVerdict(error, log);
  }
}

/** Continues a charge that the PSP has. If the PSP was not reached or refused the input, nothing has changed. */
export const classifyConfirm = (call: Call, log: LogPort): Promise<Verdict | undefined> =>
  classify(call, (error) => {
    const verdict = noVerdict(error, log);
    return error instanceof PspNotSent || error instanceof PspRefused ? undefined : verdict;
  });

const REFUSES_REFUND: ReadonlySet<PspRefused['kind']> = new Set(['account', 'request', 'state']);

/**
 * A refund: repeats bring the same result, so only the PSP's own verdict counts. Wrong credentials, or a charge that
 * the account does not know, refuse the call and not the refund: it is sent again. An account that may refund no longer
 * says nothing about a send before: that one may have been taken.
 */
export async function classifyRefund(
  call: () => Promise<RefundOutcome>,
  log: LogPort,
  isRepeat = false,
): Promise<RefundVerdict> {
  try {
    return await call();
  } catch (error) {
    if (isRepeat && error instanceof PspRefused && error.kind === 'account') return noVerdict(error, log);
    if (error instanceof PspRefused && REFUSES_REFUND.has(error.kind)) return refundRefused(error);
    const verdict = noVerdict(error, log);
    return error instanceof PspNotSent || error instanceof PspRefused ? { kind: 'not_sent' } : verdict;
  }
}

const refundRefused = (error: PspRefused): RefundVerdict => ({
  kind: 'failed',
  reference: null,
  decline: refundDecline(refusalCodeOf(error), error.provider_code),
});

function refusalCodeOf(error: PspRefused): RefundFailureCode {
  if (error instanceof PspUnsupported && error.failure === 'amount_not_supported') return 'amount_not_supported';
  if (error.kind === 'account') return 'account_restricted';
  return error.kind === 'state' ? 'not_refundable' : 'refund_declined';
}

/** A PSP's outcome as the machine's verdict. */
export const verdictOf = (outcome: PspOutcome): Verdict =>
  outcome.kind === 'declined' ? declinedVerdict(outcome) : outcome;

const declinedVerdict = ({ kind: _, decline, ...told }: Extract<PspOutcome, { kind: 'declined' }>): Verdict => ({
  ...told,
  kind: 'failed',
  failure: failureOf(decline),
  allowsFailover: mayFailOver(decline),
});

function chargeError(error: unknown, log: LogPort): Verdict {
  if (error instanceof PspNotSent)
    return {
      kind: 'failed',
      reference: null,
      failure: failureOf(declineOf('provider_unavailable', error.reason)),
      allowsFailover: true,
    };
  if (error instanceof PspRefused) {
    log.warn('psp_refused', { kind: error.kind, provider_code: error.provider_code, reason: error.message });
    const decline = refusalDecline(error);
    return {
      kind: 'failed',
      reference: null,
      failure: failureOf(decline),
      allowsFailover: mayFailOver(decline),
      ...healthSignalOf(error),
    };
  }
  return noVerdict(error, log);
}

const refusalDecline = (error: PspRefused): Decline =>
  declineOf(error instanceof PspUnsupported ? error.failure : 'invalid_configuration', error.provider_code);

/** Any customer can cause a refused request: only refusals about the account count against its health. */
function healthSignalOf(error: PspRefused): { readonly call?: HealthSignal } {
  if (error instanceof PspUnsupported) return { call: 'none' };
  return error.kind === 'credentials' || error.kind === 'account' ? {} : { call: 'answered' };
}

/** Unforeseen errors too: money may have moved, so only the PSP can tell. */
function noVerdict(error: unknown, log: LogPort): { readonly kind: 'unknown' } {
  if (error instanceof PspOutcomeUnknown || error instanceof PspNotSent || error instanceof PspRefused)
    log.warn('psp_no_verdict', { reason: error.message });
  else log.error('psp_call_broke', { error });
  return { kind: 'unknown' };
}
