import { GenerateMacCommand, type KMSClient } from '@aws-sdk/client-kms';
import type { MacSecretName, MacSecrets } from '#shared/ports/deps.ts';

/** Must never change: no stored idempotency key or user would be found any more. */
const TEXT = 'payfork/hash-secret';

/**
 * A secret of hashes is the HMAC of a fixed text under a key in KMS: the same each time, and stored nowhere. KMS never
 * rotates HMAC keys, as this requires. See ADR 7.
 */
export async function macSecretFrom(client: KMSClient, keyId: string): Promise<string> {
  const { Mac } = await client.send(
    new GenerateMacCommand({ KeyId: keyId, MacAlgorithm: 'HMAC_SHA_256', Message: Buffer.from(TEXT) }),
  );
  if (Mac?.length !== 32) throw new Error('KMS returned no secret for hashes.');
  return Buffer.from(Mac).toString('hex');
}

/** The secrets of these keys. Reading any other one throws: a hash with a wrong secret would find nothing. */
export async function macSecretsFrom(
  client: KMSClient,
  macKeys: Readonly<Partial<Record<MacSecretName, string>>>,
): Promise<MacSecrets> {
  const names: readonly MacSecretName[] = ['hashSecret', 'tokenSecret', 'recoverySecret'];
  const secrets = await Promise.all(
    names.map(async (name) => {
      const keyId = macKeys[name];
      return keyId === undefined ? undefined : macSecretFrom(client, keyId);
    }),
  );
  const read = (name: MacSecretName): string => {
    const secret = secrets[names.indexOf(name)];
    if (secret === undefined)
      throw new Error(`This function has no ${name}. Add it to its line in the function table.`);
    return secret;
  };
  return {
    get hashSecret() {
      return read('hashSecret');
    },
    get tokenSecret() {
      return read('tokenSecret');
    },
    get recoverySecret() {
      return read('recoverySecret');
    },
  };
}
