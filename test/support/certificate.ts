import { type KeyObject, sign } from 'node:crypto';

/** DER: a tag, a length and the content. */
function der(tag: number, ...parts: readonly Buffer[]): Buffer {
  const body = Buffer.concat(parts);
  const { length } = body;
  const long = length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255];
  const size = length < 128 ? [length] : long;
  return Buffer.concat([Buffer.from([tag, ...size]), body]);
}

export const sequence = (...parts: readonly Buffer[]): Buffer => der(0x30, ...parts);
export const integer = (n: number): Buffer => der(0x02, Buffer.from([n]));
export const enumerated = (n: number): Buffer => der(0x0a, Buffer.from([n]));
export const octets = (data: Buffer): Buffer => der(0x04, data);
const oid = (hex: string): Buffer => der(0x06, Buffer.from(hex, 'hex'));
const bits = (data: Buffer): Buffer => der(0x03, Buffer.from([0]), data);
const utcTime = (time: string): Buffer => der(0x17, Buffer.from(time));
const within = (n: number, ...parts: readonly Buffer[]): Buffer => der(0xa0 | n, ...parts);

const ECDSA_WITH_SHA256 = sequence(oid('2a8648ce3d040302'));
const commonName = (name: string): Buffer => sequence(der(0x31, sequence(oid('550403'), der(0x0c, Buffer.from(name)))));

export type Extension = { readonly oid: string; readonly value: Buffer };

/** 2.5.29.19, for a certificate that signs others. */
export const AUTHORITY: Extension = { oid: '551d13', value: sequence(der(0x01, Buffer.from([0xff]))) };
/** 2.5.29.31: the URL for the list of revoked certificates. */
export const revokedAt = (url: string): Extension => ({
  oid: '551d1f',
  value: sequence(sequence(within(0, within(0, der(0x86, Buffer.from(url)))))),
});

type Certificate = {
  readonly subject: string;
  readonly issuer: string;
  readonly publicKey: KeyObject;
  readonly signedBy: KeyObject;
  readonly extensions: readonly Extension[];
};

/** X.509, valid from 2025 to 2049. */
export function certificate({ subject, issuer, publicKey, signedBy, extensions }: Certificate): Buffer {
  const content = sequence(
    within(0, integer(2)),
    integer(1),
    ECDSA_WITH_SHA256,
    commonName(issuer),
    sequence(utcTime('250101000000Z'), utcTime('491231235959Z')),
    commonName(subject),
    publicKey.export({ type: 'spki', format: 'der' }),
    within(3, sequence(...extensions.map((each) => sequence(oid(each.oid), octets(each.value))))),
  );
  return sequence(content, ECDSA_WITH_SHA256, bits(sign('sha256', content, signedBy)));
}
