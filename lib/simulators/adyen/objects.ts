import type { Following } from '#lib/simulators/frame/following.ts';
import { letters } from '#lib/simulators/frame/letters.ts';
import type { ObjectStore, Stored } from '#lib/simulators/frame/object-store.ts';

export type Amount = { readonly value: number; readonly currency: string };

/** How a payment method behaves. `refusal` is a `refusalReasonCode`. */
export type TestMethod = {
  readonly type: string;
  readonly flow: 'at_once' | 'redirect' | 'pending';
  /**
   * Whether the bank takes the money on its own page, rather than when the merchant goes on with what it sent along.
   */
  readonly paidAway: boolean;
  readonly refusal: string | null;
  /** How the customer authenticates, where it is not by an address to go to. */
  readonly by?: 'form' | 'component';
};

export type Payment = {
  readonly merchantAccount: string;
  readonly merchantReference: string;
  readonly amount: Amount;
  readonly metadata: Readonly<Record<string, string>>;
  readonly status: 'waiting' | 'pending' | 'authorised' | 'refused' | 'cancelled';
  /** Of a refusal. */
  readonly code: string | null;
};
export type PaymentNotes = Following & {
  readonly method: TestMethod;
  readonly returnUrl: string;
  readonly passed: boolean | null;
  readonly refunded: number;
  readonly component?: 'fingerprint' | 'challenge';
};

export type Link = {
  readonly id: string;
  readonly amount: Amount;
  readonly merchantAccount: string;
  readonly reference: string;
  readonly status: 'active' | 'completed' | 'expired' | 'paymentPending';
  readonly expiresAt: string;
  readonly url: string;
  readonly reusable: boolean;
  readonly metadata?: Readonly<Record<string, string>>;
  readonly returnUrl?: string;
};

type Refund = {
  readonly amount: Amount;
  readonly reference: string;
  readonly status: 'received' | 'refunded' | 'failed';
};

export type StoredPayment = Stored<Payment, PaymentNotes>;
export type StoredLink = Stored<Link, Following>;
export type StoredRefund = Stored<Refund, Pick<Following, 'webhook'>>;

export const isPayment = (stored: Stored): stored is StoredPayment => stored.kind === 'payment';
export const isLink = (stored: Stored): stored is StoredLink => stored.kind === 'link';
export const isRefund = (stored: Stored): stored is StoredRefund => stored.kind === 'refund';

/** Another name of a payment: the merchant's reference, or what its customer brings back. */
const isName = (stored: Stored): stored is Stored => stored.kind === 'name';

export const named = (objects: ObjectStore, name: string): StoredPayment | undefined =>
  objects.find(objects.find(name, isName)?.parent, isPayment);

export const newPspReference = (): string => letters(16).toUpperCase();
