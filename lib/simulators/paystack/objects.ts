import type { Following } from '#lib/simulators/frame/following.ts';
import { letters } from '#lib/simulators/frame/letters.ts';
import type { Stored } from '#lib/simulators/frame/object-store.ts';
import type { TestCard } from '#lib/simulators/paystack/test-cards.ts';

/** A step that a charge stands at, in the words of the charge API. */
export type Step =
  | 'send_pin'
  | 'send_otp'
  | 'send_phone'
  | 'send_birthday'
  | 'send_address'
  | 'open_url'
  | 'pay_offline'
  | 'pending_bank_transfer'
  | 'pending';

type TransactionStatus = 'abandoned' | 'ongoing' | 'pending' | 'success' | 'failed' | 'reversed';

/** What every look at a transaction shows, beside what never changes. */
export type Transaction = {
  readonly id: number;
  readonly domain: 'live' | 'test';
  readonly status: TransactionStatus;
  readonly reference: string;
  readonly amount: number;
  readonly requested_amount: number;
  readonly message: string | null;
  readonly gateway_response: string;
  readonly paid_at: string | null;
  readonly created_at: string;
  readonly channel: string;
  readonly currency: string;
  readonly metadata: unknown;
  readonly fees: number | null;
  readonly email: string;
  readonly attempts: number;
};

/**
 * `steps`: what the customer has yet to go through, the present one first. `behaviour` is for the next try to charge.
 */
export type Notes = Following & {
  readonly card: TestCard;
  readonly steps: readonly Step[];
  readonly shown: Readonly<Record<string, unknown>>;
  readonly accessCode: string | null;
  readonly callbackUrl: string | null;
  /** Whether the customer chooses on Paystack's page how to pay, and so may choose again. */
  readonly onPage: boolean;
  /** Refunded or being so. */
  readonly refunded: number;
};

export type Refund = {
  readonly id: number;
  readonly integration: number;
  readonly transaction: number;
  readonly transaction_reference: string;
  readonly domain: 'live' | 'test';
  readonly currency: string;
  readonly amount: number;
  readonly status: 'pending' | 'processing' | 'processed' | 'failed' | 'needs-attention';
  readonly merchant_note: string;
  readonly customer_note: string;
  readonly refunded_by: string;
  readonly createdAt: string;
  readonly email: string;
};

export type StoredTransaction = Stored<Transaction, Notes>;
export type StoredRefund = Stored<Refund, Pick<Following, 'webhook'>>;

export const isTransaction = (stored: Stored): stored is StoredTransaction => stored.kind === 'transaction';
export const isRefund = (stored: Stored): stored is StoredRefund => stored.kind === 'refund';
/** Another name of a transaction: its number, or the code of its page. */
export const isAlias = (stored: Stored): boolean => stored.kind === 'alias';

export const INTEGRATION = 412_829;

/** Ten digits, as Paystack numbers things. */
export const newNumber = (): number => 1_000_000_000 + (Number.parseInt(letters(9), 36) % 8_999_999_999);

export const newCode = (prefix = ''): string => prefix + letters(15).toLowerCase();
