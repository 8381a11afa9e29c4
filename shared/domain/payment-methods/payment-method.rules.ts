import {
  type Customer,
  MAX_METHODS_OF_CUSTOMER,
  MAX_TOKEN_SET_BYTES,
  type SavedToken,
} from '#shared/domain/payment-methods/payment-method.model.ts';
import type { PaymentToken } from '#shared/domain/payments/payment-input.model.ts';
import type { Provider } from '#shared/domain/routing/connection.model.ts';
import { AppError } from '#shared/kernel/errors.ts';
import { derivedId, idTime } from '#shared/kernel/ids.ts';

/** The first one is the default, so that a customer with methods always has exactly one. */
export function withMethod(customer: Customer, id: string, isDefault: boolean): Customer {
  const { method_ids, default_id } = customer;
  return { ...customer, method_ids: [...method_ids, id], default_id: isDefault ? id : (default_id ?? id) };
}

/** The newest of the others becomes the default. */
export function withoutMethod(customer: Customer, id: string): Customer {
  const method_ids = customer.method_ids.filter((each) => each !== id);
  const default_id = customer.default_id === id ? (method_ids.at(-1) ?? null) : customer.default_id;
  return { ...customer, method_ids, default_id };
}

export const hasRoomForMethod = ({ method_ids }: Customer): boolean => method_ids.length < MAX_METHODS_OF_CUSTOMER;

export function assertRoomForMethod(customer: Customer): void {
  if (hasRoomForMethod(customer)) return;
  throw new AppError(
    'payment_method_limit',
    `A customer may have up to ${MAX_METHODS_OF_CUSTOMER} payment methods. Delete one that is no longer used.`,
  );
}

export function assertNotErasing({ erasure_id }: Customer): void {
  if (erasure_id === undefined) return;
  throw new AppError(
    'customer_being_erased',
    'This customer is being erased. When that is done, GET /v1/customers/{customer_id} shows no erasure any more.',
  );
}

export function assertTokenSetFits(tokens: readonly SavedToken[]): void {
  if (Buffer.byteLength(JSON.stringify(tokens)) <= MAX_TOKEN_SET_BYTES) return;
  throw new AppError('invalid_request', `All tokens together may have up to ${MAX_TOKEN_SET_BYTES} bytes of JSON.`);
}

/** A further token. It replaces the one that the same account, or the merchant for the same provider, gave before. */
export const withToken = (tokens: readonly SavedToken[], added: SavedToken): readonly SavedToken[] => [
  ...tokens.filter(
    ({ provider, connection_id }) => provider !== added.provider || connection_id !== added.connection_id,
  ),
  added,
];

export type TokenChanges = Readonly<Partial<Record<Provider, PaymentToken | null>>>;

/** A merchant's token replaces all of its provider; `null` removes them. */
export function withTokenChanges(tokens: readonly SavedToken[], changes: TokenChanges): readonly SavedToken[] {
  const entries = Object.entries(changes) as [Provider, PaymentToken | null | undefined][];
  const changed = entries.filter(([, token]) => token !== undefined);
  const names = new Set(changed.map(([provider]) => provider));
  const given = changed.flatMap(([provider, token]) => (token == null ? [] : [{ provider, token }]));
  return [...tokens.filter(({ provider }) => !names.has(provider)), ...given];
}

export const providersOf = (tokens: readonly SavedToken[]): readonly Provider[] =>
  [...new Set(tokens.map(({ provider }) => provider))].sort();

/** Of a write that other requests have beaten too often. */
export const METHODS_CONFLICT = 'Others keep changing the payment methods of this customer. Try again.';

/** What the payment that asked to keep its method makes: the same again after a crash. */
export const savedMethodId = (paymentId: string): string =>
  derivedId('paymentMethod', idTime(paymentId), 'saved', paymentId);
