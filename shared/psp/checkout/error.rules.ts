import { PspOutcomeUnknown, PspRefused, type PspReply } from '#shared/ports/psp.port.ts';
import { ACCOUNT } from '#shared/psp/checkout/declines.catalog.ts';
import { ErrorReply } from '#shared/psp/checkout/objects.schema.ts';
import { json, throwTrouble } from '#shared/psp/kit/reply.ts';

export type CheckoutAnswer =
  | { readonly ok: true; readonly body: unknown }
  | { readonly ok: false; readonly status: number; readonly codes: readonly string[] };

/** Statuses that are complete without a body; Checkout.com sends none. */
const WORDLESS: ReadonlySet<number> = new Set([401, 403, 404]);
const DONE: ReadonlySet<number> = new Set([200, 201, 202]);

/**
 * Classifies an answer as object, readable refusal, or trouble. A call whose key another call is using is refused with
 * a 409, or as a duplicate with a 429 (which one is not documented): neither tells the other call's result.
 */
export function readAnswer(reply: PspReply, now: Date): CheckoutAnswer {
  const { status, text } = reply;
  if (status === 409 || (status === 429 && text.includes('duplicate')))
    throw new PspOutcomeUnknown(`Another call is under way (HTTP ${status}).`);
  throwTrouble(reply, now);
  if (WORDLESS.has(status)) return { ok: false, status, codes: [] };
  const body = json(reply);
  if (DONE.has(status)) return { ok: true, body };
  const error = ErrorReply.safeParse(body);
  if (!error.success || status < 400)
    throw new PspOutcomeUnknown(`Checkout.com's answer (HTTP ${status}) is not understood.`);
  return { ok: false, status, codes: codesOf(error.data) };
}

/** Passes on only words that look like codes: nothing from a message. */
function codesOf({
  error_codes,
  error_type,
}: {
  readonly error_codes?: unknown;
  readonly error_type?: unknown;
}): readonly string[] {
  const codes: readonly unknown[] = Array.isArray(error_codes) ? error_codes : [];
  return [...codes, error_type]
    .filter((code) => typeof code === 'string')
    .filter((code) => /^[a-z0-9_]{1,64}$/.test(code));
}

const KINDS: Readonly<Record<number, PspRefused['kind']>> = {
  401: 'credentials',
  403: 'credentials',
  404: 'not_found',
};

/** Our request or the account's configuration is wrong. `forbidden`: what a 403 means to this call. */
export function refusal(
  status: number,
  codes: readonly string[],
  forbidden: PspRefused['kind'] = 'credentials',
): PspRefused {
  const [code = null] = codes;
  const kind =
    status === 403 ? forbidden : (KINDS[status] ?? (codes.some((each) => ACCOUNT.has(each)) ? 'account' : 'request'));
  return new PspRefused(kind, `Checkout.com refused the request (HTTP ${status}, ${code ?? 'no code'}).`, code);
}
