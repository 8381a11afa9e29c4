import type { SealContext, VaultPort } from '#shared/ports/vault.port.ts';

/**
 * `psp`: PSP credentials and customers' payment methods. `integration`: credentials of other servers, for workflows.
 * `own`: secrets that Payfork generates.
 */
export type SealingKey = 'psp' | 'integration' | 'own';

const KEY_BY_PURPOSE: Readonly<Record<SealContext['purpose'], SealingKey>> = {
  credentials: 'psp',
  payment_method: 'psp',
  integration: 'integration',
  signing_secret: 'own',
  answer: 'own',
  totp_secret: 'own',
};

/** Each kind of secret has its own key, so that a function can be allowed to open one kind and not another. */
export const vaultByPurpose = (vaults: Readonly<Record<SealingKey, VaultPort>>): VaultPort => ({
  seal: (text, context) => vaults[KEY_BY_PURPOSE[context.purpose]].seal(text, context),
  open: (sealed, context) => vaults[KEY_BY_PURPOSE[context.purpose]].open(sealed, context),
});
