import { DecryptCommand, GenerateDataKeyCommand, type KMSClient } from '@aws-sdk/client-kms';
import { fromBase64Url } from '#shared/adapters/vault/envelope.rules.ts';
import { type KeyWrapper, type SealedKind, UnsealError } from '#shared/ports/vault.port.ts';

/**
 * Errors of KMS for a wrapped key that can never be unwrapped. Other errors (throttled, disabled, denied) pass through,
 * and say nothing about the key.
 */
const INVALID_KEY = new Set(['InvalidCiphertextException', 'IncorrectKeyException']);
/** KMS calls a longer text a malformed request. */
const MAX_BYTES = 6_144;

export type KmsKey = { readonly client: KMSClient; readonly keyId: string; readonly kind: SealedKind };

/**
 * Data keys under a key that never leaves KMS. The organization and the kind of secret are the encryption context:
 * unwrapping requires the same ones, and CloudTrail shows them.
 */
export function kmsKeyWrapper({ client, keyId, kind }: KmsKey): KeyWrapper {
  const contextOf = (orgId: string) => ({ EncryptionContext: { org_id: orgId, kind } });
  return {
    async generate(orgId) {
      const { Plaintext, CiphertextBlob } = await client.send(
        new GenerateDataKeyCommand({ KeyId: keyId, KeySpec: 'AES_256', ...contextOf(orgId) }),
      );
      return { plain: bytesOf(Plaintext), wrapped: bytesOf(CiphertextBlob).toString('base64url') };
    },
    async unwrap(wrapped, orgId) {
      const blob = fromBase64Url(wrapped);
      if (!blob || blob.length === 0 || blob.length > MAX_BYTES)
        throw new UnsealError('This is not a wrapped data key.');
      try {
        // The key is named, so that KMS unwraps nothing that was wrapped under another key. Rotation keeps its name.
        const { Plaintext } = await client.send(
          new DecryptCommand({ KeyId: keyId, CiphertextBlob: blob, ...contextOf(orgId) }),
        );
        return bytesOf(Plaintext);
      } catch (error) {
        if (!(error instanceof Error) || !INVALID_KEY.has(error.name)) throw error;
        throw new UnsealError('The data key was changed, or belongs to another organization, kind or key.', {
          cause: error,
        });
      }
    },
  };
}

function bytesOf(bytes: Uint8Array | undefined): Buffer {
  if (!bytes || bytes.length === 0) throw new Error('KMS returned no key.');
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
}
