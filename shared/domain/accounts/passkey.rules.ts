import * as z from 'zod';
import { CHALLENGE_LIFETIME, type Passkey } from '#shared/domain/accounts/passkey.model.ts';
import type { User } from '#shared/domain/accounts/user.model.ts';
import type { Stage } from '#shared/domain/reference/stage.model.ts';

const TYPE = 'public-key' as const;

/** COSE ids of Ed25519, ECDSA over P-256 and RSA: every device supports one of them. */
export const ALGORITHMS = [-8, -7, -257] as const;

type IssuedChallenge = { readonly domain: string; readonly challenge: string };
type PasskeyUser = Pick<User, 'id' | 'email'>;

/** Options to create a passkey: discoverable, so that users type no name, and protected by finger, face or PIN. */
export const creationOptions = (
  { domain, challenge }: IssuedChallenge,
  user: PasskeyUser,
  existing: readonly Passkey[],
  stage: Stage,
) => ({
  rp: { id: domain, name: stage === 'live' ? 'Payfork' : `Payfork (${stage})` },
  user: { id: userHandle(user), name: user.email, displayName: user.email },
  challenge,
  pubKeyCredParams: ALGORITHMS.map((alg) => ({ type: TYPE, alg })),
  timeout: CHALLENGE_LIFETIME,
  excludeCredentials: existing.map(({ id, transports }) => ({ id, type: TYPE, transports })),
  authenticatorSelection: {
    residentKey: 'required' as const,
    requireResidentKey: true,
    userVerification: 'required' as const,
  },
  attestation: 'none' as const,
  extensions: { credProps: true },
});

/** Options to sign in. The device knows its passkeys, so none are listed. */
export const requestOptions = ({ domain, challenge }: IssuedChallenge) => ({
  rpId: domain,
  challenge,
  allowCredentials: [],
  timeout: CHALLENGE_LIFETIME,
  userVerification: 'required' as const,
});

/** Devices store it with the passkey and return it with each signature. */
export const userHandle = ({ id }: Pick<User, 'id'>): string => Buffer.from(id).toString('base64url');

/** The data that the browser adds and the device signs. Signing in inside a frame of another site is refused. */
const ClientData = z.object({ challenge: z.string(), origin: z.string(), crossOrigin: z.literal(false).optional() });

type ClientData = z.infer<typeof ClientData>;

export function parseClientData(base64url: string): ClientData | undefined {
  try {
    return ClientData.parse(JSON.parse(Buffer.from(base64url, 'base64url').toString()));
  } catch {
    return undefined;
  }
}
