import { PspOutcomeUnknown, PspRefused, type PspReply } from '#shared/ports/psp.port.ts';
import { FaultReply } from '#shared/psp/adyen/objects.schema.ts';
import { codeLike } from '#shared/psp/kit/code.ts';
import { json, throwTrouble } from '#shared/psp/kit/reply.ts';

export type Fault = { readonly status: number; readonly code: string | null; readonly type: string | null };
export type AdyenAnswer = { readonly ok: true; readonly body: unknown } | ({ readonly ok: false } & Fault);

/** Passes on only what looks like Adyen's codes: nothing from a message. */
const codeOf = (code: string | null | undefined): string | null => codeLike(code, /^[A-Za-z0-9_]{1,32}$/);

/**
 * Error types with which Adyen refuses a request before doing anything; `internal`, or an unknown one, says nothing.
 */
const REFUSING = new Set(['validation', 'configuration', 'security']);

/**
 * 903 is an internal error of Adyen's. 704: a call with this key is under way or done, with unknown result. That, and
 * the header `transient-error` for "repeat with the same key", were not verified against a live account: each of these
 * marks counts as no verdict.
 */
const IN_DOUBT = new Set(['704', '903']);

/** Sorts an answer into an object, a readable refusal, or trouble. */
export function readAnswer(reply: PspReply, now: Date): AdyenAnswer {
  if (reply.status === 500 && lacksAcquirer(reply.text))
    return { ok: false, status: 500, code: '905_1', type: 'configuration' };
  throwTrouble(reply, now);
  const body = json(reply);
  if (reply.status === 200 || reply.status === 201) return { ok: true, body };
  const fault = FaultReply.safeParse(body);
  if (!fault.success || reply.status < 400)
    throw new PspOutcomeUnknown(`Adyen's answer (HTTP ${reply.status}) is not understood.`);
  const code = codeOf(fault.data.errorCode);
  const transient =
    reply.headers['transient-error'] === 'true' || reply.status === 409 || (code !== null && IN_DOUBT.has(code));
  if (transient) throw new PspOutcomeUnknown(`Adyen gives no verdict (HTTP ${reply.status}, ${code ?? 'no code'}).`);
  const turnedAway = reply.status === 401 || reply.status === 403;
  if (!turnedAway && !REFUSING.has(fault.data.errorType ?? ''))
    throw new PspOutcomeUnknown(`Adyen's refusal (HTTP ${reply.status}) has no reason.`);
  return { ok: false, status: reply.status, code, type: fault.data.errorType ?? null };
}

/** Answered with 500, and yet certain: there was no acquirer to send the charge to. */
function lacksAcquirer(text: string): boolean {
  const fault = FaultReply.safeParse(parsed(text));
  return fault.success && fault.data.errorType === 'configuration' && fault.data.errorCode === '905_1';
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const KINDS: Readonly<Record<number, PspRefused['kind']>> = {
  401: 'credentials',
  403: 'credentials',
  404: 'not_found',
};

/** Adyen's own text is not passed on: it quotes the request. */
const say = (kind: PspRefused['kind'], { status, code }: Fault): PspRefused =>
  new PspRefused(kind, `Adyen refused the request (HTTP ${status}, ${code ?? 'no code'}).`, code);

/** Our request, the key or its rights are wrong. */
export const refusal = (fault: Fault): PspRefused =>
  say(KINDS[fault.status] ?? (fault.type === 'security' ? 'account' : 'request'), fault);

/** "Original pspReference required": there is no such payment. */
const NO_SUCH_PAYMENT = '167';

/** A modification that Adyen does not begin: there is no such payment, or its state forbids it. */
export const modificationRefusal = (fault: Fault): PspRefused =>
  say(KINDS[fault.status] ?? (fault.code === NO_SUCH_PAYMENT ? 'not_found' : 'state'), fault);
