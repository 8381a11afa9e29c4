import { randomInt } from 'node:crypto';
import type { ScenarioNotes } from '#lib/simulators/kit/behaviour.ts';
import type { StoredObject } from '#lib/simulators/kit/object-store.ts';
import type { UnitOfWork } from '#lib/simulators/kit/provider-simulator.port.ts';
import { randomId } from '#lib/simulators/kit/random-id.ts';

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
  readonly customer: { readonly email: string; readonly [field: string]: unknown };
  readonly card?: { readonly first_6digits: string; readonly last_4digits: string; readonly [field: string]: unknown };
  readonly [field: string]: unknown;
};

export type Refund = {
  readonly id: number;
  readonly tx_id: number;
  readonly amount_refunded: number;
  readonly status: 'completed' | 'pending' | 'failed';
  readonly comments: string | null;
  readonly [field: string]: unknown;
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

/** `waitsFor`: what a pending transaction waits for. */
export type TransactionNotes = ScenarioNotes & {
  readonly waitsFor: 'page' | 'otp' | 'time' | null;
  readonly returnUrl: string | null;
  /** The token that was charged. Without one a paid card gets its own. */
  readonly token?: string;
};

export type StoredTransaction = StoredObject<Transaction, TransactionNotes>;
export type StoredRefund = StoredObject<Refund, Pick<ScenarioNotes, 'webhook'>>;
export type StoredPage = StoredObject<Page, ScenarioNotes>;

export const isTransaction = (stored: StoredObject): stored is StoredTransaction => stored.kind === 'transaction';
export const isRefund = (stored: StoredObject): stored is StoredRefund => stored.kind === 'refund';
export const isPage = (stored: StoredObject): stored is StoredPage => stored.kind === 'page';

export function newNumericId(work: UnitOfWork): number {
  const number = randomInt(1_000_000_000, 9_999_999_999);
  return work.objects.get(String(number)) ? newNumericId(work) : number;
}

export const newPageId = (): string => randomId(24).toLowerCase();

/** A `tx_ref` may be used again: its objects share a parent with this id, which is separate for each account. */
const referenceKey = (work: UnitOfWork, txRef: string): string => `${work.account.slice(0, 8)} ${txRef}`;

export function ensureReference(work: UnitOfWork, txRef: string, paymentId: string | null): string {
  const { account, objects } = work;
  const id = referenceKey(work, txRef);
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
export const objectsOfReference = (work: UnitOfWork, txRef: string): readonly StoredObject[] =>
  work.objects.childrenOf(referenceKey(work, txRef));

export const FLW_REF = 'FLW-MOCK-';

/** The transaction id in a `flw_ref`. */
export const idOfFlwRef = (flwRef: string): string => flwRef.slice(FLW_REF.length);

const TOKEN_FORMAT = /^flw-t1nf-([0-9a-f]{32})-m03k$/;

export const isTokenFormat = (token: string): boolean => /^flw-t\d(nf)?-[\w-]+$/.test(token);

/** The id of the transaction that created this token. */
export const transactionIdOfToken = (token: string): string =>
  String(Number.parseInt(TOKEN_FORMAT.exec(token)?.[1] ?? '', 16));

/** A fetched successful transaction contains the token of its card. Events do not. */
export function withToken({ body, notes }: StoredTransaction): Transaction {
  const { id, status, card } = body;
  if (status !== 'successful' || !card) return body;
  const token = notes.token ?? `flw-t1nf-${id.toString(16).padStart(32, '0')}-m03k`;
  return { ...body, card: { ...card, token } };
}
