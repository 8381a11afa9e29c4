import { GenerateMacCommand, type KMSClient } from '@aws-sdk/client-kms';
import { macSecrets } from '#shared/adapters/aws/mac-secrets.ts';
import type { MacKey } from '#shared/aws-env.ts';
import { allVersions, FIRST_HASH_VERSION, rotationOf } from '#shared/kernel/hash-versions.ts';
import type { MacSecretName, MacSecrets } from '#shared/ports/deps.ts';

/** Must never change: no stored idempotency key or user would be found any more. A new version has a text of its own. */
const textOf = (version: number): string =>
  version === FIRST_HASH_VERSION ? 'payfork/hash-secret' : `payfork/hash-secret/${version}`;

/**
 * A secret of hashes is the HMAC of a fixed text under a key in KMS: the same each time, and stored nowhere. KMS never
 * rotates HMAC keys. See ADR 7.
 */
export async function macSecretFrom(client: KMSClient, keyId: string, version = FIRST_HASH_VERSION): Promise<string> {
  const { Mac } = await client.send(
    new GenerateMacCommand({ KeyId: keyId, MacAlgorithm: 'HMAC_SHA_256', Message: Buffer.from(textOf(version)) }),
  );
  if (Mac?.length !== 32) throw new Error('KMS returned no secret for hashes.');
  return Buffer.from(Mac).toString('hex');
}

/** The secrets of these keys, in the versions that are in use. */
export async function macSecretsFrom(
  client: KMSClient,
  macKeys: Readonly<Partial<Record<MacSecretName, MacKey>>>,
): Promise<MacSecrets> {
  const found = await Promise.all(
    (Object.entries(macKeys) as [MacSecretName, MacKey][]).map(
      async ([name, key]) => [name, await secretsOf(client, key)] as const,
    ),
  );
  return macSecrets(
    Object.fromEntries(found.map(([name, { secret }]) => [name, secret])),
    Object.fromEntries(found.flatMap(([name, { rotation }]) => (rotation ? [[name, rotation]] : []))),
  );
}

async function secretsOf(client: KMSClient, { arn, versions }: MacKey) {
  const secrets = new Map(
    await Promise.all(
      allVersions(versions).map(async (version) => [version, await macSecretFrom(client, arn, version)] as const),
    ),
  );
  const secretOf = (version: number): string => secrets.get(version) ?? '';
  return { secret: secretOf(versions.current), rotation: rotationOf(versions, secretOf) };
}
