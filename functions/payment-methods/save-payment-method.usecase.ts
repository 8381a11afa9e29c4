import { findMethod, showWithCustomer } from '#functions/payment-methods/get-payment-methods.usecase.ts';
import type {
  CreatePaymentMethodBody,
  UpdatePaymentMethodBody,
} from '#functions/payment-methods/payment-methods.schema.ts';
import {
  type Customer,
  type PaymentMethod,
  type SavedToken,
  type ShownMethod,
  showMethod,
} from '#shared/domain/payment-methods/payment-method.model.ts';
import {
  assertNotErasing,
  assertRoomForMethod,
  METHODS_CONFLICT,
  type TokenChanges,
  withMethod,
  withTokenChanges,
} from '#shared/domain/payment-methods/payment-method.rules.ts';
import { AppError, invalidFields } from '#shared/kernel/errors.ts';
import { operationId } from '#shared/kernel/operation.ts';
import { retryOnConflict } from '#shared/kernel/retry-on-conflict.ts';
import type { Caller } from '#shared/ports/caller.ts';
import type { Deps } from '#shared/ports/deps.ts';
import type { PaymentMethodsPort } from '#shared/ports/payment-methods.port.ts';
import { openTokens, sealTokens } from '#shared/services/payment-methods/method-tokens.service.ts';

type Needs = Pick<Deps, 'paymentMethods' | 'vault' | 'psp' | 'clock' | 'config'>;

/** Method and customer are written together. A repeat of the operation finds the method there. */
export async function createPaymentMethod(
  input: CreatePaymentMethodBody,
  caller: Caller,
  deps: Needs,
): Promise<ShownMethod> {
  assertReusable(input.tokens, input.type, deps);
  const methods = await deps.paymentMethods();
  const method = await newMethod(input, caller, methods, deps);
  const { org_id, customer_id, id } = method;
  return retryOnConflict(async () => {
    const customer = await methods.customer(org_id, customer_id);
    if (customer.method_ids.includes(id)) return showMethod((await methods.get(org_id, id)) ?? method, customer);
    assertNotErasing(customer);
    assertRoomForMethod(customer);
    const after = withMethod(customer, id, input.default === true);
    return (await methods.commit({ before: customer, after }, [{ after: method }]))
      ? showMethod(method, after)
      : undefined;
  }, METHODS_CONFLICT);
}

async function newMethod(
  { customer_id, type, tokens, card, network_transaction_id }: CreatePaymentMethodBody,
  { orgId, operation }: Caller,
  methods: PaymentMethodsPort,
  deps: Needs,
): Promise<PaymentMethod> {
  const id = operationId(operation, 'paymentMethod');
  const created_at = operation.at.toISOString();
  return {
    id,
    org_id: orgId,
    mode: deps.config.stage,
    customer_id,
    type,
    card: card ?? null,
    network_transaction_id: network_transaction_id ?? null,
    ...(await sealTokens(withTokenChanges([], tokens), { id, org_id: orgId }, methods, deps)),
    created_at,
    updated_at: created_at,
    version: 1,
  };
}

/** A token made in a browser for a single charge would be gone with the first payment. */
function assertReusable(tokens: TokenChanges, type: string, { psp }: Pick<Deps, 'psp'>): void {
  const faults = Object.entries(tokens).flatMap(([provider, token]) => {
    if (token == null || psp.adapter(provider)?.isReusableToken(token, type)) return [];
    const message = `${provider} cannot charge this token as ${type} again later. Send the token of a saved method.`;
    return [{ path: `tokens.${provider}`, message }];
  });
  if (faults.length > 0) throw invalidFields(faults);
}

/** Payments that have begun keep the tokens that they have begun with. */
export async function updatePaymentMethod(
  { id, ...input }: { readonly id: string } & UpdatePaymentMethodBody,
  caller: Caller,
  deps: Needs,
): Promise<ShownMethod> {
  const found = await findMethod(id, caller, deps);
  assertReusable(input.tokens ?? {}, found.type, deps);
  const methods = await deps.paymentMethods();
  const changed = await changeMethod(found, input, methods, deps);
  if (input.default) await makeDefault(changed, methods);
  return showWithCustomer(changed, deps);
}

function changeMethod(
  found: PaymentMethod,
  { tokens, card, network_transaction_id }: UpdatePaymentMethodBody,
  methods: PaymentMethodsPort,
  deps: Needs,
): Promise<PaymentMethod> {
  if (!tokens && !card && network_transaction_id === undefined) return Promise.resolve(found);
  return retryOnConflict(async () => {
    const current = await methods.get(found.org_id, found.id);
    if (!current) throw new AppError('not_found', 'There is no such payment method.');
    const stored = tokens ? await changedTokens(current, tokens, methods, deps) : {};
    const updated_at = deps.clock.now().toISOString();
    const facts = {
      ...(card && { card: { ...current.card, ...card } }),
      ...(network_transaction_id !== undefined && { network_transaction_id }),
    };
    const after = { before: current, after: { ...current, ...stored, ...facts, updated_at } };
    const customer = await methods.customer(found.org_id, found.customer_id);
    return (await methods.commit({ before: customer, after: customer }, [after]))
      ? methods.get(found.org_id, found.id)
      : undefined;
  }, METHODS_CONFLICT);
}

async function changedTokens(method: PaymentMethod, changes: TokenChanges, methods: PaymentMethodsPort, deps: Needs) {
  const tokens: readonly SavedToken[] = withTokenChanges(await openTokens(method, deps), changes);
  if (tokens.length === 0)
    throw invalidFields([{ path: 'tokens', message: 'The last token cannot be removed. Delete the payment method.' }]);
  return sealTokens(tokens, method, methods, deps);
}

async function makeDefault({ id, org_id, customer_id }: PaymentMethod, methods: PaymentMethodsPort): Promise<Customer> {
  return retryOnConflict(async () => {
    const customer = await methods.customer(org_id, customer_id);
    if (customer.default_id === id) return customer;
    if (!customer.method_ids.includes(id)) throw new AppError('not_found', 'There is no such payment method.');
    const after = { ...customer, default_id: id };
    return (await methods.commit({ before: customer, after })) ? after : undefined;
  }, METHODS_CONFLICT);
}
