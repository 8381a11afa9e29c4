import { GenerateMacCommand, type KMSClient } from '@aws-sdk/client-kms';
import { macSecrets } from '#shared/adapters/aws/mac-secrets.ts';
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

/** The secrets of these keys. */
export async function macSecretsFrom(
  client: KMSClient,
  macKeys: Readonly<Partial<Record<MacSecretName, string>>>,
): Promise<MacSecrets> {
  const known = await Promise.all(
    Object.entries(macKeys).map(async ([name, keyId]) => [name, await macSecretFrom(client, keyId)]),
  );
  return macSecrets(Object.fromEntries(known));
}
