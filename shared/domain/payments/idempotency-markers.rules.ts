import type { Payment, Refund } from '#shared/domain/payments/payment.model.ts';
import { DAY, plus } from '#shared/kernel/clock.ts';

/**
 * The operations that changed a record last: asked for again after a crash, they have been done. A step's has behind it
 * until when it is kept.
 */
export type MarkedRecord = { readonly last_acts?: readonly string[] };

/** Others may come between a request and its repeat. */
const MAX_MARKERS = 8;

/**
 * A worker may come again to its step long after it died over it, whatever others have changed since: in less than
 * this, though.
 */
const STEP_MARKER_LIFETIME = 7 * DAY;

/** So many steps at most are remembered, the newest. */
const MAX_STEP_MARKERS = 32;

/** Stands in no id. */
const UNTIL_SIGN = '|';

const isStep = (noted: string): boolean => noted.includes(UNTIL_SIGN);
const untilOf = (noted: string): string => noted.slice(noted.indexOf(UNTIL_SIGN) + 1);

export const hasMarker = ({ last_acts = [] }: MarkedRecord, act: string): boolean =>
  last_acts.some((noted) => noted === act || noted.startsWith(act + UNTIL_SIGN));

export const addMarker = <T extends MarkedRecord>(record: T, act: string): T =>
  withMarkers(record, [...(record.last_acts ?? []), act]);

/** For a step of a workflow. */
export function addStepMarker<T extends MarkedRecord>(record: T, act: string, at: Date): T {
  const kept = (record.last_acts ?? []).filter((noted) => !isStep(noted) || untilOf(noted) > at.toISOString());
  return withMarkers(record, [...kept, `${act}${UNTIL_SIGN}${plus(at, STEP_MARKER_LIFETIME).toISOString()}`]);
}

function withMarkers<T extends MarkedRecord>(record: T, acts: readonly string[]): T {
  const kept = new Set([
    ...acts.filter((noted) => !isStep(noted)).slice(-MAX_MARKERS),
    ...acts.filter(isStep).slice(-MAX_STEP_MARKERS),
  ]);
  return { ...record, last_acts: acts.filter((noted) => kept.has(noted)) };
}

/** Whether a change is an operation's that can be asked for again. */
export const hasNewMarker = (before: MarkedRecord, after: MarkedRecord): boolean =>
  before.last_acts?.at(-1) !== after.last_acts?.at(-1);

/**
 * Whether a change starts something that could wait: an attempt, a refund, or a workflow's act. Verdicts, customers'
 * acts and timers never count, nor do failovers of what has begun.
 */
export const addsToPayment = (before: Payment, after: Payment): boolean =>
  hasNewMarker(before, after) ||
  isDispatched(before, after) ||
  after.refunds.some((refund) => isRequested(refund) && !before.refunds.some(({ id }) => id === refund.id));

/** A dispatch to a provider, or a failed one: that is announced each time as well. */
const isDispatched = (before: Payment, after: Payment): boolean =>
  (before.status === 'created' || before.status === 'failed') &&
  (after.attempts.length > before.attempts.length || (after.status === 'failed' && after.announced > before.announced));

/**
 * A requested refund that is not sent yet. One made at the provider is sent already, and an automatic one can't be
 * asked for again.
 */
const isRequested = ({ phase, automatic }: Refund): boolean => phase === 'calling' && !automatic;
