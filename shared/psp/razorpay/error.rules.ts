import { PspOutcomeUnknown, PspRefused, type PspReply } from '#shared/ports/psp.port.ts';
import { codeLike } from '#shared/psp/kit/code.ts';
import { json, throwTrouble } from '#shared/psp/kit/reply.ts';
import { ErrorReply, type RazorpayFault } from '#shared/psp/razorpay/objects.schema.ts';

export type Refused = { readonly ok: false; readonly status: number; readonly fault: RazorpayFault };
export type RazorpayAnswer = { readonly ok: true; readonly body: unknown } | Refused;

/** Passes on only words that look like Razorpay's codes: nothing from a message. `NA` means none. */
export const codeOf = (code: string | null | undefined): string | null =>
  code === 'NA' ? null : codeLike(code, /^[A-Za-z0-9_]{1,64}$/);

/** Classifies an answer as object, readable refusal, or trouble. A 409 means that the same call is still running. */
export function readAnswer(reply: PspReply, now: Date): RazorpayAnswer {
  throwTrouble(reply, now);
  const body = json(reply);
  if (reply.status === 200) return { ok: true, body };
  const error = ErrorReply.safeParse(body);
  if (!error.success || reply.status < 400)
    throw new PspOutcomeUnknown(`Razorpay's answer (HTTP ${reply.status}) is not understood.`);
  if (reply.status === 409) throw new PspOutcomeUnknown('Razorpay is still busy with the same call.');
  return { ok: false, status: reply.status, fault: error.data.error };
}

const KINDS: Readonly<Record<number, PspRefused['kind']>> = {
  401: 'credentials',
  403: 'credentials',
  404: 'not_found',
};

/** Razorpay answers 400 for an id that it does not know, and has no code for that: only its words tell. */
const UNKNOWN_ID = /\bid provided does not exist|not a valid id|invalid input \[strippedId\]/i;

export const isUnknownId = ({ fault }: Refused): boolean => UNKNOWN_ID.test(fault.description ?? '');

/**
 * Our request or the account's configuration is wrong. Razorpay's message is not passed on: it may quote the request.
 */
export function refusal(refused: Refused): PspRefused {
  const { status, fault } = refused;
  const code = codeOf(fault.reason) ?? codeOf(fault.code);
  const kind = KINDS[status] ?? (isUnknownId(refused) ? 'not_found' : 'request');
  return new PspRefused(kind, `Razorpay refused the request (HTTP ${status}, ${code ?? 'no code'}).`, code);
}

/** The payment of a refusal, if one was begun. */
export const paymentIn = ({ fault }: Refused): string | undefined => {
  const id = fault.metadata?.payment_id;
  return id !== undefined && /^pay_[A-Za-z0-9]{1,40}$/.test(id) ? id : undefined;
};
