import { generateKeyPairSync, randomBytes } from 'node:crypto';
import type { Attestation, NewKey } from '#test/support/authenticator.ts';
import { array, bytes, int, map, text } from '#test/support/cbor.ts';
import {
  AUTHORITY,
  certificate,
  type Extension,
  enumerated,
  integer,
  octets,
  revokedAt,
  sequence,
} from '#test/support/certificate.ts';

const root = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const ROOT = 'A root of the sender';

/** 1.3.6.1.4.1.11129.2.1.17: the extension that ties a certificate to this key and challenge. */
const keyDescription = (challenge: Buffer): Extension => ({
  oid: '2b06010401d679020111',
  value: sequence(
    integer(3),
    enumerated(1),
    integer(4),
    enumerated(1),
    octets(challenge),
    octets(Buffer.alloc(0)),
    sequence(),
    sequence(),
  ),
});

/** The device's certificate and that of its issuer; both name `url` for revocations. */
const chainOf = ({ publicKey, clientDataHash }: NewKey, url: string): readonly Buffer[] => {
  const by = { issuer: ROOT, signedBy: root.privateKey };
  return [
    certificate({
      ...by,
      subject: 'A device',
      publicKey,
      extensions: [revokedAt(url), keyDescription(clientDataHash)],
    }),
    certificate({ ...by, subject: ROOT, publicKey: root.publicKey, extensions: [AUTHORITY, revokedAt(url)] }),
  ];
};

const said = (format: string, ...fields: readonly (readonly [string, Buffer])[]): Attestation => ({
  format,
  statement: map(...fields.map(([name, value]) => [text(name), value] as const)),
});

const signature = (): readonly [string, Buffer] => ['sig', bytes(randomBytes(70))];
const ALGORITHM = ['alg', int(-7)] as const;
const x5c = (chain: readonly Buffer[]) => ['x5c', array(...chain.map(bytes))] as const;

const signedWords = (chain: readonly Buffer[]): Buffer => {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const header = { alg: 'ES256', x5c: chain.map((each) => each.toString('base64')) };
  return Buffer.from(
    [part(header), part({ nonce: '', ctsProfileMatch: true }), randomBytes(64).toString('base64url')].join('.'),
  );
};

/** Attestations in every format; each names `url`, which a careless verifier would request. */
export const attestationsLeadingTo = (url: string): Readonly<Record<string, (made: NewKey) => Attestation>> => ({
  'android-key': (made) => said('android-key', ALGORITHM, signature(), x5c(chainOf(made, url))),
  'android-safetynet': (made) =>
    said('android-safetynet', ['ver', text('1')], ['response', bytes(signedWords(chainOf(made, url)))]),
  apple: (made) => said('apple', x5c(chainOf(made, url))),
  'fido-u2f': (made) => said('fido-u2f', signature(), x5c(chainOf(made, url).slice(0, 1))),
  packed: (made) => said('packed', ALGORITHM, signature(), x5c(chainOf(made, url))),
  'packed, by the key itself': () => said('packed', ALGORITHM, signature()),
  tpm: (made) =>
    said(
      'tpm',
      ['ver', text('2.0')],
      ALGORITHM,
      signature(),
      x5c(chainOf(made, url)),
      ['certInfo', bytes(randomBytes(80))],
      ['pubArea', bytes(randomBytes(80))],
    ),
  'a form of its own': () => said('own', ['more', text(url)]),
});
