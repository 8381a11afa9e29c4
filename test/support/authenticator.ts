import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';
import { bytes, int, map, text } from '#test/support/cbor.ts';
import type { Body } from '#test/support/host.ts';
import { DASHBOARD } from '#test/support/people.ts';

/** What is wrong with a response. Without a field, the response is as a browser and a device give it. */
export type Tampering = {
  readonly challenge?: string;
  readonly origin?: string;
  readonly domain?: string;
  readonly type?: string;
  readonly crossOrigin?: boolean;
  /** The device did not verify the user, only a presence. */
  readonly unverified?: boolean;
  readonly counter?: number;
  readonly signature?: Buffer;
  readonly userHandle?: string;
  /** An attestation that was not requested. */
  readonly attestation?: (made: NewKey) => Attestation;
};

export type NewKey = { readonly publicKey: KeyObject; readonly clientDataHash: Buffer };
/** The statement is a CBOR map. */
export type Attestation = { readonly format: string; readonly statement: Buffer };

const NO_ATTESTATION: Attestation = { format: 'none', statement: map() };

/** A browser and a device in one, with one passkey: P-256, attestation `none` by default. */
export class Authenticator {
  readonly #pair = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  readonly #id = randomBytes(32);
  #userHandle = '';
  counter = 0;

  get id(): string {
    return this.#id.toString('base64url');
  }

  /** `navigator.credentials.create()`, as its `toJSON()`. */
  create(options: Body, tampering: Tampering = {}): Body {
    this.#userHandle = options.user.id;
    const clientDataJSON = clientData('webauthn.create', options.challenge, tampering);
    const attested = Buffer.concat([Buffer.alloc(16), uint16(this.#id.length), this.#id, this.#publicKey()]);
    const authData = Buffer.concat([this.#authenticatorData(options.rp.id, ATTESTED, tampering), attested]);
    const made = { publicKey: this.#pair.publicKey, clientDataHash: sha256(clientDataJSON) };
    const { format, statement } = tampering.attestation?.(made) ?? NO_ATTESTATION;
    const attestationObject = map(
      [text('fmt'), text(format)],
      [text('attStmt'), statement],
      [text('authData'), bytes(authData)],
    );
    return this.#credential({
      clientDataJSON: clientDataJSON.toString('base64url'),
      attestationObject: attestationObject.toString('base64url'),
      transports: ['internal'],
      publicKeyAlgorithm: -7,
    });
  }

  /** `navigator.credentials.get()`, as its `toJSON()`. */
  get(options: Body, tampering: Tampering = {}): Body {
    this.counter += 1;
    const clientDataJSON = clientData('webauthn.get', options.challenge, tampering);
    const authenticatorData = this.#authenticatorData(options.rpId, 0, tampering);
    const signature =
      tampering.signature ??
      sign('sha256', Buffer.concat([authenticatorData, sha256(clientDataJSON)]), this.#pair.privateKey);
    return this.#credential({
      clientDataJSON: clientDataJSON.toString('base64url'),
      authenticatorData: authenticatorData.toString('base64url'),
      signature: signature.toString('base64url'),
      userHandle: tampering.userHandle ?? this.#userHandle,
    });
  }

  #credential(response: Body): Body {
    return {
      id: this.id,
      rawId: this.id,
      type: 'public-key',
      authenticatorAttachment: 'platform',
      clientExtensionResults: { credProps: { rk: true } },
      response,
    };
  }

  #authenticatorData(
    asked: string,
    more: number,
    { domain = asked, unverified, counter = this.counter }: Tampering,
  ): Buffer {
    const flags = PRESENT | (unverified ? 0 : VERIFIED) | more;
    return Buffer.concat([sha256(domain), Buffer.from([flags]), uint32(counter)]);
  }

  /** COSE: 1 is the kind (2, two coordinates), 3 the algorithm (-7), -1 the curve (1, P-256), -2 and -3 the point. */
  #publicKey(): Buffer {
    const { x = '', y = '' } = this.#pair.publicKey.export({ format: 'jwk' });
    const point = [x, y].map((coordinate) => bytes(Buffer.from(coordinate, 'base64url')));
    return map([int(1), int(2)], [int(3), int(-7)], [int(-1), int(1)], [int(-2), point[0]!], [int(-3), point[1]!]);
  }
}

const [PRESENT, VERIFIED, ATTESTED] = [0x01, 0x04, 0x40];

const clientData = (
  usual: string,
  asked: string,
  { challenge = asked, origin = DASHBOARD, type = usual, crossOrigin = false }: Tampering,
): Buffer => Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin }));

const sha256 = (data: string | Buffer): Buffer => createHash('sha256').update(data).digest();

function uint16(n: number): Buffer {
  const buffer = Buffer.alloc(2);
  buffer.writeUInt16BE(n);
  return buffer;
}

function uint32(n: number): Buffer {
  const buffer = Buffer.alloc(4);
  buffer.writeUInt32BE(n);
  return buffer;
}
