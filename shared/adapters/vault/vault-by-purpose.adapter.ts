import { type SealContext, type SealingKey, UnsealError, type VaultPort } from '#shared/ports/vault.port.ts';

const KEY_BY_PURPOSE: Readonly<Record<SealContext['purpose'], SealingKey>> = {
  credentials: 'psp',
  payment_method: 'psp',
  integration: 'integration',
  signing_secret: 'signing',
  answer: 'answer',
  totp_secret: 'totp',
};

/** The key that sealed this purpose before it had its own. What is stored for years must still be opened. */
const FORMER_KEY: Readonly<Partial<Record<SealContext['purpose'], SealingKey>>> = { totp_secret: 'signing' };

/** Each kind of secret has its own key, so that a function can be allowed to open one kind and not another. */
export const vaultByPurpose = (vaults: Readonly<Record<SealingKey, VaultPort>>): VaultPort => ({
  seal: (text, context) => vaults[KEY_BY_PURPOSE[context.purpose]].seal(text, context),
  open: async (sealed, context) => {
    const former = FORMER_KEY[context.purpose];
    try {
      return await vaults[KEY_BY_PURPOSE[context.purpose]].open(sealed, context);
    } catch (error) {
      if (!former || !(error instanceof UnsealError)) throw error;
      return vaults[former].open(sealed, context);
    }
  },
});
