import { DecryptCommand, GenerateDataKeyCommand, type KMSClient } from '@aws-sdk/client-kms';
import { fromBase64Url } from '#shared/adapters/vault/envelope.rules.ts';
import { type KeyWrapper, VaultRefused } from '#shared/ports/vault.port.ts';

/**
 * What KMS says of a wrapped key that never opens. All else (throttled, disabled, denied) passes, and says nothing of
 * the key.
 */
const REFUSALS = new Set(['InvalidCiphertextException', 'IncorrectKeyException']);
/** The longest KMS looks at; it calls a longer one a malformed request. */
const MOST_BYTES = 6_144;

/**
 * Data keys under a key that never leaves KMS. The organization is the encryption context: it must be the same to
 * unwrap, and stands in CloudTrail.
 */
export function kmsKeyWrapper({ client, keyId }: { readonly client: KMSClient; readonly keyId: string }): KeyWrapper {
  const contextOf = (orgId: string) => ({ EncryptionContext: { org_id: orgId } });
  return {
    async generate(orgId) {
      const { Plaintext, CiphertextBlob } = await client.send(
        new GenerateDataKeyCommand({ KeyId: keyId, KeySpec: 'AES_256', ...contextOf(orgId) }),
      );
      return { plain: bytesOf(Plaintext), wrapped: bytesOf(CiphertextBlob).toString('base64url') };
    },
    async unwrap(wrapped, orgId) {
      const blob = fromBase64Url(wrapped);
      if (!blob || blob.length === 0 || blob.length > MOST_BYTES)
        throw new VaultRefused('This is not a wrapped data key.');
      try {
        // With the key's name, so that KMS opens what is wrapped under our key and no other; its older generations are
        // the same key.
        const { Plaintext } = await client.send(
          new DecryptCommand({ KeyId: keyId, CiphertextBlob: blob, ...contextOf(orgId) }),
        );
        return bytesOf(Plaintext);
      } catch (error) {
        if (!(error instanceof Error) || !REFUSALS.has(error.name)) throw error;
        throw new VaultRefused('The data key was changed, is of another organization, or was made under another key.', {
          cause: error,
        });
      }
    },
  };
}

function bytesOf(given: Uint8Array | undefined): Buffer {
  if (!given || given.length === 0) throw new Error('KMS answered without a key.');
  return Buffer.from(given.buffer, given.byteOffset, given.length);
}
