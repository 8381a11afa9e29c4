import { PspOutcomeUnknown, PspRefused, type PspReply } from '#shared/ports/psp.port.ts';
import { codeLike } from '#shared/psp/kit/code.ts';
import { json, throwTrouble } from '#shared/psp/kit/reply.ts';
import { MollieFault } from '#shared/psp/mollie/objects.schema.ts';

export type MollieAnswer =
  | { readonly ok: true; readonly body: unknown }
  | { readonly ok: false; readonly status: number; readonly fault: MollieFault };

/** Passes on only words that look like Mollie's codes: nothing from a message. */
export const codeOf = (code: string | null | undefined): string | null => codeLike(code, /^[a-z0-9_]{1,64}$/);

/**
 * Classifies an answer as object, readable refusal, or trouble. A 409 is Mollie's duplicate guard: there was such a
 * call, with unknown result. A 503 ("the method's supplier is away") counts as any other 5xx: no verdict.
 */
export function readAnswer(reply: PspReply, now: Date): MollieAnswer {
  throwTrouble(reply, now);
  // Accepted, to be carried out later: there is nothing to read.
  if (reply.status === 202) return { ok: true, body: null };
  const body = json(reply);
  if (reply.status === 200 || reply.status === 201) return { ok: true, body };
  const fault = MollieFault.safeParse(body);
  if (!fault.success || reply.status < 400)
    throw new PspOutcomeUnknown(`Mollie's answer (HTTP ${reply.status}) is not understood.`);
  if (reply.status === 409) throw new PspOutcomeUnknown('Mollie has met a call like this one a moment ago.');
  return { ok: false, status: reply.status, fault: fault.data };
}

const KINDS: Readonly<Record<number, PspRefused['kind']>> = {
  401: 'credentials',
  403: 'credentials',
  404: 'not_found',
};

/** Mollie has no error codes, only sentences, which are not passed on: they quote the request. */
export function refusal(status: number, { field }: MollieFault): PspRefused {
  const where = /^[A-Za-z0-9_.[\]]{1,80}$/.test(field ?? '') ? `, ${field}` : '';
  return new PspRefused(KINDS[status] ?? 'request', `Mollie refused the request (HTTP ${status}${where}).`);
}
