import type { SealedPlace, VaultPort } from '#shared/ports/vault.port.ts';

/**
 * `psp`: what opens an organization's accounts at providers, and its customers' payment methods. `integration`: what
 * opens other servers, for workflows. `own`: secrets that we made ourselves.
 */
export type SealingKey = 'psp' | 'integration' | 'own';

const KEY_OF: Readonly<Record<SealedPlace['purpose'], SealingKey>> = {
  credentials: 'psp',
  payment_method: 'psp',
  integration: 'integration',
  signing_secret: 'own',
  answer: 'own',
  totp_secret: 'own',
};

/** Each kind of secret under a key of its own, so that a function may be allowed to open the one and not the other. */
export const vaultByPurpose = (vaults: Readonly<Record<SealingKey, VaultPort>>): VaultPort => ({
  seal: (text, place) => vaults[KEY_OF[place.purpose]].seal(text, place),
  open: (sealed, place) => vaults[KEY_OF[place.purpose]].open(sealed, place),
});
