import { textAt, valueAt } from '#lib/simulators/kit/json.ts';
import type { StoredObject } from '#lib/simulators/kit/object-store.ts';
import type { Input, UnitOfWork } from '#lib/simulators/kit/provider-simulator.port.ts';
import { randomId } from '#lib/simulators/kit/random-id.ts';
import { invalidRequest, unprocessable } from '#lib/simulators/paypal/errors.ts';
import type { Order, StoredOrder } from '#lib/simulators/paypal/objects.ts';

type Vaulted = StoredObject<{ readonly customer: string }, { readonly source: string }>;

const isVaulted = (stored: StoredObject): stored is Vaulted => stored.kind === 'vault';

/** Whether the account that pays shall be kept. */
export function wantsVault(wallet: unknown): boolean {
  const vault = valueAt(wallet, 'attributes', 'vault');
  if (vault === undefined) return false;
  const field = '/payment_source/paypal/attributes/vault';
  if (!['MERCHANT', 'PLATFORM'].includes(textAt(vault, 'usage_type') ?? ''))
    throw invalidRequest(`${field}/usage_type`, 'MISSING_REQUIRED_PARAMETER', 'A required field is missing.');
  const store = textAt(vault, 'store_in_vault');
  if (store !== null && store !== 'ON_SUCCESS')
    throw invalidRequest(`${field}/store_in_vault`, 'INVALID_PARAMETER_VALUE', 'The value of a field is invalid.');
  return store === 'ON_SUCCESS';
}

/** A token that PayPal has handed out is one of this account and of this source. Others are known by their form only. */
export function checkVaultId(input: Input, work: UnitOfWork): void {
  const [[source, method] = []] = Object.entries(Object(input.payment_source ?? {}));
  const kept = work.objects.find(textAt(method, 'vault_id'), isVaulted);
  const field = `/payment_source/${source}/vault_id`;
  if (kept && kept.account !== work.account)
    throw unprocessable('TOKEN_ID_NOT_FOUND', 'Specified token was not found.', field);
  if (kept && kept.notes.source !== source)
    throw unprocessable(
      'MISMATCHED_VAULT_ID_TO_PAYMENT_SOURCE',
      'The vault_id does not match the payment_source provided.',
      field,
    );
}

/** The payment source of an order that is paid: the account is kept, once. */
export function keptSource(work: UnitOfWork, order: StoredOrder): Pick<Order, 'payment_source'> | undefined {
  if (!order.notes.vault) return undefined;
  const customer = randomId(10);
  const { id } = work.objects.put({
    id: randomId(8),
    account: work.account,
    kind: 'vault',
    paymentId: order.paymentId,
    parent: null,
    due: null,
    body: { customer },
    notes: { source: 'paypal' },
  } satisfies Vaulted);
  const vault = { id, status: 'VAULTED', customer: { id: customer } };
  return { payment_source: { paypal: { email_address: 'kim@example.com', attributes: { vault } } } };
}
