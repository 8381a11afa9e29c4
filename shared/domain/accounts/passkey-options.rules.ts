import { CHALLENGE_LIFE, type Passkey } from '#shared/domain/accounts/passkey.model.ts';
import type { User } from '#shared/domain/accounts/user.model.ts';
import type { Stage } from '#shared/domain/reference/stage.model.ts';

const TYPE = 'public-key' as const;

/** Ed25519, ECDSA over P-256, RSA: every device supports one of these. */
export const ALGORITHMS = [-8, -7, -257] as const;

type Asked = { readonly domain: string; readonly challenge: string };
type Owner = Pick<User, 'id' | 'email'>;

/** Options to create a passkey: discoverable, so that no name is typed, and guarded by finger, face or PIN. */
export const creationOptions = (
  { domain, challenge }: Asked,
  user: Owner,
  known: readonly Passkey[],
  stage: Stage,
) => ({
  rp: { id: domain, name: stage === 'live' ? 'Payfork' : `Payfork (${stage})` },
  user: { id: userHandle(user), name: user.email, displayName: user.email },
  challenge,
  pubKeyCredParams: ALGORITHMS.map((alg) => ({ type: TYPE, alg })),
  timeout: CHALLENGE_LIFE,
  excludeCredentials: known.map(({ id, transports }) => ({ id, type: TYPE, transports })),
  authenticatorSelection: {
    residentKey: 'required' as const,
    requireResidentKey: true,
    userVerification: 'required' as const,
  },
  attestation: 'none' as const,
  extensions: { credProps: true },
});

/** Options to sign in: the device knows its passkeys for us, so none is listed. */
export const requestOptions = ({ domain, challenge }: Asked) => ({
  rpId: domain,
  challenge,
  allowCredentials: [],
  timeout: CHALLENGE_LIFE,
  userVerification: 'required' as const,
});

/** Devices store it with the passkey, and return it with each signature. */
export const userHandle = ({ id }: Pick<User, 'id'>): string => Buffer.from(id).toString('base64url');
