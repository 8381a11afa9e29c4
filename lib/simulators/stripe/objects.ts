import { findOwned } from '#lib/simulators/kit/account-scope.ts';
import type { ScenarioNotes } from '#lib/simulators/kit/behaviour.ts';
import type { StoredObject } from '#lib/simulators/kit/object-store.ts';
import type { UnitOfWork } from '#lib/simulators/kit/provider-simulator.port.ts';
import { randomId } from '#lib/simulators/kit/random-id.ts';
import { resourceMissing, type StripeError } from '#lib/simulators/stripe/errors.ts';
import { type Form, formAt, metadataOf, textAt, textsAt } from '#lib/simulators/stripe/form.ts';
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
  readonly payment_method_options: {
    readonly card?: { readonly request_multicapture?: string; readonly [option: string]: unknown };
  };
  readonly payment_method_types: readonly string[];
  readonly status: IntentStatus;
  readonly [field: string]: unknown;
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
  readonly payment_method_details: {
    readonly card?: { readonly multicapture?: { readonly status: string } };
    readonly [type: string]: unknown;
  };
  readonly refunded: boolean;
  readonly status: 'succeeded' | 'pending' | 'failed';
  readonly [field: string]: unknown;
};

export type Refund = {
  readonly id: string;
  readonly object: 'refund';
  readonly amount: number;
  readonly charge: string;
  readonly currency: string;
  readonly metadata: Metadata;
  readonly payment_intent: string;
  readonly status: 'pending' | 'succeeded' | 'failed';
  readonly [field: string]: unknown;
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
  readonly [field: string]: unknown;
};

export type IntentNotes = ScenarioNotes & { readonly returnUrl: string | null; readonly method: TestMethod | null };
export type SessionNotes = ScenarioNotes & { readonly intent: Form };

export type StoredIntent = StoredObject<PaymentIntent, IntentNotes>;
export type StoredCharge = StoredObject<Charge, { readonly refunds: TestMethod['refunds'] }>;
export type StoredRefund = StoredObject<Refund, Pick<ScenarioNotes, 'webhook'>>;
export type StoredSession = StoredObject<Session, SessionNotes>;

export const isIntent = (stored: StoredObject): stored is StoredIntent => stored.kind === 'payment_intent';
export const isCharge = (stored: StoredObject): stored is StoredCharge => stored.kind === 'charge';
export const isRefund = (stored: StoredObject): stored is StoredRefund => stored.kind === 'refund';
export const isSession = (stored: StoredObject): stored is StoredSession => stored.kind === 'checkout.session';

export const seconds = (at: Date): number => Math.floor(at.getTime() / 1_000);

export const newStripeId = (prefix: string): string => `${prefix}_3${randomId(23)}`;

/** `parent`: the Checkout Session that created it. */
type IntentInput = {
  readonly amount: number;
  readonly currency: string;
  readonly livemode: boolean;
  readonly notes: IntentNotes;
  readonly parent?: string;
};

/** Builds an intent from the parameters of its creation. The caller stores it and announces it. */
export function newIntent(
  work: UnitOfWork,
  input: Form,
  { amount, currency, livemode, notes, parent }: IntentInput,
): StoredIntent {
  const id = newStripeId('pi');
  const metadata = metadataOf(input);
  const allowed = textsAt(input, 'allowed_payment_method_types');
  const types = allowed.length > 0 ? allowed : textsAt(input, 'payment_method_types');
  const multicapture = textAt(input, 'payment_method_options', 'card', 'request_multicapture');
  const body: PaymentIntent = {
    id,
    object: 'payment_intent',
    allowed_payment_method_types: allowed.length > 0 ? allowed : null,
    amount,
    amount_capturable: 0,
    amount_details: { tip: {} },
    amount_received: 0,
    application: null,
    application_fee_amount: null,
    automatic_payment_methods:
      types.length > 0
        ? null
        : {
            allow_redirects: textAt(formAt(input, 'automatic_payment_methods'), 'allow_redirects') ?? 'always',
            enabled: true,
          },
    canceled_at: null,
    cancellation_reason: null,
    capture_method: textAt(input, 'capture_method') ?? 'automatic_async',
    client_secret: `${id}_secret_${randomId(25)}`,
    confirmation_method: textAt(input, 'confirmation_method') ?? 'automatic',
    created: seconds(work.now),
    currency,
    customer: textAt(input, 'customer'),
    customer_account: null,
    description: textAt(input, 'description'),
    excluded_payment_method_types: null,
    last_payment_error: null,
    latest_charge: null,
    livemode,
    managed_payments: null,
    metadata,
    next_action: null,
    on_behalf_of: textAt(input, 'on_behalf_of'),
    payment_method: notes.method ? (notes.method.id ?? newStripeId('pm')) : null,
    payment_method_configuration_details: null,
    payment_method_options: {
      card: {
        installments: null,
        mandate_options: null,
        network: null,
        ...(multicapture && { request_multicapture: multicapture }),
        request_three_d_secure:
          textAt(input, 'payment_method_options', 'card', 'request_three_d_secure') ?? 'automatic',
      },
    },
    payment_method_types: types.length > 0 ? types : ['card'],
    payment_record: null,
    processing: null,
    receipt_email: textAt(input, 'receipt_email'),
    review: null,
    setup_future_usage: textAt(input, 'setup_future_usage'),
    shipping: Object.keys(formAt(input, 'shipping')).length > 0 ? formAt(input, 'shipping') : null,
    source: null,
    statement_descriptor: textAt(input, 'statement_descriptor'),
    statement_descriptor_suffix: textAt(input, 'statement_descriptor_suffix'),
    status: notes.method ? 'requires_confirmation' : 'requires_payment_method',
    transfer_data: null,
    transfer_group: textAt(input, 'transfer_group'),
  };
  const paymentId = metadata.payment_id ?? null;
  return {
    id,
    account: work.account,
    kind: 'payment_intent',
    paymentId,
    parent: parent ?? null,
    due: null,
    body,
    notes,
  };
}

/** How the error names a missing object. */
type ErrorContext = { readonly kind: string; readonly param: string; readonly status?: 400 | 404 };

function findObject<T extends StoredObject>(
  work: UnitOfWork,
  id: string,
  is: (stored: StoredObject) => stored is T,
  { kind, param, status }: ErrorContext,
): T {
  const stored = findOwned(work, id, is);
  if (!stored) throw resourceMissing(kind, id, param, status);
  return stored;
}

export const findIntent = (work: UnitOfWork, id: string, param = 'intent', status: 400 | 404 = 404): StoredIntent =>
  findObject(work, id, isIntent, { kind: 'payment_intent', param, status });

export const findCharge = (work: UnitOfWork, id: string, param = 'charge', status: 400 | 404 = 404): StoredCharge =>
  findObject(work, id, isCharge, { kind: 'charge', param, status });

export const findRefund = (work: UnitOfWork, id: string): StoredRefund =>
  findObject(work, id, isRefund, { kind: 'refund', param: 'id' });

export const findSession = (work: UnitOfWork, id: string): StoredSession =>
  findObject(work, id, isSession, { kind: 'checkout.session', param: 'session' });
