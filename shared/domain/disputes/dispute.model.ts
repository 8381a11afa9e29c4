import { withEvent } from '#shared/domain/payments/outbox.rules.ts';
import type { EventStub } from '#shared/domain/payments/payment.model.ts';
import type { EventType } from '#shared/domain/reference/events.catalog.ts';
import type { Stage } from '#shared/domain/reference/stage.model.ts';
import type { Provider } from '#shared/domain/routing/connection.model.ts';
import { withoutFields } from '#shared/kernel/without-fields.ts';

/** `warning`: an inquiry before a chargeback; no money is withheld yet. */
export const DISPUTE_STATUSES = [
  'warning',
  'needs_response',
  'under_review',
  'won',
  'lost',
  'accepted',
  'expired',
] as const;
export type DisputeStatus = (typeof DISPUTE_STATUSES)[number];

export const DISPUTE_REASONS = [
  'fraudulent',
  'unrecognized',
  'duplicate',
  'product_not_received',
  'product_unacceptable',
  'subscription_canceled',
  'credit_not_processed',
  'processing_error',
  'authorization',
  'debit_not_authorized',
  'insufficient_funds',
  'general',
] as const;
export type DisputeReason = (typeof DISPUTE_REASONS)[number];

/** A dispute as the PSP has it. Amounts in our minor units. */
export type FoundDispute = {
  readonly reference: string;
  /** The reference of the disputed charge; null if the PSP does not tell. */
  readonly paymentReference: string | null;
  readonly status: DisputeStatus;
  readonly amount: number;
  readonly currency: string;
  readonly reason: DisputeReason;
  /** The PSP's or the card network's own code. */
  readonly provider_reason: string | null;
  /** Until when evidence can be submitted. */
  readonly respond_by?: string | undefined;
  /** When the PSP opened it. */
  readonly opened_at?: string | undefined;
  /** The bank goes on after a decision or an answer, so that the merchant has to answer once more. */
  readonly reopens?: true | undefined;
};

/** What the merchant told the PSP. The texts of evidence are not kept: they are about a person. */
export type DisputeAnswer = {
  readonly type: 'accept' | 'evidence';
  /** The fields of the evidence; empty for `accept`. */
  readonly fields: readonly string[];
  readonly at: string;
  /** The user, or else the API key. */
  readonly by: string;
};

/**
 * An answer on its way. It is stored before the PSP is called, so that only one is sent at a time. `unknown`: the call
 * got no readable response, so the PSP is looked up.
 */
export type AnswerInFlight = DisputeAnswer & {
  readonly phase: 'calling' | 'unknown';
  /** The operation of the request. Also makes the idempotency key at the PSP. */
  readonly operation: string;
  /** The status before it: another one shows that the PSP has the answer. */
  readonly from: DisputeStatus;
};

/** A customer's dispute of a charge, as the PSP has it. Stored as is; the API shows it without internal fields. */
export type Dispute = {
  readonly id: string;
  readonly org_id: string;
  readonly mode: Stage;
  readonly payment_id: string;
  readonly connection_id: string;
  readonly provider: Provider;
  /** The PSP's id of the dispute. */
  readonly psp_reference: string;
  /** The PSP's id of the disputed charge; null if the PSP does not tell. */
  readonly charge_reference: string | null;
  /** In minor units of the dispute's currency. */
  readonly amount: number;
  readonly currency: string;
  readonly status: DisputeStatus;
  readonly reason: DisputeReason;
  readonly provider_reason: string | null;
  readonly respond_by: string | null;
  readonly answer: DisputeAnswer | null;
  readonly opened_at: string;
  readonly closed_at: string | null;
  readonly created_at: string;
  readonly updated_at: string;

  /** Internal fields from here on: no response shows them. */
  readonly version: number;
  readonly sending?: AnswerInFlight;
  /** No callback says what becomes of it. */
  readonly polled?: true;
  /** A report opened it again. A late repeat of that report does not. */
  readonly reopened?: true;
  /** When the PSP was last looked up by the timer. */
  readonly asked_at?: string;
  /** The deadline that `dispute.response_due` was announced for. */
  readonly warned_for?: string;
  /** Idempotency markers of the latest operations: a repeat after a crash finds its work done. */
  readonly last_acts?: readonly string[];
  readonly outbox: readonly EventStub[];
  readonly announced: number;
  /** When its events were made: see `Payment`. Missing on disputes of earlier releases. */
  readonly event_ms?: readonly number[];
  /** The work that wrote this version, and its new events (see `namingWork`). */
  readonly trace?: string;
  /** Over how many partitions its organization's lists were spread when it was created. Missing: 4. */
  readonly list_shards?: number;
};

const INTERNAL_FIELDS = [
  'version',
  'sending',
  'polled',
  'reopened',
  'asked_at',
  'warned_for',
  'last_acts',
  'outbox',
  'announced',
  'event_ms',
  'trace',
  'list_shards',
] as const satisfies readonly (keyof Dispute)[];

export type PublicDispute = Omit<Dispute, (typeof INTERNAL_FIELDS)[number]>;

/** The dispute as the API and its events show it. */
const toPublicDispute = (dispute: Dispute): PublicDispute => withoutFields(dispute, INTERNAL_FIELDS);

/** Adds an event with a snapshot of the dispute as it is now. */
export const announceDispute = (dispute: Dispute, type: EventType, at: Date): Dispute =>
  withEvent(dispute, type, at, toPublicDispute(dispute));
