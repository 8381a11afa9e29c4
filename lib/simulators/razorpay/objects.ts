import type { Following } from '#lib/simulators/frame/following.ts';
import { letters } from '#lib/simulators/frame/letters.ts';
import type { ObjectStore, Stored } from '#lib/simulators/frame/object-store.ts';
import type { TestMethod } from '#lib/simulators/razorpay/test-methods.ts';

/** Empty notes are a list: that is how Razorpay shows them. */
export type Notes = Readonly<Record<string, unknown>> | readonly [];

export type Order = {
  readonly id: string;
  readonly entity: 'order';
  readonly amount: number;
  readonly amount_paid: number;
  readonly amount_due: number;
  readonly currency: string;
  readonly receipt: string | null;
  readonly status: 'created' | 'attempted' | 'paid';
  readonly attempts: number;
  readonly notes: Notes;
  readonly [shown: string]: unknown;
};

export type Payment = {
  readonly id: string;
  readonly entity: 'payment';
  readonly amount: number;
  readonly currency: string;
  readonly status: 'created' | 'authorized' | 'captured' | 'refunded' | 'failed';
  readonly order_id: string;
  readonly method: string;
  readonly amount_refunded: number;
  readonly refund_status: 'partial' | 'full' | null;
  readonly captured: boolean;
  readonly notes: Notes;
  readonly error_reason: string | null;
  readonly error_description: string | null;
  readonly created_at: number;
  readonly [shown: string]: unknown;
};

export type Refund = {
  readonly id: string;
  readonly entity: 'refund';
  readonly amount: number;
  readonly payment_id: string;
  readonly status: 'pending' | 'processed' | 'failed';
  readonly [shown: string]: unknown;
};

export type Link = {
  readonly id: string;
  readonly amount: number;
  readonly amount_paid: number;
  readonly callback_url?: string;
  readonly currency: string;
  readonly expire_by: number;
  readonly notes: Notes;
  readonly order_id?: string;
  readonly payments: readonly unknown[] | null;
  readonly reference_id: string;
  readonly short_url: string;
  readonly status: 'created' | 'partially_paid' | 'expired' | 'cancelled' | 'paid';
  readonly [shown: string]: unknown;
};

/**
 * `within`: milliseconds after the try in which what is authorized is taken by itself; null for as long as it may be
 * taken at all.
 */
export type Capture = { readonly automatic: boolean; readonly within: number | null };

export type PaymentNotes = Following & {
  readonly method: TestMethod;
  readonly capture: Capture;
  readonly link: string | null;
  readonly callbackUrl: string | null;
  /** What the customer brings back; made when the key's secret was there to sign with. */
  readonly signature: string | null;
  readonly wrongCodes: number;
};
/** The name that the next try to pay will have, and what its success is signed with. */
export type PreparedTry = { readonly id: string; readonly signature: string };

export type StoredOrder = Stored<Order, { readonly capture: Capture }>;
export type StoredPayment = Stored<Payment, PaymentNotes>;
export type StoredRefund = Stored<Refund, Pick<Following, 'webhook'>>;
export type StoredLink = Stored<Link, Following & { readonly tries: readonly PreparedTry[] }>;

export const isOrder = (stored: Stored): stored is StoredOrder => stored.kind === 'order';
export const isPayment = (stored: Stored): stored is StoredPayment => stored.kind === 'payment';
export const isRefund = (stored: Stored): stored is StoredRefund => stored.kind === 'refund';
export const isLink = (stored: Stored): stored is StoredLink => stored.kind === 'payment_link';

export const seconds = (at: Date): number => Math.floor(at.getTime() / 1_000);

export const newId = (prefix: 'order' | 'pay' | 'plink' | 'rfnd' | 'card'): string => `${prefix}_${letters(14)}`;

/** Orders and links are found by the merchant's own word for them; objects have one parent, and these have no other. */
export const receiptPlace = (account: string, receipt: string): string => `receipt ${account} ${receipt}`;
export const referencePlace = (account: string, reference: string): string => `reference ${account} ${reference}`;

export const orderOf = (objects: ObjectStore, { body }: StoredPayment): StoredOrder | undefined => {
  const order = objects.get(body.order_id);
  return order && isOrder(order) ? order : undefined;
};
export const linkOf = (objects: ObjectStore, { notes }: StoredPayment): StoredLink | undefined => {
  const link = notes.link === null ? undefined : objects.get(notes.link);
  return link && isLink(link) ? link : undefined;
};
export const paymentsOf = (objects: ObjectStore, orderId: string): readonly StoredPayment[] =>
  objects.childrenOf(orderId).filter(isPayment);
