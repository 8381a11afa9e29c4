import { findOwned } from '#lib/simulators/kit/account-scope.ts';
import type { ScenarioNotes } from '#lib/simulators/kit/behaviour.ts';
import type { StoredObject } from '#lib/simulators/kit/object-store.ts';
import type { UnitOfWork } from '#lib/simulators/kit/provider-simulator.port.ts';
import { randomId } from '#lib/simulators/kit/random-id.ts';
import { notFound } from '#lib/simulators/mollie/errors.ts';
import type { TestMethod } from '#lib/simulators/mollie/test-methods.ts';

export type Amount = { readonly value: string; readonly currency: string };

export type PaymentStatus = 'open' | 'pending' | 'authorized' | 'paid' | 'canceled' | 'expired' | 'failed';

export type Payment = {
  readonly resource: 'payment';
  readonly id: string;
  readonly mode: 'test' | 'live';
  readonly amount: Amount;
  readonly amountRefunded?: Amount;
  readonly amountRemaining?: Amount;
  readonly amountCaptured?: Amount;
  readonly status: PaymentStatus;
  readonly method: string | null;
  readonly metadata: unknown;
  readonly redirectUrl?: string | null;
  readonly cancelUrl?: string | null;
  readonly webhookUrl?: string | null;
  readonly captureMode?: string;
  readonly captureBefore?: string;
  readonly isCancelable?: boolean;
  readonly expiresAt?: string;
  readonly details?: Readonly<Record<string, unknown>>;
  readonly statusReason?: { readonly code: string; readonly message: string };
  readonly _links: Readonly<Record<string, unknown>>;
  readonly [field: string]: unknown;
};

/** `pageStep`: what the page asks the customer for. */
export type PaymentNotes = ScenarioNotes & {
  readonly instrument: TestMethod | null;
  readonly pageStep: 'payment' | 'authentication';
};
export type StoredPayment = StoredObject<Payment, PaymentNotes>;

export type Refund = {
  readonly resource: 'refund';
  readonly id: string;
  readonly status: 'queued' | 'pending' | 'processing' | 'refunded' | 'failed' | 'canceled';
  readonly amount: Amount;
  readonly description: string;
  readonly metadata: unknown;
  readonly paymentId: string;
  readonly createdAt: string;
  readonly _links: Readonly<Record<string, unknown>>;
  readonly [field: string]: unknown;
};
export type StoredRefund = StoredObject<Refund, Pick<ScenarioNotes, 'webhook'>>;

export type Capture = {
  readonly resource: 'capture';
  readonly id: string;
  readonly status: 'pending' | 'succeeded' | 'failed';
  readonly amount: Amount;
  readonly metadata: unknown;
  readonly paymentId: string;
  readonly createdAt: string;
  readonly _links: Readonly<Record<string, unknown>>;
  readonly [field: string]: unknown;
};
export type StoredCapture = StoredObject<Capture, Pick<ScenarioNotes, 'webhook'>>;

export const isPayment = (stored: StoredObject): stored is StoredPayment => stored.kind === 'payment';
export const isCapture = (stored: StoredObject): stored is StoredCapture => stored.kind === 'capture';
export const isRefund = (stored: StoredObject): stored is StoredRefund => stored.kind === 'refund';

export const newMollieId = (prefix: 'tr' | 're' | 'cpt' | 'chb' | 'cst' | 'mdt' | 'event'): string =>
  `${prefix}_${randomId(prefix === 're' ? 10 : 22)}`;

/** A time in Mollie's format. */
export const timestamp = (at: Date): string => at.toISOString().replace(/\.\d+Z$/, '+00:00');

export function findPayment(work: UnitOfWork, id: string): StoredPayment {
  const found = findOwned(work, id, isPayment);
  if (!found) throw notFound(id);
  return found;
}
