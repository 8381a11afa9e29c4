import type { PaymentMethod, SavedToken } from '#shared/domain/payment-methods/payment-method.model.ts';
import { assertTokenSetFits, providersOf } from '#shared/domain/payment-methods/payment-method.rules.ts';
import { Secret } from '#shared/kernel/secret.ts';
import type { Deps } from '#shared/ports/deps.ts';
import type { PaymentMethodsPort } from '#shared/ports/payment-methods.port.ts';
import type { SealContext } from '#shared/ports/vault.port.ts';

type Owner = Pick<PaymentMethod, 'id' | 'org_id'>;

const sealContext = ({ id, org_id }: Owner): SealContext => ({ orgId: org_id, purpose: 'payment_method', id });

/** What a method stores of its tokens. */
type StoredTokens = Pick<PaymentMethod, 'sealed_tokens' | 'token_marks' | 'providers'>;

export async function sealTokens(
  tokens: readonly SavedToken[],
  owner: Owner,
  methods: Pick<PaymentMethodsPort, 'markOf'>,
  { vault }: Pick<Deps, 'vault'>,
): Promise<StoredTokens> {
  assertTokenSetFits(tokens);
  return {
    sealed_tokens: await vault.seal(new Secret(JSON.stringify(tokens)), sealContext(owner)),
    token_marks: tokens.map(({ provider, token }) => methods.markOf(owner.org_id, provider, token)),
    providers: providersOf(tokens),
  };
}

export async function openTokens(
  method: Owner & Pick<PaymentMethod, 'sealed_tokens'>,
  { vault }: Pick<Deps, 'vault'>,
): Promise<readonly SavedToken[]> {
  const text = await vault.open(method.sealed_tokens, sealContext(method));
  return JSON.parse(text.reveal()) as readonly SavedToken[];
}
