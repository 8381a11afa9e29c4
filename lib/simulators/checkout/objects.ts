import type { Following } from '#lib/simulators/frame/following.ts';
import { letters } from '#lib/simulators/frame/letters.ts';
import type { Stored } from '#lib/simulators/frame/object-store.ts';

export type Metadata = Readonly<Record<string, string | number | boolean>>;

export type PaymentStatus =
  | 'Pending'
  | 'Authorized'
  | 'Partially Captured'
  | 'Captured'
  | 'Partially Refunded'
  | 'Refunded'
  | 'Voided'
  | 'Declined'
  | 'Canceled'
  | 'Expired';

export type Balances = {
  readonly total_authorized: number;
  readonly total_voided: number;
  readonly available_to_void: number;
  readonly total_captured: number;
  readonly available_to_capture: number;
  readonly total_refunded: number;
  readonly available_to_refund: number;
};

/** What every view of a payment shows; amounts are in Checkout.com's own units. */
export type Payment = {
  readonly id: string;
  readonly requested_on: string;
  readonly source: { readonly type: string; readonly [shown: string]: unknown };
  readonly amount: number;
  readonly currency: string;
  readonly payment_type: string;
  readonly reference?: string;
  readonly description?: string;
  readonly approved: boolean;
  readonly status: PaymentStatus;
  readonly balances: Balances;
  readonly risk: { readonly flagged: boolean };
  readonly customer?: { readonly id: string; readonly email?: string };
  readonly metadata: Metadata;
};

export type Action = {
  readonly id: string;
  readonly type: 'Authorization' | 'Void' | 'Capture' | 'Refund';
  readonly processed_on: string;
  readonly amount: number;
  /** Both are missing while it is undecided. */
  readonly approved?: boolean;
  readonly response_code?: string;
  readonly response_summary?: string;
  readonly reference?: string;
  readonly metadata: Metadata;
};

export type Page = {
  readonly id: string;
  readonly status: 'Payment Pending' | 'Payment Received' | 'Expired';
  readonly payment_id?: string;
  readonly amount: number;
  readonly currency: string;
  readonly reference?: string;
  readonly description?: string;
  readonly customer?: { readonly email?: string };
  readonly billing: unknown;
  readonly metadata: Metadata;
  readonly success_url: string;
  readonly cancel_url: string;
  readonly failure_url: string;
};

export type PaymentNotes = Following & {
  readonly capture: boolean;
  /** Where the customer has to go while the payment waits. */
  readonly redirect: boolean;
  readonly session: string;
  readonly urls: { readonly success: string | null; readonly failure: string | null };
};

export type StoredPayment = Stored<Payment, PaymentNotes>;
export type StoredAction = Stored<Action, Pick<Following, 'webhook'>>;
export type StoredPage = Stored<Page, Following & { readonly capture: boolean }>;

export const isPayment = (stored: Stored): stored is StoredPayment => stored.kind === 'payment';
export const isAction = (stored: Stored): stored is StoredAction => stored.kind === 'action';
export const isPage = (stored: Stored): stored is StoredPage => stored.kind === 'page';

export const newId = (prefix: 'pay' | 'act' | 'sid' | 'src' | 'cus' | 'evt'): string =>
  `${prefix}_${letters(26).toLowerCase()}`;
export const newPageId = (): string => `hpp_${letters(12)}`;

/** All payments of one reference hang under this. */
export const referenceId = (reference: string): string => `reference ${reference}`;
