import type { Payment, Refund } from '#shared/domain/payments/payment.model.ts';
import { DAY, plus } from '#shared/kernel/clock.ts';

/**
 * Markers of the latest operations that changed a record. A repeat after a crash finds its marker and does nothing. The
 * marker of a workflow step has its expiry time appended.
 */
export type MarkedRecord = { readonly last_acts?: readonly string[] };

/** Other operations may come between a request and its repeat. */
const MAX_MARKERS = 8;

/** A crashed step is repeated well within this time, however many other operations have changed the record since. */
const STEP_MARKER_LIFETIME = 7 * DAY;

/** Only the newest step markers are kept. */
const MAX_STEP_MARKERS = 32;

/** Ids never contain it. */
const EXPIRY_SEPARATOR = '|';

const isStepMarker = (marker: string): boolean => marker.includes(EXPIRY_SEPARATOR);
const expiryOf = (marker: string): string => marker.slice(marker.indexOf(EXPIRY_SEPARATOR) + 1);

export const hasMarker = ({ last_acts = [] }: MarkedRecord, marker: string): boolean =>
  last_acts.some((each) => each === marker || each.startsWith(marker + EXPIRY_SEPARATOR));

export const addMarker = <T extends MarkedRecord>(record: T, marker: string): T =>
  withMarkers(record, [...(record.last_acts ?? []), marker]);

/** For a step of a workflow. */
export function addStepMarker<T extends MarkedRecord>(record: T, marker: string, at: Date): T {
  const live = (record.last_acts ?? []).filter((each) => !isStepMarker(each) || expiryOf(each) > at.toISOString());
  return withMarkers(record, [...live, `${marker}${EXPIRY_SEPARATOR}${plus(at, STEP_MARKER_LIFETIME).toISOString()}`]);
}

function withMarkers<T extends MarkedRecord>(record: T, markers: readonly string[]): T {
  const kept = new Set([
    ...markers.filter((each) => !isStepMarker(each)).slice(-MAX_MARKERS),
    ...markers.filter(isStepMarker).slice(-MAX_STEP_MARKERS),
  ]);
  return { ...record, last_acts: markers.filter((each) => kept.has(each)) };
}

/** Whether a change comes from an operation that can be repeated. */
export const hasNewMarker = (before: MarkedRecord, after: MarkedRecord): boolean =>
  before.last_acts?.at(-1) !== after.last_acts?.at(-1);

/**
 * Whether a change adds work that could be refused for now: an attempt, a refund or a workflow step. Verdicts, customer
 * actions, timers, and failovers of a payment that is already processing never count.
 */
export const addsToPayment = (before: Payment, after: Payment): boolean =>
  hasNewMarker(before, after) ||
  isDispatched(before, after) ||
  after.refunds.some((refund) => isRequested(refund) && !before.refunds.some(({ id }) => id === refund.id)) ||
  isCaptureRequested(before, after);

/** A dispatch to a provider, or a failed one, which is announced each time too. */
const isDispatched = (before: Payment, after: Payment): boolean =>
  (before.status === 'created' || before.status === 'failed') &&
  (after.attempts.length > before.attempts.length || (after.status === 'failed' && after.announced > before.announced));

/**
 * A refund that was requested through us and is not sent yet. One that was made at the provider is sent already, and
 * nobody can request an automatic one.
 */
const isRequested = ({ phase, automatic }: Refund): boolean => phase === 'calling' && !automatic;

/** A capture that was made at the provider is taken over in any case. */
const isCaptureRequested = ({ captures: known = [] }: Payment, { captures = [] }: Payment): boolean =>
  captures.some(({ id, phase }) => phase === 'calling' && !known.some((capture) => capture.id === id));
