import type { Following } from '#lib/simulators/frame/following.ts';
import { letters } from '#lib/simulators/frame/letters.ts';
import type { Stored } from '#lib/simulators/frame/object-store.ts';
import type { StripeError } from '#lib/simulators/stripe/errors.ts';
import type { Form } from '#lib/simulators/stripe/form.ts';
import type { TestMethod } from '#lib/simulators/stripe/test-methods.ts';

export const API_VERSION = '2026-10-28.endive';

type Metadata = Readonly<Record<string, string>>;

type IntentStatus =
  | 'requires_payment_method'
  | 'requires_confirmation'
  | 'requires_action'
  | 'processing'
  | 'requires_capture'
  | 'succeeded'
  | 'canceled';

export type PaymentIntent = {
  readonly id: string;
  readonly object: 'payment_intent';
  readonly amount: number;
  readonly amount_capturable: number;
  readonly amount_received: number;
  readonly canceled_at: number | null;
  readonly cancellation_reason: string | null;
  readonly capture_method: string;
  readonly client_secret: string;
  readonly created: number;
  readonly currency: string;
  readonly last_payment_error: StripeError | null;
  readonly latest_charge: string | null;
  readonly livemode: boolean;
  readonly metadata: Metadata;
  readonly next_action: unknown;
  readonly payment_method: string | null;
  readonly payment_method_types: readonly string[];
  readonly status: IntentStatus;
  readonly [shown: string]: unknown;
};

export type Charge = {
  readonly id: string;
  readonly object: 'charge';
  readonly amount: number;
  readonly amount_captured: number;
  readonly amount_refunded: number;
  readonly captured: boolean;
  readonly currency: string;
  readonly livemode: boolean;
  readonly metadata: Metadata;
  readonly paid: boolean;
  readonly payment_intent: string | null;
  readonly refunded: boolean;
  readonly status: 'succeeded' | 'pending' | 'failed';
  readonly [shown: string]: unknown;
};

export type Refund = {
  readonly id: string;
  readonly object: 'refund';
  readonly amount: number;
  readonly charge: string;
  readonly payment_intent: string;
  readonly status: 'pending' | 'succeeded' | 'failed';
  readonly [shown: string]: unknown;
};

export type Session = {
  readonly id: string;
  readonly object: 'checkout.session';
  readonly amount_total: number;
  readonly cancel_url: string | null;
  readonly currency: string;
  readonly expires_at: number;
  readonly livemode: boolean;
  readonly payment_intent: string | null;
  readonly payment_status: 'paid' | 'unpaid';
  readonly status: 'open' | 'complete' | 'expired';
  readonly success_url: string | null;
  readonly url: string | null;
  readonly [shown: string]: unknown;
};

export type IntentNotes = Following & { readonly returnUrl: string | null; readonly method: TestMethod | null };
export type SessionNotes = Following & { readonly intent: Form };

export type StoredIntent = Stored<PaymentIntent, IntentNotes>;
export type StoredCharge = Stored<Charge, { readonly refunds: TestMethod['refunds'] }>;
export type StoredRefund = Stored<Refund, Pick<Following, 'webhook'>>;
export type StoredSession = Stored<Session, SessionNotes>;

export const isIntent = (stored: Stored): stored is StoredIntent => stored.kind === 'payment_intent';
export const isCharge = (stored: Stored): stored is StoredCharge => stored.kind === 'charge';
export const isRefund = (stored: Stored): stored is StoredRefund => stored.kind === 'refund';
export const isSession = (stored: Stored): stored is StoredSession => stored.kind === 'checkout.session';

export const seconds = (at: Date): number => Math.floor(at.getTime() / 1_000);

export const newStripeId = (prefix: string): string => `${prefix}_3${letters(23)}`;
