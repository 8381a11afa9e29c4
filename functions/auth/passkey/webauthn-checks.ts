import { withoutAttestation } from '#functions/auth/passkey/without-attestation.ts';
import type { Passkey } from '#shared/domain/accounts/passkey.model.ts';
import { ALGORITHMS } from '#shared/domain/accounts/passkey-options.rules.ts';
import { AppError } from '#shared/kernel/errors.ts';

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

/** The challenge that we issued, and for which origin and domain. */
export type Ceremony = { readonly challenge: string; readonly origin: string; readonly domain: string };

/** Loaded lazily, as it bundles all certificate handling: mail sign-ins don't wait for it. */
const library = () => import('@simplewebauthn/server');

/** What is stored of a new passkey. */
export async function newCredential(
  { id, rawId, type, response }: Registration,
  asked: Ceremony,
): Promise<Pick<Passkey, 'id' | 'public_key' | 'counter'>> {
  const { verifyRegistrationResponse } = await library();
  const { clientDataJSON } = response;
  const attestationObject = await refusing(withoutAttestation(response.attestationObject));
  const { verified, registrationInfo } = await refusing(
    verifyRegistrationResponse({
      response: { id, rawId, type, response: { clientDataJSON, attestationObject }, clientExtensionResults: {} },
      ...expected(asked),
      supportedAlgorithmIDs: [...ALGORITHMS],
    }),
  );
  if (!verified) throw invalidPasskey();
  const { id: own, publicKey, counter } = registrationInfo.credential;
  return { id: own, public_key: Buffer.from(publicKey).toString('base64url'), counter };
}

/** The counter of a signature that this passkey has made. */
export async function signedCounter(
  { id, rawId, type, response }: Authentication,
  passkey: Passkey,
  asked: Ceremony,
): Promise<number> {
  const { verifyAuthenticationResponse } = await library();
  const { clientDataJSON, authenticatorData, signature } = response;
  const { verified, authenticationInfo } = await refusing(
    verifyAuthenticationResponse({
      response: {
        id,
        rawId,
        type,
        response: { clientDataJSON, authenticatorData, signature },
        clientExtensionResults: {},
      },
      ...expected(asked),
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

/** The device has verified the user (PIN, finger, face) and not only someone's presence: that makes it both factors. */
const expected = ({ challenge, origin, domain }: Ceremony) => ({
  expectedChallenge: challenge,
  expectedOrigin: origin,
  expectedRPID: domain,
  requireUserVerification: true,
});

const refusing = <T>(check: Promise<T>): Promise<T> =>
  check.catch((cause: unknown) => {
    throw invalidPasskey(cause);
  });

/** One refusal for every fault: details would tell strangers which passkeys exist. */
export const invalidPasskey = (cause?: unknown): AppError =>
  new AppError('invalid_passkey', 'This passkey was not taken. Begin again.', { cause });
