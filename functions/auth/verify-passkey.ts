import { CHALLENGE_LENGTH, type Passkey } from '#shared/domain/accounts/passkey.model.ts';
import { ALGORITHMS, parseClientData } from '#shared/domain/accounts/passkey.rules.ts';
import { isAllowedOrigin } from '#shared/domain/reference/allowed-origin.rules.ts';
import { AppError } from '#shared/kernel/errors.ts';
import { randomText } from '#shared/kernel/ids.ts';
import type { Deps } from '#shared/ports/deps.ts';

type Credential = { readonly id: string; readonly rawId: string; readonly type: 'public-key' };
export type Registration = Credential & {
  readonly response: { readonly clientDataJSON: string; readonly attestationObject: string };
};
export type Authentication = Credential & {
  readonly response: {
    readonly clientDataJSON: string;
    readonly authenticatorData: string;
    readonly signature: string;
  };
};

/** A challenge that we issued, with the origin and domain that a signature must name. */
export type Ceremony = { readonly challenge: string; readonly origin: string; readonly domain: string };

/** Loaded lazily: it bundles all certificate handling, which sign-ins by email should not wait for. */
const library = () => import('@simplewebauthn/server');

/** The parts of a new passkey that are stored. */
export async function verifyRegistration(
  { id, rawId, type, response }: Registration,
  ceremony: Ceremony,
): Promise<Pick<Passkey, 'id' | 'public_key' | 'counter'>> {
  const { verifyRegistrationResponse } = await library();
  const { clientDataJSON } = response;
  const attestationObject = await orInvalidPasskey(stripAttestation(response.attestationObject));
  const { verified, registrationInfo } = await orInvalidPasskey(
    verifyRegistrationResponse({
      response: { id, rawId, type, response: { clientDataJSON, attestationObject }, clientExtensionResults: {} },
      ...expected(ceremony),
      supportedAlgorithmIDs: [...ALGORITHMS],
    }),
  );
  if (!verified) throw invalidPasskey();
  const { id: credentialId, publicKey, counter } = registrationInfo.credential;
  return { id: credentialId, public_key: Buffer.from(publicKey).toString('base64url'), counter };
}

/** Verifies that this passkey has signed, and returns the signature's counter. */
export async function verifySignature(
  { id, rawId, type, response }: Authentication,
  passkey: Passkey,
  ceremony: Ceremony,
): Promise<number> {
  const { verifyAuthenticationResponse } = await library();
  const { clientDataJSON, authenticatorData, signature } = response;
  const { verified, authenticationInfo } = await orInvalidPasskey(
    verifyAuthenticationResponse({
      response: {
        id,
        rawId,
        type,
        response: { clientDataJSON, authenticatorData, signature },
        clientExtensionResults: {},
      },
      ...expected(ceremony),
      credential: {
        id: passkey.id,
        publicKey: new Uint8Array(Buffer.from(passkey.public_key, 'base64url')),
        counter: passkey.counter,
      },
    }),
  );
  if (!verified) throw invalidPasskey();
  return authenticationInfo.newCounter;
}

/** The device must verify the user (PIN, finger, face), not only a presence. That makes a passkey two factors. */
const expected = ({ challenge, origin, domain }: Ceremony) => ({
  expectedChallenge: challenge,
  expectedOrigin: origin,
  expectedRPID: domain,
  requireUserVerification: true,
});

const orInvalidPasskey = <T>(check: Promise<T>): Promise<T> =>
  check.catch((cause: unknown) => {
    throw invalidPasskey(cause);
  });

/** One error for every fault: details would reveal which passkeys exist. */
export const invalidPasskey = (cause?: unknown): AppError =>
  new AppError('invalid_passkey', 'This passkey could not be verified. Start again.', { cause });

/**
 * Removes the attestation from a new passkey. We request none. If one is sent anyway, the library must not see it: it
 * would fetch certificate revocation lists from URLs that the sender chose.
 */
async function stripAttestation(attestationObject: string): Promise<string> {
  const { decodeAttestationObject, isoBase64URL, isoCBOR } = await import('@simplewebauthn/server/helpers');
  const authData: unknown = decodeAttestationObject(isoBase64URL.toBuffer(attestationObject)).get('authData');
  if (!(authData instanceof Uint8Array)) throw new TypeError('The attestation object has no authenticator data.');
  const bare = new Map<string, string | Uint8Array | Map<string, string>>([
    ['fmt', 'none'],
    ['attStmt', new Map<string, string>()],
    ['authData', authData],
  ]);
  return isoBase64URL.fromBuffer(isoCBOR.encode(bare));
}

type ChallengeDeps = Pick<Deps, 'passkeys' | 'config' | 'clock'>;

/** Issues a challenge: for a user's new passkey, or for a sign-in. */
export async function issueChallenge(
  userId: string | null,
  { passkeys, config, clock }: ChallengeDeps,
): Promise<Pick<Ceremony, 'challenge' | 'domain'>> {
  const challenge = randomText(CHALLENGE_LENGTH);
  await passkeys.saveChallenge({ text: challenge, user_id: userId }, clock.now());
  return { challenge, domain: config.passkeyDomain };
}

/** Uses up the challenge of this response, whether the response turns out valid or not. */
export async function consumeChallenge(
  clientDataJSON: string,
  userId: string | null,
  { passkeys, config, clock }: ChallengeDeps,
): Promise<Ceremony> {
  const data = parseClientData(clientDataJSON);
  if (!data || !isAllowedOrigin(data.origin, config.origins)) throw invalidPasskey();
  const { challenge, origin } = data;
  if (!(await passkeys.consumeChallenge({ text: challenge, user_id: userId }, clock.now()))) throw invalidPasskey();
  return { challenge, origin, domain: config.passkeyDomain };
}
