import { signedHeaders } from '#shared/domain/webhooks/webhook-signature.rules.ts';
import { MINUTE, monotonic, SECOND } from '#shared/kernel/clock.ts';
import { AppError } from '#shared/kernel/errors.ts';
import { Secret } from '#shared/kernel/secret.ts';
import { timingSafeEqual } from '#shared/kernel/text.ts';
import type { RawRequest, RawResponse } from '#shared/ports/raw-request.port.ts';
import { askOwnApi, type ProbeDeps } from '#shared/services/reporting/probe.service.ts';

/** How far an event's timestamp may be off. */
const TOLERANCE = 5 * MINUTE;

/**
 * Strangers may send forged events as often as they like: the secret is asked for at most once in this time, in ms of
 * real time.
 */
const ASK_EVERY = MINUTE;
const ASK_AGAIN_AFTER = 2 * SECOND;

/** Undefined: there is no probe here, or the API did not answer. */
type KnownSecret = { readonly secret: Promise<Secret | undefined>; readonly until: number };

const known = new WeakMap<ProbeDeps['ownApi'], KnownSecret>();

/**
 * Takes the events of the probe's organization as an organization's own server would: by their signature. The response
 * is recorded with the delivery, which is where the probe sees that its event has arrived.
 */
export async function receiveProbeEvent(request: RawRequest, deps: ProbeDeps): Promise<RawResponse> {
  if (await isSigned(request, deps)) return { status: 204 };
  throw new AppError('invalid_signature', 'This address takes signed events of the probe, and nothing else.');
}

async function isSigned({ headers, rawBody }: RawRequest, deps: ProbeDeps): Promise<boolean> {
  const { 'webhook-id': id = '', 'webhook-timestamp': sent = '', 'webhook-signature': given = '' } = headers;
  const timestamp = Number(sent);
  const isRecent = Math.abs(deps.clock.now().getTime() - timestamp * 1_000) <= TOLERANCE;
  if (!isRecent || given === '') return false;
  const secret = await signingSecret(deps);
  if (!secret) return false;
  const own = signedHeaders(id, timestamp, rawBody.toString('utf8'), secret)['webhook-signature'] ?? '';
  return given.split(' ').some((signature) => timingSafeEqual(signature, own));
}

function signingSecret(deps: ProbeDeps): Promise<Secret | undefined> {
  const { ownApi } = deps;
  const now = monotonic();
  const found = known.get(ownApi);
  if (found && found.until > now) return found.secret;
  const secret = askForSecret(deps);
  known.set(ownApi, { secret, until: now + ASK_EVERY });
  return secret;
}

async function askForSecret(deps: ProbeDeps): Promise<Secret | undefined> {
  try {
    const { signing_secret } = await askOwnApi({ method: 'GET', path: '/v1/webhooks/config' }, deps);
    return new Secret(String(signing_secret));
  } catch {
    known.set(deps.ownApi, { secret: Promise.resolve(undefined), until: monotonic() + ASK_AGAIN_AFTER });
    return undefined;
  }
}
