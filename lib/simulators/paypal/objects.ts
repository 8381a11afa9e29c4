import type { Behaviour, WebhookMode } from '#lib/simulators/frame/behaviour.ts';
import { letters } from '#lib/simulators/frame/letters.ts';
import type { Stored } from '#lib/simulators/frame/object-store.ts';
import type { Call, Work } from '#lib/simulators/frame/provider.port.ts';
import { HERE } from '#lib/simulators/frame/wire.ts';
import type { Link } from '#lib/simulators/paypal/errors.ts';
import type { Money } from '#lib/simulators/paypal/money.ts';

type Labels = { readonly custom_id?: string; readonly invoice_id?: string };
type Dated = { readonly id: string; readonly create_time: string; readonly update_time: string };

export type Unit = Labels & { readonly reference_id: string; readonly amount: Money; readonly description?: string };

export type Order = Dated & {
  readonly intent: string;
  readonly status: 'CREATED' | 'PAYER_ACTION_REQUIRED' | 'APPROVED' | 'COMPLETED' | 'VOIDED';
  readonly unit: Unit;
  readonly payment_source: { readonly [name: string]: unknown };
  readonly payer: { readonly payer_id: string } | null;
};

/** What the payer or a scenario has in store for the money, and how the payer came to the order. */
export type OrderNotes = {
  readonly behaviour: Behaviour | null;
  readonly webhook: WebhookMode;
  readonly source: 'page' | 'card' | 'wallet';
  readonly returnUrl: string | null;
  readonly cancelUrl: string | null;
  /** The payer can't pay with any method. */
  readonly hopeless: boolean;
};

export type Capture = Dated &
  Labels & {
    readonly status: 'COMPLETED' | 'DECLINED' | 'PENDING' | 'PARTIALLY_REFUNDED' | 'REFUNDED';
    readonly status_details?: { readonly reason: string };
    readonly amount: Money;
    readonly processor_response?: { readonly response_code: string; readonly payment_advice_code?: string };
  };

export type Refund = Dated &
  Labels & {
    readonly status: 'COMPLETED' | 'PENDING' | 'FAILED';
    readonly amount: Money;
    readonly note_to_payer?: string;
  };

type Sent = { readonly webhook: WebhookMode };
export type StoredOrder = Stored<Order, OrderNotes>;
export type StoredCapture = Stored<Capture, Sent>;
export type StoredRefund = Stored<Refund, Sent>;

export const isOrder = (stored: Stored): stored is StoredOrder => stored.kind === 'order';
export const isCapture = (stored: Stored): stored is StoredCapture => stored.kind === 'capture';
export const isRefund = (stored: Stored): stored is StoredRefund => stored.kind === 'refund';

/** Seventeen letters and digits, for any kind of object. */
export const newPaypalId = (): string => letters(17).toUpperCase();

/** PayPal tells times in whole seconds; a change is never told with the time of the one before. */
export function nextTime(now: Date, before?: string): string {
  const last = before === undefined ? 0 : Date.parse(before) + 1_000;
  return `${new Date(Math.max(now.getTime(), last)).toISOString().slice(0, 19)}Z`;
}

const OF_THE_MONEY: ReadonlySet<string> = new Set(['approve', 'decline', 'requires_action', 'pending', 'wrong_amount']);

/** What a scenario says of the money; what it says of the connection has been dealt with. */
export const behaviourIn = ({ script }: Pick<Call, 'script'>): Behaviour | null =>
  script && OF_THE_MONEY.has(script.behaviour.kind) ? script.behaviour : null;

const API = `${HERE}/paypal`;
const link = (path: string, rel: string, method = 'GET'): Link => ({ href: `${API}${path}`, rel, method });

export const payerPage = (id: string): string => `${API}/checkoutnow/${id}`;

export const capturesOf = (work: Work, { id }: StoredOrder): readonly StoredCapture[] =>
  work.objects.childrenOf<Capture, Sent>(id).filter(isCapture);
export const refundsOf = (work: Work, { id }: StoredCapture): readonly StoredRefund[] =>
  work.objects.childrenOf<Refund, Sent>(id).filter(isRefund);

/** Who pays and who is paid is known by thirteen letters and digits, without those that look alike. */
export const memberId = (text: string): string =>
  text
    .slice(0, 13)
    .toUpperCase()
    .replaceAll(/[01IO]/g, 'X');

function payeeOf({ account, accountPublicId }: Work): object {
  return { merchant_id: accountPublicId ?? memberId(account), email_address: 'shop@example.com' };
}

function captureWithin({ body, parent }: StoredCapture): object {
  const at = `/v2/payments/captures/${body.id}`;
  const links = [link(at, 'self'), link(`${at}/refund`, 'refund', 'POST'), link(`/v2/checkout/orders/${parent}`, 'up')];
  return { ...body, final_capture: true, links };
}

/** By itself a capture names its order and its payee too. */
export const showCapture = (work: Work, capture: StoredCapture): object => ({
  ...captureWithin(capture),
  supplementary_data: { related_ids: { order_id: capture.parent } },
  payee: payeeOf(work),
});

export function showRefund({ body, parent }: StoredRefund): object {
  const total = { total_refunded_amount: body.amount, gross_amount: body.amount };
  const links = [link(`/v2/payments/refunds/${body.id}`, 'self'), link(`/v2/payments/captures/${parent}`, 'up')];
  return { ...body, seller_payable_breakdown: total, links };
}

const atTheirPage: ReadonlySet<string> = new Set(['CREATED', 'PAYER_ACTION_REQUIRED', 'APPROVED']);

export const isOpen = ({ body: { status } }: StoredOrder): boolean => atTheirPage.has(status);

export const linksOf = ({ id, body: { status } }: StoredOrder): readonly Link[] => {
  const at = `/v2/checkout/orders/${id}`;
  const waits = status === 'CREATED' || status === 'PAYER_ACTION_REQUIRED';
  return [
    link(at, 'self'),
    ...(waits ? [{ href: payerPage(id), rel: 'payer-action', method: 'GET' }] : []),
    link(`${at}/capture`, 'capture', 'POST'),
  ];
};

export function showOrder(work: Work, order: StoredOrder): object {
  const { unit, payer, ...shown } = order.body;
  const captures = capturesOf(work, order);
  const refunds = captures.flatMap((capture) => refundsOf(work, capture));
  const payments = {
    captures: captures.map(captureWithin),
    ...(refunds.length > 0 && { refunds: refunds.map(showRefund) }),
  };
  const purchase_units = [{ ...unit, payee: payeeOf(work), ...(captures.length > 0 && { payments }) }];
  return { ...shown, ...(payer && { payer }), purchase_units, links: linksOf(order) };
}
