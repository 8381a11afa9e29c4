import { KMSClient } from '@aws-sdk/client-kms';
import { RETRYING } from '#shared/adapters/aws/client-settings.ts';
import { macSecretsFrom } from '#shared/adapters/aws/kms-hash-secret.adapter.ts';
import { kmsKeyWrapper } from '#shared/adapters/aws/kms-key-wrapper.adapter.ts';
import { makeVault } from '#shared/adapters/vault/envelope-vault.adapter.ts';
import { vaultByPurpose } from '#shared/adapters/vault/vault-by-purpose.adapter.ts';
import type { AwsEnv } from '#shared/aws-env.ts';
import { type AwsBase, awsBase, awsTable } from '#shared/container/aws.container.ts';
import { type Built, build, type Parts } from '#shared/container/parts.ts';
import type { Start } from '#shared/container/stateless.container.ts';
import { KEY_OF_KIND, type SealedKind, type VaultPort } from '#shared/ports/vault.port.ts';

/** What functions have that open secrets or make hashes. */
export type KmsBase = AwsBase & { readonly vault: VaultPort };

type Common = Pick<KmsBase, 'clock' | 'log' | 'config' | 'vault'>;

/** The same as `awsContainer`, with KMS. */
export const kmsContainer = <P extends Parts<KmsBase>>(parts: P): Start<Common & Built<P>> =>
  startWithKms((base) => build(parts, base));

/** The secrets of hashes are fetched at the first invocation. */
export const startWithKms =
  <D>(make: (base: KmsBase) => D): Start<Common & D> =>
  (env, log) => {
    const kms = new KMSClient(RETRYING);
    const table = awsTable(env, log);
    const vault = kmsVault(kms, env);
    return async () => {
      const base = { ...awsBase(env, log, table, await macSecretsFrom(kms, env.macKeys)), vault };
      const { clock, config } = base;
      return { clock, log, config, vault, ...make(base) };
    };
  };

/** `keys`: the ARN or the alias of each. */
export function kmsVault(client: KMSClient, { keys }: Pick<AwsEnv, 'keys'>): VaultPort {
  const of = (kind: SealedKind) => makeVault(kmsKeyWrapper({ client, keyId: keys[KEY_OF_KIND[kind]], kind }));
  return vaultByPurpose({
    psp: of('psp'),
    integration: of('integration'),
    signing: of('signing'),
    answer: of('answer'),
    totp: of('totp'),
  });
}
