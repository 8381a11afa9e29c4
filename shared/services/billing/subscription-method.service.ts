import type { Subscription } from '#shared/domain/billing/subscription.model.ts';
import type { PaymentDetails } from '#shared/domain/payments/payment-details.model.ts';
import type { PaymentMethodInput } from '#shared/domain/payments/payment-input.model.ts';
import { Secret } from '#shared/kernel/secret.ts';
import type { Deps } from '#shared/ports/deps.ts';
import type { SealContext } from '#shared/ports/vault.port.ts';

type SubscriptionRef = Pick<Subscription, 'id' | 'org_id'>;
type Needs = Pick<Deps, 'vault' | 'paymentMethods'>;
type Connections = readonly { readonly id: string }[];

const sealContext = ({ id, org_id }: SubscriptionRef): SealContext => ({
  orgId: org_id,
  purpose: 'payment_method',
  id,
});

/** Seals the whole input, `return_url` included. Null if there is only a type, which the subscription stores itself. */
export async function sealSubscriptionMethod(
  method: PaymentMethodInput | undefined,
  owner: SubscriptionRef,
  { vault }: Pick<Deps, 'vault'>,
): Promise<string | null> {
  if (!method || Object.keys(method).length === 1) return null;
  return vault.seal(new Secret(JSON.stringify(method)), sealContext(owner));
}

type Named = {
  readonly payment_method?: PaymentMethodInput;
  readonly method?: string;
  readonly customer_id?: string;
};

/** What a subscription stores of the method that a request names: of a saved one its id, and no token. */
export async function namedMethod(
  input: Named,
  orgId: string,
  deps: Pick<Deps, 'paymentMethods'>,
): Promise<{ readonly method: PaymentMethodInput | undefined } & Pick<Subscription, 'payment_method_id'>> {
  const { payment_method } = input;
  if (payment_method?.id === undefined) return { method: payment_method };
  const { findSavedMethod } = await import('#shared/services/payment-methods/use-saved-method.service.ts');
  const { id, type } = await findSavedMethod(input, payment_method, orgId, deps);
  return { method: { ...payment_method, type }, payment_method_id: id };
}

/** The payment method to charge. Of a saved one it has the tokens of now: so new ones apply, and a deleted one has none. */
export async function openSubscriptionMethod(
  subscription: Pick<Subscription, 'id' | 'org_id' | 'method' | 'sealed_method'>,
  deps: Needs,
  connections: Connections,
): Promise<PaymentMethodInput & { readonly details?: PaymentDetails }> {
  if (subscription.sealed_method === null) return { type: subscription.method };
  const text = await deps.vault.open(subscription.sealed_method, sealContext(subscription));
  const method = JSON.parse(text.reveal()) as PaymentMethodInput;
  if (method.id === undefined) return method;
  const { openSavedMethod } = await import('#shared/services/payment-methods/use-saved-method.service.ts');
  return openSavedMethod(method, { orgId: subscription.org_id, connections }, deps);
}
