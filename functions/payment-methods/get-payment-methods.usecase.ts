import type { ListPaymentMethodsQuery } from '#functions/payment-methods/payment-methods.schema.ts';
import {
  type PaymentMethod,
  type ShownMethod,
  showMethod,
} from '#shared/domain/payment-methods/payment-method.model.ts';
import { METHODS_CONFLICT, withoutMethod } from '#shared/domain/payment-methods/payment-method.rules.ts';
import { creationPosition, pageOf } from '#shared/domain/reference/page.rules.ts';
import { AppError, orNotFound } from '#shared/kernel/errors.ts';
import { retryOnConflict } from '#shared/kernel/retry-on-conflict.ts';
import type { Caller } from '#shared/ports/caller.ts';
import type { Deps } from '#shared/ports/deps.ts';
import { openSubscriptionWith } from '#shared/services/payment-methods/method-in-use.service.ts';

type ById = { readonly id: string };
type Needs = Pick<Deps, 'paymentMethods'>;

export async function getPaymentMethod({ id }: ById, caller: Caller, deps: Needs): Promise<ShownMethod> {
  return showWithCustomer(await findMethod(id, caller, deps), deps);
}

export async function findMethod(id: string, { orgId }: Caller, deps: Needs): Promise<PaymentMethod> {
  const methods = await deps.paymentMethods();
  return orNotFound(await methods.get(orgId, id), 'There is no such payment method.');
}

/** The customer's item says whether the method is the default. */
export async function showWithCustomer(method: PaymentMethod, deps: Needs): Promise<ShownMethod> {
  const methods = await deps.paymentMethods();
  return showMethod(method, await methods.customer(method.org_id, method.customer_id));
}

/** Newest first. A customer has few, so all are read. */
export async function listPaymentMethods(query: ListPaymentMethodsQuery, { orgId }: Caller, deps: Needs) {
  const methods = await deps.paymentMethods();
  const customer = await methods.customer(orgId, query.customer_id);
  const all = await methods.many(orgId, customer.method_ids);
  const page = pageOf(all, query, creationPosition);
  return { ...page, items: page.items.map((method) => showMethod(method, customer)) };
}

/** A subscription that would be charged with it keeps it: its next renewal would fail. */
export async function deletePaymentMethod(
  { id }: ById,
  caller: Caller,
  deps: Needs & Pick<Deps, 'subscriptions'>,
): Promise<{ readonly id: string; readonly deleted: true }> {
  const method = await findMethod(id, caller, deps);
  await assertNotInUse(method, deps);
  const methods = await deps.paymentMethods();
  await retryOnConflict(async () => {
    const stored = await methods.get(caller.orgId, id);
    if (!stored) return true;
    const customer = await methods.customer(caller.orgId, stored.customer_id);
    const gone = { before: customer, after: withoutMethod(customer, id) };
    return (await methods.commit(gone, [{ before: stored }])) || undefined;
  }, METHODS_CONFLICT);
  return { id, deleted: true };
}

async function assertNotInUse(method: PaymentMethod, deps: Pick<Deps, 'subscriptions'>): Promise<void> {
  const subscription = await openSubscriptionWith(method, deps);
  if (!subscription) return;
  throw new AppError(
    'payment_method_in_use',
    `The subscription ${subscription.id} is charged with this payment method. Give it another one by ` +
      `PATCH /v1/subscriptions/${subscription.id}, or cancel it.`,
    { details: { subscription_id: subscription.id } },
  );
}
