import { notFound } from '#lib/simulators/checkout/errors.ts';
import { findOwned } from '#lib/simulators/kit/account-scope.ts';
import type { ScenarioNotes } from '#lib/simulators/kit/behaviour.ts';
import type { StoredObject } from '#lib/simulators/kit/object-store.ts';
import type { UnitOfWork } from '#lib/simulators/kit/provider-simulator.port.ts';
import { randomId } from '#lib/simulators/kit/random-id.ts';
import { BASE_URL } from '#lib/simulators/kit/wire.ts';

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

/** A payment as every response shows it. Amounts are in Checkout.com's units. */
export type Payment = {
  readonly id: string;
  readonly requested_on: string;
  readonly source: { readonly type: string; readonly [field: string]: unknown };
  readonly amount: number;
  readonly currency: string;
  readonly payment_type: string;
  readonly reference?: string;
  readonly description?: string;
  readonly approved: boolean;
  readonly status: PaymentStatus;
  readonly balances: Balances;
  readonly risk: { readonly flagged: boolean };
  /** Advice about a decline, and the schemes' references. */
  readonly processing?: { readonly [field: string]: string };
  /** The network's id of the transaction, once it has approved. */
  readonly scheme_id?: string;
  readonly eci?: string;
  /** The result of 3-D Secure, if it was asked for. */
  readonly '3ds'?: { readonly [field: string]: string | boolean };
  readonly customer?: { readonly id: string; readonly email?: string; readonly name?: string };
  readonly metadata: Metadata;
};

export type Action = {
  readonly id: string;
  readonly type: 'Authorization' | 'Void' | 'Capture' | 'Refund';
  readonly processed_on: string;
  readonly amount: number;
  /** These are missing while the action is pending. */
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
  readonly customer?: { readonly email?: string; readonly name?: string };
  readonly billing: unknown;
  readonly metadata: Metadata;
  readonly success_url: string;
  readonly cancel_url: string;
  readonly failure_url: string;
};

export type PaymentNotes = ScenarioNotes & {
  readonly capture: boolean;
  /** Whether the customer must go to the bank's page while the payment waits. */
  readonly redirect: boolean;
  /** How 3-D Secure ends, whatever the customer does. */
  readonly authentication?: string;
  readonly session: string;
  readonly urls: { readonly success: string | null; readonly failure: string | null };
};

export type StoredPayment = StoredObject<Payment, PaymentNotes>;
/** `final`: of a capture, whether the rest is voided with it. */
export type StoredAction = StoredObject<Action, Pick<ScenarioNotes, 'webhook'> & { readonly final?: boolean }>;
export type StoredPage = StoredObject<Page, ScenarioNotes & { readonly capture: boolean }>;

export const isPayment = (stored: StoredObject): stored is StoredPayment => stored.kind === 'payment';
export const isAction = (stored: StoredObject): stored is StoredAction => stored.kind === 'action';
export const isPage = (stored: StoredObject): stored is StoredPage => stored.kind === 'page';

export const newId = (prefix: 'pay' | 'act' | 'sid' | 'src' | 'cus' | 'evt'): string =>
  `${prefix}_${randomId(26).toLowerCase()}`;
export const newDisputeId = (): string => `dsp_${randomId(26).toLowerCase()}`;
export const newPageId = (): string => `hpp_${randomId(12)}`;

/** The parent of all payments with one reference. */
export const referenceId = (reference: string): string => `reference ${reference}`;

type Session = StoredObject<{ readonly payment: string }>;
const isSession = (stored: StoredObject): stored is Session => stored.kind === 'session';

/** By its id, or by the id of the session that the customer returned with. */
export function findPayment(work: UnitOfWork, id: string): StoredPayment {
  const found = findOwned(work, findOwned(work, id, isSession)?.body.payment ?? id, isPayment);
  if (!found) throw notFound();
  return found;
}

export function findPage(work: UnitOfWork, id: string): StoredPage {
  const found = findOwned(work, id, isPage);
  if (!found) throw notFound();
  return found;
}

/** Newest first. */
export const actionsOf = (work: UnitOfWork, { id }: StoredPayment): readonly StoredAction[] =>
  work.objects.childrenOf(id).filter(isAction).toReversed();

type Links = Readonly<Record<string, { readonly href: string }>>;

export const paymentUrl = (id: string): string => `${BASE_URL}/checkout/payments/${id}`;
export const redirectUrl = ({ id }: StoredPayment): string => `${BASE_URL}/checkout/3ds/${id}`;

/** The links show what can be done next. */
function paymentLinks(payment: StoredPayment): Links {
  const { id, status } = payment.body;
  const self = paymentUrl(id);
  const isOpen = status === 'Authorized' || payment.body.balances.available_to_capture > 0;
  return {
    self: { href: self },
    actions: { href: `${self}/actions` },
    ...(isOpen && { capture: { href: `${self}/captures` }, void: { href: `${self}/voids` } }),
    ...(payment.body.balances.available_to_refund > 0 && { refund: { href: `${self}/refunds` } }),
    ...(status === 'Pending' && payment.notes.redirect && { redirect: { href: redirectUrl(payment) } }),
  };
}

/** A payment as fetched. The reasons of a decline are on its actions. */
export const paymentView = (payment: StoredPayment): object => ({ ...payment.body, _links: paymentLinks(payment) });

/** The response to a payment that was processed at once. */
export function processedResponse(
  payment: StoredPayment,
  { id, processed_on, response_code, response_summary }: Partial<Action> = {},
): object {
  const { risk, source, customer, balances, reference, amount, currency, approved, status, processing } = payment.body;
  const { eci, scheme_id } = payment.body;
  const result = {
    id: payment.id,
    action_id: id,
    amount,
    currency,
    approved,
    status,
    response_code,
    response_summary,
    processed_on,
  };
  const secure = payment.body['3ds'] && { '3ds': payment.body['3ds'] };
  return {
    ...result,
    ...secure,
    risk,
    source,
    customer,
    balances,
    reference,
    processing,
    eci,
    scheme_id,
    _links: paymentLinks(payment),
  };
}

/** The response to a payment that waits. */
export function pendingResponse(payment: StoredPayment): object {
  const { customer, reference, source } = payment.body;
  return {
    id: payment.id,
    status: 'Pending',
    reference,
    customer,
    ...(source.type === 'card' && { '3ds': { downgraded: false, enrolled: 'Y' } }),
    _links: paymentLinks(payment),
  };
}

const pageLinks = ({ id, payment_id }: Page): Links => ({
  self: { href: `${BASE_URL}/checkout/hosted-payments/${id}` },
  redirect: { href: `${BASE_URL}/checkout/pay/${id}` },
  ...(payment_id !== undefined && {
    payment: { href: paymentUrl(payment_id) },
    payment_actions: { href: `${paymentUrl(payment_id)}/actions` },
  }),
});

export const pageView = ({ body }: StoredPage): object => ({ ...body, _links: pageLinks(body) });

export function createdPageResponse({ body }: StoredPage): object {
  return { id: body.id, reference: body.reference, _links: pageLinks(body) };
}
