import { PspOutcomeUnknown, PspRefused, type PspReply } from '#shared/ports/psp.port.ts';
import { codeLike } from '#shared/psp/kit/code.ts';
import { json, throwTrouble } from '#shared/psp/kit/reply.ts';
import { ACCOUNT } from '#shared/psp/paystack/declines.catalog.ts';
import { Envelope } from '#shared/psp/paystack/objects.schema.ts';

export type PaystackAnswer =
  | { readonly ok: true; readonly data: unknown }
  | { readonly ok: false; readonly status: number; readonly fault: Envelope };

/** Passes on only words that look like Paystack's codes: nothing from a message. */
export const codeOf = (code: string | null | undefined): string | null => codeLike(code, /^[a-z][a-z_]{1,63}$/);

/** Paystack or its processor failed on the way: a transaction may have been made. */
const IN_DOUBT = new Set(['api_error', 'processor_error']);
/** Unambiguous statuses, whatever the body says. */
const CERTAIN = new Set([401, 403, 404]);

/** Classifies an answer as data, readable refusal, or trouble. */
export function readAnswer(reply: PspReply, now: Date): PaystackAnswer {
  throwTrouble(reply, now);
  const { status } = reply;
  const envelope = Envelope.safeParse(json(reply));
  if (!envelope.success) throw new PspOutcomeUnknown(`Paystack's answer (HTTP ${status}) is not understood.`);
  const fault = envelope.data;
  if (status === 200 || status === 201) {
    if (fault.status) return { ok: true, data: fault.data };
  } else if (status >= 400 && !fault.status && status !== 408 && status !== 409) {
    const doubtful = IN_DOUBT.has(fault.type ?? '') || IN_DOUBT.has(fault.code ?? '');
    if (CERTAIN.has(status) || !doubtful || fault.data !== undefined) return { ok: false, status, fault };
  }
  throw new PspOutcomeUnknown(`Paystack gives no verdict (HTTP ${status}, ${codeOf(fault.code) ?? 'no code'}).`);
}

/** Paystack has a transaction with this reference already: ours, from a call whose answer was lost. */
export const isDuplicate = ({ code, message }: Envelope): boolean =>
  code === 'duplicate_reference' || /duplicate transaction reference/i.test(message ?? '');

/** Paystack says "not found" under 400 too. */
function kindOf(status: number, { code, message }: Envelope): PspRefused['kind'] {
  if (status === 401 || status === 403) return 'credentials';
  if (status === 404 || /not_found$/.test(code ?? '') || /not found/i.test(message ?? '')) return 'not_found';
  return ACCOUNT.test(message ?? '') ? 'account' : 'request';
}

/** Our request or the account's configuration is wrong. Paystack's message is not passed on: it quotes the request. */
export function refusal(status: number, fault: Envelope): PspRefused {
  const code = codeOf(fault.code);
  return new PspRefused(
    kindOf(status, fault),
    `Paystack refused the request (HTTP ${status}, ${code ?? 'no code'}).`,
    code,
  );
}
