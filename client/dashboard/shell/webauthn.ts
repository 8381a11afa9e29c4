import type {
  PasskeyAuthentication,
  PasskeyCreationOptions,
  PasskeyRegistration,
  PasskeyRequestOptions,
} from '#client/typescript/src/index.ts';

/** Whether this browser has passkeys. It hides them on pages that came over plain http, except from localhost. */
export const hasPasskeys = (): boolean => window.PublicKeyCredential !== undefined;

/** The device or the person has declined. It has the shape of the API's errors: nothing was sent, so all is known. */
class PasskeyDeclined extends Error {
  readonly status = 400;
  readonly code = 'passkey_declined';
}

/** Runs a ceremony of the browser. `declined`: what to say if nothing comes of it. */
async function ceremony(begin: () => Promise<Credential | null>, declined: string): Promise<PublicKeyCredential> {
  const found = await begin().catch((cause: unknown) => {
    throw new PasskeyDeclined(declined, { cause });
  });
  if (!(found instanceof PublicKeyCredential)) throw new PasskeyDeclined(declined);
  return found;
}

/** Creates a passkey on the person's device. */
export async function createPasskey(
  options: PasskeyCreationOptions,
  name: string,
  declined: string,
): Promise<PasskeyRegistration> {
  const { user, challenge, excludeCredentials, pubKeyCredParams, ...rest } = options;
  const publicKey: PublicKeyCredentialCreationOptions = {
    ...rest,
    pubKeyCredParams: [...pubKeyCredParams],
    challenge: bytesOf(challenge),
    user: { ...user, id: bytesOf(user.id) },
    excludeCredentials: excludeCredentials.map(({ id, type }) => ({ id: bytesOf(id), type })),
  };
  const made = await ceremony(() => navigator.credentials.create({ publicKey }), declined);
  const { response } = made;
  if (!(response instanceof AuthenticatorAttestationResponse)) throw new PasskeyDeclined(declined);
  return {
    ...common(made),
    response: {
      clientDataJSON: textOf(response.clientDataJSON),
      attestationObject: textOf(response.attestationObject),
      transports: response.getTransports(),
    },
    ...(name !== '' && { name }),
  };
}

/** Signs the API's challenge with a passkey. */
export async function signWithPasskey(
  { challenge, ...rest }: PasskeyRequestOptions,
  declined: string,
): Promise<PasskeyAuthentication> {
  const publicKey = { ...rest, challenge: bytesOf(challenge), allowCredentials: [] };
  const found = await ceremony(() => navigator.credentials.get({ publicKey }), declined);
  if (!(found.response instanceof AuthenticatorAssertionResponse)) throw new PasskeyDeclined(declined);
  const { clientDataJSON, authenticatorData, signature, userHandle } = found.response;
  return {
    ...common(found),
    response: {
      clientDataJSON: textOf(clientDataJSON),
      authenticatorData: textOf(authenticatorData),
      signature: textOf(signature),
      userHandle: userHandle && textOf(userHandle),
    },
  };
}

const common = ({ rawId, authenticatorAttachment }: PublicKeyCredential) =>
  ({ id: textOf(rawId), rawId: textOf(rawId), type: 'public-key', authenticatorAttachment }) as const;

/** The API writes bytes as base64url. */
const bytesOf = (text: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (character) => character.charCodeAt(0));

const textOf = (bytes: ArrayBuffer): string =>
  btoa(String.fromCharCode(...new Uint8Array(bytes)))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace(/=+$/, '');
