import { GenerateMacCommand, type KMSClient } from '@aws-sdk/client-kms';

/** Never changes: another text is another secret, and no idempotency key or client secret would be found any more. */
const TEXT = 'payfork/hash-secret';

/**
 * The hash secret is what an HMAC key in KMS says of a fixed text: the same each time, and kept nowhere. An HMAC key is
 * never rotated, which is as it must be. See ADR 7.
 */
export async function hashSecretFrom(client: KMSClient, keyId: string): Promise<string> {
  const { Mac } = await client.send(
    new GenerateMacCommand({ KeyId: keyId, MacAlgorithm: 'HMAC_SHA_256', Message: Buffer.from(TEXT) }),
  );
  if (Mac?.length !== 32) throw new Error('KMS answered without a hash secret.');
  return Buffer.from(Mac).toString('hex');
}
