import type { ScenarioNotes } from '#lib/simulators/kit/behaviour.ts';
import type { ObjectStore, StoredObject } from '#lib/simulators/kit/object-store.ts';
import { randomId } from '#lib/simulators/kit/random-id.ts';
import type { TestMethod } from '#lib/simulators/razorpay/test-methods.ts';

/** Razorpay shows empty notes as a list. */
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
  readonly [field: string]: unknown;
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
  readonly [field: string]: unknown;
};

export type Refund = {
  readonly id: string;
  readonly entity: 'refund';
  readonly amount: number;
  readonly notes: Notes;
  readonly payment_id: string;
  readonly status: 'pending' | 'processed' | 'failed';
  readonly [field: string]: unknown;
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
  readonly [field: string]: unknown;
};

/**
 * `within`: how many milliseconds after the attempt an authorization is captured automatically; null: any time. `life`:
 * how long it may stay uncaptured.
 */
export type CaptureSetting = { readonly automatic: boolean; readonly within: number | null; readonly life?: number };

export type PaymentNotes = ScenarioNotes & {
  readonly method: TestMethod;
  readonly capture: CaptureSetting;
  readonly link: string | null;
  readonly callbackUrl: string | null;
  /** The signature that the customer returns with. It is computed at creation, when the key secret is known. */
  readonly signature: string | null;
  readonly wrongCodes: number;
  /** What the payment is for, once it is authorized: its amount without a fee that the customer bears. */
  readonly price?: number;
  /** Its money was only reserved at first. */
  readonly held?: true;
};
/** The id of a later attempt to pay, and the signature of its success. */
export type PreparedAttempt = { readonly id: string; readonly signature: string };

export type StoredOrder = StoredObject<Order, { readonly capture: CaptureSetting }>;
export type StoredPayment = StoredObject<Payment, PaymentNotes>;
export type StoredRefund = StoredObject<Refund, Pick<ScenarioNotes, 'webhook'>>;
export type StoredLink = StoredObject<Link, ScenarioNotes & { readonly tries: readonly PreparedAttempt[] }>;

export const isOrder = (stored: StoredObject): stored is StoredOrder => stored.kind === 'order';
export const isPayment = (stored: StoredObject): stored is StoredPayment => stored.kind === 'payment';
export const isRefund = (stored: StoredObject): stored is StoredRefund => stored.kind === 'refund';
export const isLink = (stored: StoredObject): stored is StoredLink => stored.kind === 'payment_link';

export const seconds = (at: Date): number => Math.floor(at.getTime() / 1_000);

export const newId = (prefix: 'order' | 'pay' | 'plink' | 'rfnd' | 'card'): string => `${prefix}_${randomId(14)}`;

/** The parent of all orders with one receipt. Orders and links have no other parent. */
export const receiptKey = (account: string, receipt: string): string => `receipt ${account} ${receipt}`;
export const referenceKey = (account: string, reference: string): string => `reference ${account} ${reference}`;

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

/** The card is shown only if it is asked for. Here it is the one that Razorpay documents for successful payments. */
export function expanded(body: Payment, query: URLSearchParams): object {
  if (query.get('expand[]') !== 'card' || body.card_id === null) return body;
  const card = {
    id: body.card_id,
    entity: 'card',
    name: '',
    last4: '1007',
    network: 'Visa',
    type: 'credit',
    issuer: null,
    international: false,
    emi: false,
    sub_type: 'consumer',
    token_iin: null,
  };
  return { ...body, card };
}
