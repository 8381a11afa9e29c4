import type { PaymentMethod, SavedToken } from '#shared/domain/payment-methods/payment-method.model.ts';
import type { PaymentDetails } from '#shared/domain/payments/payment-details.model.ts';
import {
  type BoundToken,
  type PaymentMethodInput,
  SAVED_METHOD_TYPE,
} from '#shared/domain/payments/payment-input.model.ts';
import { type FieldError, invalidFields } from '#shared/kernel/errors.ts';
import type { Deps } from '#shared/ports/deps.ts';
import { openTokens } from '#shared/services/payment-methods/method-tokens.service.ts';

type Input = PaymentDetails & { readonly method?: string; readonly customer_id?: string };

/** Who asks, and the connections that they have now. */
type Owner = { readonly orgId: string; readonly connections: readonly { readonly id: string }[] };

type Needs = Pick<Deps, 'paymentMethods' | 'vault'>;

/**
 * The input as if it held the method's tokens. They are read once: what is stored with the payment does not change with
 * the method.
 */
export async function readSavedMethod<T extends Input>(input: T, given: PaymentMethodInput, owner: Owner, deps: Needs) {
  const method = await findSavedMethod(input, given, owner.orgId, deps);
  const payment_method = await withTokens(method, given, owner, deps);
  const { id: payment_method_id, customer_id } = method;
  return { ...input, ...withChain(input, method), payment_method, payment_method_id, customer_id };
}

/** The saved method that a request names, or an error for the client. */
export async function findSavedMethod(
  input: Pick<Input, 'method' | 'customer_id'>,
  { id = '', type }: PaymentMethodInput,
  orgId: string,
  deps: Pick<Deps, 'paymentMethods'>,
): Promise<PaymentMethod> {
  const method = await (await deps.paymentMethods()).get(orgId, id);
  const refused = (message: string) => invalidFields([{ path: 'payment_method.id', message }]);
  if (!method) throw refused('There is no such payment method. It may have been deleted.');
  if (input.customer_id !== undefined && input.customer_id !== method.customer_id)
    throw refused('This payment method belongs to another customer.');
  const faults: FieldError[] = [
    ...(isOther(type, method) ? [{ path: 'payment_method.type', message: `Its type is ${method.type}.` }] : []),
    ...(isOther(input.method, method)
      ? [{ path: 'method', message: `Must be ${method.type}, as payment_method is.` }]
      : []),
  ];
  if (faults.length > 0) throw invalidFields(faults);
  return method;
}

const isOther = (type: string | undefined, method: PaymentMethod): boolean =>
  type !== undefined && type !== SAVED_METHOD_TYPE && type !== method.type;

/** For a charge without a client, who could be told that the method was deleted: it has no token then, so no route. */
export async function openSavedMethod(
  given: PaymentMethodInput,
  owner: Owner,
  deps: Needs,
): Promise<PaymentMethodInput & { readonly details?: PaymentDetails }> {
  const { id = '', ...rest } = given;
  const method = await (await deps.paymentMethods()).get(owner.orgId, id);
  if (!method) return { ...rest, tokens: {} };
  const { network_transaction_id } = method;
  return {
    ...(await withTokens(method, given, owner, deps)),
    ...(network_transaction_id !== null && { details: { mit: { reason: 'recurring', network_transaction_id } } }),
  };
}

/** Tokens beside the id are of the same card at other providers, and come first. */
async function withTokens(
  method: PaymentMethod,
  { return_url, tokens = {} }: PaymentMethodInput,
  { connections }: Owner,
  deps: Needs,
): Promise<PaymentMethodInput> {
  const used = usableTokens(await openTokens(method, deps), connections);
  return {
    type: method.type,
    tokens: { ...used.tokens, ...tokens },
    bound: used.bound.filter(({ provider }) => tokens[provider] === undefined),
    ...(return_url !== undefined && { return_url }),
  };
}

/**
 * A token that a PSP handed out is only known to the account of its connection. If that connection was deleted, another
 * one of its provider may be the same account.
 */
function usableTokens(all: readonly SavedToken[], connections: Owner['connections']) {
  const isThere = (id: string) => connections.some((connection) => connection.id === id);
  const bound = all.flatMap(({ connection_id, ...saved }): BoundToken[] =>
    connection_id !== undefined && isThere(connection_id) ? [{ ...saved, connection_id }] : [],
  );
  const free = all.filter(({ connection_id }) => connection_id === undefined || !isThere(connection_id));
  // The merchant's own token comes last, and so replaces one of a deleted connection.
  const ordered = free.toSorted(
    (a, b) => Number(a.connection_id === undefined) - Number(b.connection_id === undefined),
  );
  return { bound, tokens: Object.fromEntries(ordered.map(({ provider, token }) => [provider, token])) };
}

/** A payment that the merchant initiates refers to the one in which the customer agreed. */
function withChain({ mit }: Input, { network_transaction_id }: PaymentMethod): Pick<PaymentDetails, 'mit'> {
  if (!mit || mit.network_transaction_id !== undefined || network_transaction_id === null) return {};
  return { mit: { ...mit, network_transaction_id } };
}
