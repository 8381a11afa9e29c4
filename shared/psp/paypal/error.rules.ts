import { PspOutcomeUnknown, PspRefused, type PspReply } from '#shared/ports/psp.port.ts';
import { codeLike } from '#shared/psp/kit/code.ts';
import { json, throwTrouble } from '#shared/psp/kit/reply.ts';
import { ACCOUNT } from '#shared/psp/paypal/declines.catalog.ts';
import { LoginFault, PaypalFault } from '#shared/psp/paypal/objects.schema.ts';

export type PaypalAnswer =
  | { readonly ok: true; readonly body: unknown }
  | { readonly ok: false; readonly status: number; readonly fault: PaypalFault };

/** Passes on only words that look like PayPal's codes: nothing from a message. */
export const codeOf = (code: string | null | undefined): string | null => codeLike(code, /^[A-Za-z0-9_]{1,64}$/);

/** The first code of a refusal that names a reason. */
export const issueOf = ({ details }: PaypalFault): string | null => codeOf(details?.find(({ issue }) => issue)?.issue);

/**
 * Refusals that don't tell an earlier call's result. Invoice ids are unique to an attempt or refund, so a known one
 * means that this very charge or refund may have gone through; PayPal's answer to a key with another body is not
 * documented.
 */
const IN_DOUBT = /DUPLICATE|_IN_PROGRESS$/;

/** Classifies an answer as object, readable refusal, or trouble. A 409 means that another call is still running. */
export function readAnswer(reply: PspReply, now: Date): PaypalAnswer {
  throwTrouble(reply, now);
  const body = json(reply);
  if (reply.status === 200 || reply.status === 201) return { ok: true, body };
  const fault = faultIn(body);
  if (!fault || reply.status < 400)
    throw new PspOutcomeUnknown(`PayPal's answer (HTTP ${reply.status}) is not understood.`);
  const code = issueOf(fault) ?? codeOf(fault.name);
  if (reply.status === 409 || IN_DOUBT.test(code ?? ''))
    throw new PspOutcomeUnknown(`PayPal gives no verdict (${code}).`);
  return { ok: false, status: reply.status, fault };
}

function faultIn(body: unknown): PaypalFault | undefined {
  const fault = PaypalFault.safeParse(body);
  if (fault.success) return fault.data;
  const login = LoginFault.safeParse(body);
  return login.success ? { name: login.data.error } : undefined;
}

const KINDS: Readonly<Record<number, PspRefused['kind']>> = {
  401: 'credentials',
  403: 'credentials',
  404: 'not_found',
};
const STATE: ReadonlySet<string> = new Set(['ORDER_ALREADY_CAPTURED', 'ORDER_NOT_APPROVED', 'PENDING_CAPTURE']);

const kindOf = (code: string): PspRefused['kind'] =>
  STATE.has(code) ? 'state' : ACCOUNT.has(code) ? 'account' : 'request';

/** Our request or the account's configuration is wrong. PayPal's message is not passed on: it may quote the request. */
export function refusal(status: number, fault: PaypalFault): PspRefused {
  const code = issueOf(fault) ?? codeOf(fault.name);
  const kind = KINDS[status] ?? kindOf(code ?? '');
  return new PspRefused(kind, `PayPal refused the request (HTTP ${status}, ${code ?? 'no code'}).`, code);
}
