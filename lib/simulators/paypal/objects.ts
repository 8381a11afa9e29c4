import type { Behaviour, WebhookMode } from '#lib/simulators/kit/behaviour.ts';
import type { StoredObject } from '#lib/simulators/kit/object-store.ts';
import type { Call, UnitOfWork } from '#lib/simulators/kit/provider-simulator.port.ts';
import { randomId } from '#lib/simulators/kit/random-id.ts';
import { BASE_URL } from '#lib/simulators/kit/wire.ts';
import type { ProcessorResponse } from '#lib/simulators/paypal/declines.ts';
import type { Link } from '#lib/simulators/paypal/errors.ts';
import { type Money, minus, portion } from '#lib/simulators/paypal/money.ts';
import type { AuthenticationResult } from '#lib/simulators/paypal/test-methods.ts';

type Labels = { readonly custom_id?: string; readonly invoice_id?: string };
type ObjectBase = { readonly id: string; readonly create_time: string; readonly update_time: string };

export type PurchaseUnit = Labels & {
  readonly reference_id: string;
  readonly amount: Money;
  readonly description?: string;
  readonly soft_descriptor?: unknown;
  readonly items?: unknown;
  readonly shipping?: unknown;
};

export type Order = ObjectBase & {
  readonly intent: 'CAPTURE' | 'AUTHORIZE';
  readonly status: 'CREATED' | 'PAYER_ACTION_REQUIRED' | 'APPROVED' | 'COMPLETED' | 'VOIDED';
  readonly unit: PurchaseUnit;
  readonly payment_source: { readonly [name: string]: unknown };
  readonly payer: { readonly payer_id: string } | null;
};

/** `behaviour` applies to the next capture. */
export type OrderNotes = {
  readonly behaviour: Behaviour | null;
  readonly webhook: WebhookMode;
  readonly source: 'page' | 'card' | 'wallet';
  readonly returnUrl: string | null;
  readonly cancelUrl: string | null;
  /** The account that pays is kept for later charges. */
  readonly vault?: boolean;
  /** The payer cannot pay with any method. */
  readonly cannotPay: boolean;
  /** What a test method asks for: the codes of its capture, and how the payer's authentication ends. */
  readonly processor?: ProcessorResponse | undefined;
  readonly authentication?: AuthenticationResult | undefined;
};

export type Capture = ObjectBase &
  Labels & {
    readonly status: 'COMPLETED' | 'DECLINED' | 'PENDING' | 'PARTIALLY_REFUNDED' | 'REFUNDED';
    readonly status_details?: { readonly reason: string };
    readonly amount: Money;
    readonly processor_response?: ProcessorResponse;
    readonly network_transaction_reference?: { readonly id: string; readonly date: string; readonly network: string };
  };

/** Money that is reserved for captures, until `expiration_time`. */
export type Authorization = ObjectBase &
  Labels & {
    readonly status: 'CREATED' | 'PENDING' | 'PARTIALLY_CAPTURED' | 'CAPTURED' | 'VOIDED' | 'DENIED';
    readonly amount: Money;
    readonly expiration_time: string;
    readonly processor_response?: ProcessorResponse;
    readonly network_transaction_reference?: { readonly id: string; readonly date: string; readonly network: string };
  };

export type Refund = ObjectBase &
  Labels & {
    readonly status: 'COMPLETED' | 'PENDING' | 'FAILED';
    readonly amount: Money;
    readonly note_to_payer?: string;
  };

type WebhookNotes = { readonly webhook: WebhookMode };
export type StoredOrder = StoredObject<Order, OrderNotes>;
/** `authorization`: what it captures, if it is not the order itself; `final`: the last capture of it. */
type CaptureNotes = WebhookNotes & { readonly authorization?: string; readonly final?: boolean };
export type StoredCapture = StoredObject<Capture, CaptureNotes>;
export type StoredAuthorization = StoredObject<Authorization, WebhookNotes>;
export type StoredRefund = StoredObject<Refund, WebhookNotes>;

export const isOrder = (stored: StoredObject): stored is StoredOrder => stored.kind === 'order';
export const isCapture = (stored: StoredObject): stored is StoredCapture => stored.kind === 'capture';
export const isAuthorization = (stored: StoredObject): stored is StoredAuthorization => stored.kind === 'authorization';
export const isRefund = (stored: StoredObject): stored is StoredRefund => stored.kind === 'refund';

/** Seventeen letters and digits, for any kind of object. */
export const newPaypalId = (): string => randomId(17).toUpperCase();

/** PayPal's times are in whole seconds. Each change gets a later time than the one before. */
export function nextTime(now: Date, before?: string): string {
  const last = before === undefined ? 0 : Date.parse(before) + 1_000;
  return `${new Date(Math.max(now.getTime(), last)).toISOString().slice(0, 19)}Z`;
}

const PAYMENT_BEHAVIOURS: ReadonlySet<string> = new Set([
  'approve',
  'decline',
  'requires_action',
  'pending',
  'wrong_amount',
  'partial_approval',
]);

/** The behaviour of the scenario if it concerns the payment, not the connection. */
export const behaviourIn = ({ scenario }: Pick<Call, 'scenario'>): Behaviour | null =>
  scenario && PAYMENT_BEHAVIOURS.has(scenario.behaviour.kind) ? scenario.behaviour : null;

const API = `${BASE_URL}/paypal`;
const link = (path: string, rel: string, method = 'GET'): Link => ({ href: `${API}${path}`, rel, method });

export const payerPageUrl = (id: string): string => `${API}/checkoutnow/${id}`;

export const capturesOf = (work: UnitOfWork, { id }: StoredOrder): readonly StoredCapture[] =>
  work.objects.childrenOf<Capture, CaptureNotes>(id).filter(isCapture);
export const authorizationOf = (work: UnitOfWork, { id }: StoredOrder): StoredAuthorization | undefined =>
  work.objects.childrenOf(id).find(isAuthorization);
export const refundsOf = (work: UnitOfWork, { id }: StoredCapture): readonly StoredRefund[] =>
  work.objects.childrenOf<Refund, WebhookNotes>(id).filter(isRefund);

/** Payer and merchant ids have thirteen letters and digits, without those that look alike. */
export const memberId = (text: string): string =>
  text
    .slice(0, 13)
    .toUpperCase()
    .replaceAll(/[01IO]/g, 'X');

function payeeOf({ account, accountPublicId }: UnitOfWork): object {
  return { merchant_id: accountPublicId ?? memberId(account), email_address: 'shop@example.com' };
}

function captureView({ body, parent, notes: { authorization, final = true } }: StoredCapture): object {
  const at = `/v2/payments/captures/${body.id}`;
  const up = authorization ? `/v2/payments/authorizations/${authorization}` : `/v2/checkout/orders/${parent}`;
  const links = [link(at, 'self'), link(`${at}/refund`, 'refund', 'POST'), link(up, 'up')];
  const fee = portion(body.amount, 0.03);
  const breakdown = { gross_amount: body.amount, paypal_fee: fee, net_amount: minus(body.amount, [fee]) };
  return {
    ...body,
    final_capture: final,
    disbursement_mode: 'INSTANT',
    seller_protection: { status: 'NOT_ELIGIBLE' },
    seller_receivable_breakdown: breakdown,
    links,
  };
}

/** A capture fetched by itself also names its order and its payee. */
export const captureResource = (work: UnitOfWork, capture: StoredCapture): object => ({
  ...captureView(capture),
  supplementary_data: {
    related_ids: {
      order_id: capture.parent,
      ...(capture.notes.authorization && { authorization_id: capture.notes.authorization }),
    },
  },
  payee: payeeOf(work),
});

function authorizationView({ body, parent }: StoredAuthorization): object {
  const at = `/v2/payments/authorizations/${body.id}`;
  const links = [
    link(at, 'self'),
    link(`${at}/capture`, 'capture', 'POST'),
    link(`${at}/void`, 'void', 'POST'),
    link(`/v2/checkout/orders/${parent}`, 'up'),
  ];
  return { ...body, seller_protection: { status: 'NOT_ELIGIBLE' }, links };
}

export const authorizationResource = (work: UnitOfWork, authorization: StoredAuthorization): object => ({
  ...authorizationView(authorization),
  supplementary_data: { related_ids: { order_id: authorization.parent } },
  payee: payeeOf(work),
});

export function refundView({ body, parent }: StoredRefund): object {
  const fee = portion(body.amount, 0);
  const net = { paypal_fee: fee, net_amount: body.amount };
  const total = { total_refunded_amount: body.amount, gross_amount: body.amount, ...net };
  const links = [link(`/v2/payments/refunds/${body.id}`, 'self'), link(`/v2/payments/captures/${parent}`, 'up')];
  return { ...body, seller_payable_breakdown: total, links };
}

const OPEN_STATUSES: ReadonlySet<string> = new Set(['CREATED', 'PAYER_ACTION_REQUIRED', 'APPROVED']);

export const isOpen = ({ body: { status } }: StoredOrder): boolean => OPEN_STATUSES.has(status);

export const orderLinks = ({ id, body: { status, intent } }: StoredOrder): readonly Link[] => {
  const at = `/v2/checkout/orders/${id}`;
  const waitsForPayer = status === 'CREATED' || status === 'PAYER_ACTION_REQUIRED';
  return [
    link(at, 'self'),
    ...(waitsForPayer ? [{ href: payerPageUrl(id), rel: 'payer-action', method: 'GET' }] : []),
    intent === 'AUTHORIZE' ? link(`${at}/authorize`, 'authorize', 'POST') : link(`${at}/capture`, 'capture', 'POST'),
  ];
};

export function orderView(work: UnitOfWork, order: StoredOrder): object {
  const { unit, payer, ...fields } = order.body;
  const captures = capturesOf(work, order);
  const refunds = captures.flatMap((capture) => refundsOf(work, capture));
  const authorization = authorizationOf(work, order);
  const payments = {
    ...(authorization && { authorizations: [authorizationView(authorization)] }),
    ...(captures.length > 0 && { captures: captures.map(captureView) }),
    ...(refunds.length > 0 && { refunds: refunds.map(refundView) }),
  };
  const purchase_units = [{ ...unit, payee: payeeOf(work), ...(Object.keys(payments).length > 0 && { payments }) }];
  return { ...fields, ...(payer && { payer }), purchase_units, links: orderLinks(order) };
}
