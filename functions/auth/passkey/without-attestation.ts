/**
 * The same new passkey, without a word of its device's make. We ask for none; what comes all the same is thrown away before
 * the library looks at it, which would fetch lists of revoked certificates from wherever the sender's certificates say.
 */
export async function withoutAttestation(attestationObject: string): Promise<string> {
  const { decodeAttestationObject, isoBase64URL, isoCBOR } = await import('@simplewebauthn/server/helpers');
  const authData: unknown = decodeAttestationObject(isoBase64URL.toBuffer(attestationObject)).get('authData');
  if (!(authData instanceof Uint8Array)) throw new TypeError('An attestation object without authenticator data.');
  const bare = new Map<string, string | Uint8Array | Map<string, string>>([
    ['fmt', 'none'],
    ['attStmt', new Map<string, string>()],
    ['authData', authData],
  ]);
  return isoBase64URL.fromBuffer(isoCBOR.encode(bare));
}
