import { randomInt } from 'node:crypto';
import type { Following } from '#lib/simulators/frame/following.ts';
import { letters } from '#lib/simulators/frame/letters.ts';
import type { Stored } from '#lib/simulators/frame/object-store.ts';
import type { Work } from '#lib/simulators/frame/provider.port.ts';

export type Meta = Readonly<Record<string, string | number | boolean>>;

export type Transaction = {
  readonly id: number;
  readonly tx_ref: string;
  readonly flw_ref: string;
  readonly amount: number;
  readonly charged_amount: number;
  readonly currency: string;
  readonly processor_response: string;
  readonly payment_type: string;
  readonly status: 'pending' | 'successful' | 'failed';
  readonly created_at: string;
  readonly meta: Meta | null;
  readonly customer: { readonly email: string; readonly [shown: string]: unknown };
  readonly card?: object;
  readonly [shown: string]: unknown;
};

export type Refund = {
  readonly id: number;
  readonly tx_id: number;
  readonly amount_refunded: number;
  readonly status: 'completed' | 'pending' | 'failed';
  readonly comments: string | null;
  readonly [shown: string]: unknown;
};

export type Page = {
  readonly tx_ref: string;
  /** In minor units. */
  readonly amount: number;
  readonly currency: string;
  readonly redirect_url: string;
  readonly payment_type: string;
  readonly customer: { readonly email: string; readonly name?: string; readonly phonenumber?: string };
  readonly meta: Meta | null;
  readonly status: 'open' | 'paid' | 'closed';
};

/** `waitsFor`: what a pending transaction is missing. */
export type TransactionNotes = Following & {
  readonly waitsFor: 'page' | 'otp' | 'time' | null;
  readonly returnUrl: string | null;
};

export type StoredTransaction = Stored<Transaction, TransactionNotes>;
export type StoredRefund = Stored<Refund, Pick<Following, 'webhook'>>;
export type StoredPage = Stored<Page, Following>;

export const isTransaction = (stored: Stored): stored is StoredTransaction => stored.kind === 'transaction';
export const isRefund = (stored: Stored): stored is StoredRefund => stored.kind === 'refund';
export const isPage = (stored: Stored): stored is StoredPage => stored.kind === 'page';

export function newNumber(work: Work): number {
  const number = randomInt(1_000_000_000, 9_999_999_999);
  return work.objects.get(String(number)) ? newNumber(work) : number;
}

export const newPageId = (): string => letters(24).toLowerCase();

/**
 * A `tx_ref` may be used again here: what bears it hangs on an object of that name. Another account's is kept apart
 * from it.
 */
const nameOf = (work: Work, txRef: string): string => `${work.account.slice(0, 8)} ${txRef}`;

export function hang(work: Work, txRef: string, paymentId: string | null): string {
  const { account, objects } = work;
  const id = nameOf(work, txRef);
  if (!objects.get(txRef))
    objects.put({
      id: txRef,
      account,
      kind: 'reference',
      paymentId,
      parent: null,
      due: null,
      body: { name: id },
      notes: null,
    });
  return id;
}

/** Oldest first. */
export const bearing = (work: Work, txRef: string): readonly Stored[] => work.objects.childrenOf(nameOf(work, txRef));
