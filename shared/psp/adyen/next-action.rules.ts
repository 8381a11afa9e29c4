import type { NextAction } from '#shared/domain/payments/payment.model.ts';

/** An action as Adyen gives it; its form depends on the type. */
type ActionShape = { readonly type: string; readonly [field: string]: unknown };

/** Actions that only Adyen's own components can handle. */
const INNER = new Set(['type', 'paymentData', 'passCreationToken']);

/** Displayed to the customer. */
const shown = (action: ActionShape): Readonly<Record<string, string | number>> =>
  Object.fromEntries(
    Object.entries(action).filter(
      (entry): entry is [string, string | number] =>
        !INNER.has(entry[0]) && ['string', 'number'].includes(typeof entry[1]),
    ),
  );

const DISPLAYED = new Set(['voucher', 'bankTransfer', 'qrCode']);

/** The customer's next action. Without a URL or anything to display it is left to Adyen's own components. */
export function toNextAction(action: ActionShape, clientKey: string | undefined): NextAction {
  if (action.type === 'redirect' && typeof action.url === 'string') return redirect(action.url, action);
  if (action.type === 'await') return { type: 'await' };
  if (DISPLAYED.has(action.type)) return { ...shown(action), type: 'display', kind: action.type };
  return {
    type: 'sdk',
    provider: 'adyen',
    data: { action: JSON.stringify(action), ...(clientKey && { client_key: clientKey }) },
  };
}

function redirect(url: string, { method, data }: ActionShape): NextAction {
  if (method !== 'POST') return { type: 'redirect', url, method: 'GET' };
  const fields = Object.entries(typeof data === 'object' && data ? data : {}).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string',
  );
  return { type: 'redirect', url, method: 'POST', fields: Object.fromEntries(fields) };
}

/** The action's expiry, if Adyen gives a readable one. */
export function expiryOf(text: unknown): string | undefined {
  const at = typeof text === 'string' ? new Date(text) : undefined;
  return at && !Number.isNaN(at.getTime()) ? at.toISOString() : undefined;
}
