import type { Subscription } from '#shared/domain/billing/subscription.model.ts';
import type { PaymentMethodInput } from '#shared/domain/payments/payment-input.model.ts';
import { Secret } from '#shared/kernel/secret.ts';
import type { Deps } from '#shared/ports/deps.ts';
import type { SealContext } from '#shared/ports/vault.port.ts';

type SubscriptionRef = Pick<Subscription, 'id' | 'org_id'>;
type Needs = Pick<Deps, 'vault'>;

const sealContext = ({ id, org_id }: SubscriptionRef): SealContext => ({
  orgId: org_id,
  purpose: 'payment_method',
  id,
});

/** Seals the whole input, `return_url` included. Null if there is only a type, which the subscription stores itself. */
export async function sealSubscriptionMethod(
  method: PaymentMethodInput | undefined,
  owner: SubscriptionRef,
  { vault }: Needs,
): Promise<string | null> {
  if (!method || Object.keys(method).length === 1) return null;
  return vault.seal(new Secret(JSON.stringify(method)), sealContext(owner));
}

/** The payment method to charge. */
export async function openSubscriptionMethod(
  subscription: Pick<Subscription, 'id' | 'org_id' | 'method' | 'sealed_method'>,
  { vault }: Needs,
): Promise<PaymentMethodInput> {
  if (subscription.sealed_method === null) return { type: subscription.method };
  const text = await vault.open(subscription.sealed_method, sealContext(subscription));
  return JSON.parse(text.reveal()) as PaymentMethodInput;
}
