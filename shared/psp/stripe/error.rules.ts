import { PspOutcomeUnknown, PspRefused, type PspReply } from '#shared/ports/psp.port.ts';
import { codeLike } from '#shared/psp/kit/code.ts';
import { json, throwTrouble } from '#shared/psp/kit/reply.ts';
import { ACCOUNT } from '#shared/psp/stripe/declines.catalog.ts';
import { ErrorReply, type StripeFault } from '#shared/psp/stripe/objects.schema.ts';

export type StripeAnswer =
  | { readonly ok: true; readonly body: unknown }
  | { readonly ok: false; readonly status: number; readonly fault: StripeFault };

/** Passes on only words that look like Stripe's codes: nothing from a message. */
export const codeOf = (code: string | null | undefined): string | null => codeLike(code, /^[a-z0-9_]{1,64}$/);

const IN_DOUBT = new Set(['idempotency_error', 'api_error']);

/**
 * Classifies an answer as object, readable refusal, or trouble. A 409 means that the first call with this key is still
 * running, an `idempotency_error` that an earlier call had other parameters: neither tells that call's result.
 */
export function readAnswer(reply: PspReply, now: Date): StripeAnswer {
  if (reply.status === 429 && isLocked(reply)) throw new PspOutcomeUnknown('Stripe is still busy with this object.');
  throwTrouble(reply, now);
  const body = json(reply);
  if (reply.status === 200) return { ok: true, body };
  const error = ErrorReply.safeParse(body);
  if (!error.success || reply.status < 400)
    throw new PspOutcomeUnknown(`Stripe's answer (HTTP ${reply.status}) is not understood.`);
  const fault = error.data.error;
  if (reply.status === 409 || IN_DOUBT.has(fault.type))
    throw new PspOutcomeUnknown(`Stripe gives no verdict (${codeOf(fault.code) ?? codeOf(fault.type)}).`);
  return { ok: false, status: reply.status, fault };
}

/** Another call locks the object: unlike a rate limit this does not say how far our call got. */
const isLocked = ({ text }: PspReply): boolean => text.includes('lock_timeout');

const KINDS: Readonly<Record<number, PspRefused['kind']>> = {
  401: 'credentials',
  403: 'credentials',
  404: 'not_found',
};
const STATE = new Set([
  'payment_intent_unexpected_state',
  'intent_invalid_state',
  'charge_already_captured',
  'charge_already_refunded',
  'charge_disputed',
]);

const kindOf = (code: string): PspRefused['kind'] =>
  STATE.has(code) ? 'state' : ACCOUNT.has(code) ? 'account' : 'request';

/**
 * Our request or the account's configuration is wrong. Stripe's message is not passed on: it quotes tokens and parts of
 * keys.
 */
export function refusal(status: number, fault: StripeFault): PspRefused {
  const code = codeOf(fault.code) ?? codeOf(fault.type);
  const kind = KINDS[status] ?? kindOf(code ?? '');
  const field = /^[a-z_[\]0-9]{1,80}$/.test(fault.param ?? '') ? `, ${fault.param}` : '';
  return new PspRefused(kind, `Stripe refused the request (HTTP ${status}, ${code ?? 'no code'}${field}).`, code);
}
