import type { ScenarioNotes } from '#lib/simulators/kit/behaviour.ts';
import type { ObjectStore, StoredObject } from '#lib/simulators/kit/object-store.ts';
import { randomId } from '#lib/simulators/kit/random-id.ts';

export type Amount = { readonly value: number; readonly currency: string };

/** How a test payment method behaves. `refusal` is a `refusalReasonCode`. */
export type TestMethod = {
  readonly type: string;
  readonly flow: 'at_once' | 'redirect' | 'pending';
  /** Whether the bank charges on its own page, rather than when the merchant submits the details. */
  readonly paidAway: boolean;
  readonly refusal: string | null;
  /** The `additionalData` of a refusal. */
  readonly data?: Readonly<Record<string, string>>;
  /** The network that the customer chose, if the request says it. */
  readonly brand?: string;
  /** How the customer authenticates, if not through a redirect URL. */
  readonly by?: 'form' | 'component';
  /** Its issuer requires 3-D Secure, and Adyen the customer's browser for it. */
  readonly needsBrowser?: true;
};

export type Payment = {
  readonly merchantAccount: string;
  readonly merchantReference: string;
  readonly amount: Amount;
  readonly metadata: Readonly<Record<string, string>>;
  readonly status: 'waiting' | 'pending' | 'authorised' | 'refused' | 'cancelled';
  /** The `refusalReasonCode`. */
  readonly code: string | null;
};
export type PaymentNotes = ScenarioNotes & {
  readonly method: TestMethod;
  readonly returnUrl: string;
  readonly passed: boolean | null;
  readonly refunded: number;
  readonly component?: 'fingerprint' | 'challenge';
  /** Its money is captured later. */
  readonly manual?: true;
  /** What was captured of it, with captures that are not decided yet. */
  readonly captured?: number;
  /** The bank approved a part of what was asked for. */
  readonly partial?: true;
  readonly authenticated?: true;
  /** Results of the checks of its card. */
  readonly avs?: string;
  readonly cvc?: string;
  /** A saved method is charged. */
  readonly stored?: true;
  /** The shopper for whom the method shall be kept, and the token under which it was. */
  readonly keep?: string;
  readonly token?: string;
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
  readonly manualCapture?: boolean;
  readonly returnUrl?: string;
  readonly storePaymentMethodMode?: string;
  readonly shopperReference?: string;
};

type Refund = {
  readonly amount: Amount;
  readonly reference: string;
  readonly status: 'received' | 'refunded' | 'failed';
};

type Capture = {
  readonly amount: Amount;
  readonly reference: string;
  readonly status: 'received' | 'captured' | 'failed';
};

export type StoredPayment = StoredObject<Payment, PaymentNotes>;
export type StoredLink = StoredObject<Link, ScenarioNotes>;
export type StoredRefund = StoredObject<Refund, Pick<ScenarioNotes, 'webhook'>>;

export type StoredCapture = StoredObject<Capture, Pick<ScenarioNotes, 'webhook'>>;

export const isCapture = (stored: StoredObject): stored is StoredCapture => stored.kind === 'capture';
export const isPayment = (stored: StoredObject): stored is StoredPayment => stored.kind === 'payment';
export const isLink = (stored: StoredObject): stored is StoredLink => stored.kind === 'link';
export const isRefund = (stored: StoredObject): stored is StoredRefund => stored.kind === 'refund';

/** Another name of a payment: the merchant's reference, or the result that the customer returns with. */
const isAlias = (stored: StoredObject): stored is StoredObject => stored.kind === 'name';

export const findByAlias = (objects: ObjectStore, name: string): StoredPayment | undefined =>
  objects.find(objects.find(name, isAlias)?.parent, isPayment);

export const newPspReference = (): string => randomId(16).toUpperCase();
