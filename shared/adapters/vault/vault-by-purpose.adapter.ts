import type { SealContext, SealedKind, VaultPort } from '#shared/ports/vault.port.ts';

export const KIND_BY_PURPOSE: Readonly<Record<SealContext['purpose'], SealedKind>> = {
  credentials: 'psp',
  payment_method: 'psp',
  integration: 'integration',
  signing_secret: 'signing',
  answer: 'answer',
  totp_secret: 'totp',
};

/** Each kind of secret has data keys of its own, so that a function can be allowed to open one kind and not another. */
export const vaultByPurpose = (vaults: Readonly<Record<SealedKind, VaultPort>>): VaultPort => ({
  seal: (text, context) => vaults[KIND_BY_PURPOSE[context.purpose]].seal(text, context),
  open: (sealed, context) => vaults[KIND_BY_PURPOSE[context.purpose]].open(sealed, context),
});
