import { isClosed } from '#shared/domain/billing/subscription.model.ts';
import type { Erasure } from '#shared/domain/payment-methods/erasure.model.ts';
import { MAX_CUSTOMER_ID } from '#shared/domain/payment-methods/payment-method.model.ts';
import { AppError } from '#shared/kernel/errors.ts';
import { operationId } from '#shared/kernel/operation.ts';
import type { Caller } from '#shared/ports/caller.ts';
import type { Deps } from '#shared/ports/deps.ts';
import { beginErasure } from '#shared/services/payment-methods/erase-customer.service.ts';
import { findSubscription } from '#shared/services/payment-methods/method-in-use.service.ts';

type ByCustomer = { readonly customer_id: string };
type Needs = Pick<Deps, 'erasures' | 'paymentMethods'>;

const unknownCustomer = (): AppError => new AppError('not_found', 'Nothing is kept of a customer with this reference.');

export async function getCustomer({ customer_id }: ByCustomer, { orgId }: Caller, deps: Needs) {
  if (customer_id.length > MAX_CUSTOMER_ID) throw unknownCustomer();
  const methods = await deps.paymentMethods();
  const [{ method_ids, default_id, erasure_id }, counts] = await Promise.all([
    methods.customer(orgId, customer_id),
    deps.erasures.counts(orgId, customer_id),
  ]);
  const erasure = erasure_id === undefined ? undefined : await deps.erasures.byId(erasure_id);
  const isKnown = method_ids.length > 0 || Object.values(counts).some((count) => count > 0);
  if (!isKnown && erasure_id === undefined) throw unknownCustomer();
  return {
    customer_id,
    payment_methods: method_ids.length,
    default_payment_method_id: default_id,
    ...counts,
    erasure: erasure ? { id: erasure.id, requested_at: erasure.requested_at } : null,
  };
}

/**
 * The methods are deleted at once. All else goes bit by bit: what is under way needs its data until it is over. The
 * erasure is stored before the customer is marked, so that it goes on by itself after a crash.
 */
export async function eraseCustomer(
  { customer_id }: ByCustomer,
  caller: Caller,
  deps: Needs & Pick<Deps, 'subscriptions'>,
) {
  await getCustomer({ customer_id }, caller, deps);
  await assertNoOpenSubscription(customer_id, caller, deps);
  const requested_at = caller.operation.at.toISOString();
  const id = operationId(caller.operation, 'erasure');
  const times = { requested_at, due_at: requested_at, idle: 0 };
  const erasure: Erasure = { id, org_id: caller.orgId, customer_id, ...times, version: 1 };
  const stored = await deps.erasures.create(erasure);
  if ((await beginErasure(stored, deps)) !== stored.id) await deps.erasures.end(stored);
  return getCustomer({ customer_id }, caller, deps);
}

async function assertNoOpenSubscription(
  customer_id: string,
  { orgId }: Caller,
  deps: Pick<Deps, 'subscriptions'>,
): Promise<void> {
  const open = await findSubscription({ org_id: orgId, customer_id }, (each) => !isClosed(each), deps);
  if (!open) return;
  throw new AppError(
    'customer_in_use',
    `The subscription ${open.id} of this customer is ${open.status}. Cancel it first: ` +
      `POST /v1/subscriptions/${open.id}/cancel.`,
    { details: { subscription_id: open.id } },
  );
}
