import type { EventPayload } from './generated/schemas.ts';
import { parsed } from './parsed.ts';

/** The event of one type: `EventOf<'payment.succeeded'>`. */
export type EventOf<Type extends EventPayload['type']> = Extract<EventPayload, { readonly type: Type }>;

/** `Headers` of a `Request`, or an object of them as Node.js has it. */
export type WebhookHeaders = Headers | { readonly [name: string]: string | readonly string[] | undefined };

export type VerifyOptions = {
  /** How far the time of sending may be from now. Default: 300. */
  readonly toleranceSeconds?: number;
  /** Instead of the time now, for tests. */
  readonly at?: Date;
};

type Reason = 'no_signature' | 'wrong_signature' | 'outside_tolerance' | 'unreadable_body';

/** The request is not from Payfork, or not from now: answer it with 400 and do nothing else. */
export class WebhookVerificationError extends Error {
  override readonly name = 'WebhookVerificationError';
  readonly code: Reason;

  constructor(code: Reason, message: string) {
    super(message);
    this.code = code;
  }
}

const TOLERANCE_SECONDS = 300;
const PREFIX = 'whsec_';
/** Four characters of base64 at least: no key may be empty. */
const SECRET = /^whsec_[A-Za-z0-9+/]{4,}={0,2}$/;
/** As many as the API sends in a rotation, and some more: whoever forges a request must not choose what it costs. */
const MAX_SIGNATURES = 10;

/**
 * The event of a request to your webhook endpoint, once its signature and its age are checked. `body` is what came, as
 * text or bytes, before anything parsed it. While you rotate the secret you may give several.
 */
async function verify(
  body: string | Uint8Array | ArrayBuffer,
  headers: WebhookHeaders,
  secret: string | readonly string[],
  { toleranceSeconds = TOLERANCE_SECONDS, at = new Date() }: VerifyOptions = {},
): Promise<EventPayload> {
  const bytes = bytesOf(body);
  await assertSigned(bytes, headers, secretsOf(secret));
  const event = eventOf(bytes);
  // Both schemes sign the body, and with it the time of sending.
  const age = Math.abs(at.getTime() / 1_000 - event.timestamp);
  if (age <= toleranceSeconds) return event;
  throw new WebhookVerificationError(
    'outside_tolerance',
    `The webhook was sent ${Math.round(age)} s from now. Check this server's clock, or it is a copy of an old one.`,
  );
}

/** For your webhook endpoint. */
export const webhooks = { verify } as const;

function bytesOf(body: unknown): Bytes {
  if (typeof body === 'string') return utf8(body);
  // Not by `instanceof`: test runners and workers have classes of their own.
  if (ArrayBuffer.isView(body)) return new Uint8Array(body.buffer, body.byteOffset, body.byteLength).slice();
  if (Object.prototype.toString.call(body) === '[object ArrayBuffer]') return new Uint8Array(body as ArrayBuffer);
  throw new TypeError('verify() needs the body as it came, as text or bytes: what was parsed has lost its signature.');
}

/** A missing setting would otherwise look like a forged request. */
function secretsOf(secret: string | readonly string[]): readonly string[] {
  const secrets = [secret].flat();
  if (secrets.length > 0 && secrets.every((each) => SECRET.test(each))) return secrets;
  throw new TypeError('verify() needs the signing secret of your webhook configuration. It begins with whsec_.');
}

type Bytes = Uint8Array<ArrayBuffer>;
type Signature = { readonly keyOf: (secret: string) => Bytes; readonly signed: Bytes; readonly signature: Bytes };

async function assertSigned(body: Bytes, headers: WebhookHeaders, secrets: readonly string[]): Promise<void> {
  const signatures = [...standardSignatures(body, headers), ...serviceSignatures(body, headers)];
  if (signatures.length === 0)
    throw new WebhookVerificationError('no_signature', 'The request has no signature: it is not a webhook of Payfork.');
  for (const secret of secrets) for (const each of signatures) if (await isBy(secret, each)) return;
  throw new WebhookVerificationError(
    'wrong_signature',
    'No signature is by this secret. Check the secret, and that the body is as it came.',
  );
}

/** Standard Webhooks: the key is the base64 after the prefix, and id and time are signed before the body. */
function standardSignatures(body: Bytes, headers: WebhookHeaders): readonly Signature[] {
  const [id, time, list] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) => one(headers, name));
  if (!id || !time || !list) return [];
  const before = utf8(`${id}.${time}.`);
  const signed = new Uint8Array(before.length + body.length);
  signed.set(before);
  signed.set(body, before.length);
  const signatures = list.split(' ', MAX_SIGNATURES).filter((each) => each.startsWith('v1,'));
  const keyOf = (secret: string) => fromBase64(secret.slice(PREFIX.length));
  return signatures.map((each) => ({ keyOf, signed, signature: fromBase64(each.slice('v1,'.length)) }));
}

/** `X-Service-Signature`: the key is the whole text of the secret. */
function serviceSignatures(signed: Bytes, headers: WebhookHeaders): readonly Signature[] {
  const [, hex] = /^sha256=([0-9a-f]{64})$/.exec(one(headers, 'x-service-signature') ?? '') ?? [];
  if (!hex) return [];
  const signature = Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
  return [{ keyOf: utf8, signed, signature }];
}

/** The comparison takes the same time for every wrong signature: it is the runtime's own. */
async function isBy(secret: string, { keyOf, signed, signature }: Signature): Promise<boolean> {
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const key = await crypto.subtle.importKey('raw', keyOf(secret), algorithm, false, ['verify']);
  return crypto.subtle.verify('HMAC', key, signature, signed);
}

function eventOf(bytes: Bytes): EventPayload {
  const event = parsed(new TextDecoder().decode(bytes)) as Partial<EventPayload> | undefined;
  if (typeof event?.type === 'string' && typeof event.timestamp === 'number') return event as EventPayload;
  throw new WebhookVerificationError('unreadable_body', 'The body is signed, but it is not an event.');
}

/** Whether in a `Headers`, or in an object with names in any case. */
function one(headers: WebhookHeaders, name: string): string | undefined {
  if (typeof headers.get === 'function') return headers.get(name) ?? undefined;
  const [, value] = Object.entries(headers).find(([each]) => each.toLowerCase() === name) ?? [];
  return typeof value === 'string' ? value : value?.[0];
}

const utf8 = (text: string): Bytes => new TextEncoder().encode(text);

/** What is no base64 is a signature of nothing. */
function fromBase64(text: string): Bytes {
  try {
    return Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  } catch {
    return new Uint8Array();
  }
}
