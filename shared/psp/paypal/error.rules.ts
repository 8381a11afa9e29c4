import { PspOutcomeUnknown, PspRefused, type PspReply } from '#shared/ports/psp.port.ts';
import { codeLike } from '#shared/psp/kit/code.ts';
import { json, throwTrouble } from '#shared/psp/kit/reply.ts';
import { ACCOUNT } from '#shared/psp/paypal/declines.catalog.ts';
import { LoginFault, PaypalFault } from '#shared/psp/paypal/objects.schema.ts';

export type PaypalAnswer = { readonly ok: true; readonly body: unknown } | { readonly ok: false; readonly status: number; readonly fault: PaypalFault };

/** Only words that look like PayPal's codes are passed on: nothing a message could carry. */
export const codeOf = (code: string | null | undefined): string | null => codeLike(code, /^[A-Za-z0-9_]{1,64}$/);

/** The first word of a refusal that names a reason. */
export const issueOf = ({ details }: PaypalFault): string | null => codeOf(details?.find(({ issue }) => issue)?.issue);

/**
 * Refusals that say nothing of what became of an earlier call. An invoice id is an attempt's or a refund's own, so that one
 * PayPal has seen before means that this very charge or refund may have gone through; what PayPal answers to a key with
 * another body is not documented.
 */
const IN_DOUBT = /DUPLICATE|_IN_PROGRESS$/;

/** Sorts an answer into an object, a readable refusal, or trouble. A 409 means that another call still runs. */
export function readAnswer(reply: PspReply, now: Date): PaypalAnswer {
  throwTrouble(reply, now);
  const body = json(reply);
  if (reply.status === 200 || reply.status === 201) return { ok: true, body };
  const fault = faultIn(body);
  if (!fault || reply.status < 400) throw new PspOutcomeUnknown(`PayPal's answer (HTTP ${reply.status}) is not understood.`);
  const code = issueOf(fault) ?? codeOf(fault.name);
  if (reply.status === 409 || IN_DOUBT.test(code ?? '')) throw new PspOutcomeUnknown(`PayPal gives no verdict (${code}).`);
  return { ok: false, status: reply.status, fault };
}

function faultIn(body: unknown): PaypalFault | undefined {
  const fault = PaypalFault.safeParse(body);
  if (fault.success) return fault.data;
  const login = LoginFault.safeParse(body);
  return login.success ? { name: login.data.error } : undefined;
}

const KINDS: Readonly<Record<number, PspRefused['kind']>> = { 401: 'credentials', 403: 'credentials', 404: 'not_found' };
const STATE: ReadonlySet<string> = new Set(['ORDER_ALREADY_CAPTURED', 'ORDER_NOT_APPROVED', 'PENDING_CAPTURE']);

const kindOf = (code: string): PspRefused['kind'] => (STATE.has(code) ? 'state' : ACCOUNT.has(code) ? 'account' : 'request');

/** Our request or the account's configuration is wrong. PayPal's message stays behind: it may quote what it was sent. */
export function refusal(status: number, fault: PaypalFault): PspRefused {
  const code = issueOf(fault) ?? codeOf(fault.name);
  const kind = KINDS[status] ?? kindOf(code ?? '');
  return new PspRefused(kind, `PayPal refused the request (HTTP ${status}, ${code ?? 'no code'}).`, code);
}
