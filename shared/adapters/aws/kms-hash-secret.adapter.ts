import { GenerateMacCommand, type KMSClient } from '@aws-sdk/client-kms';

/** Must never change: no stored idempotency key or client secret would be found any more. */
const TEXT = 'payfork/hash-secret';

/**
 * The hash secret is the HMAC of a fixed text under a key in KMS: the same each time, and stored nowhere. KMS never
 * rotates HMAC keys, as this requires. See ADR 7.
 */
export async function hashSecretFrom(client: KMSClient, keyId: string): Promise<string> {
  const { Mac } = await client.send(
    new GenerateMacCommand({ KeyId: keyId, MacAlgorithm: 'HMAC_SHA_256', Message: Buffer.from(TEXT) }),
  );
  if (Mac?.length !== 32) throw new Error('KMS returned no hash secret.');
  return Buffer.from(Mac).toString('hex');
}
