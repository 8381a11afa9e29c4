import { PspOutcomeUnknown, PspRefused, type PspReply } from '#shared/ports/psp.port.ts';
import { ACCOUNT } from '#shared/psp/flutterwave/declines.catalog.ts';
import { Envelope } from '#shared/psp/flutterwave/objects.schema.ts';
import { json, throwTrouble } from '#shared/psp/kit/reply.ts';

type Said = { readonly message: string; readonly data: unknown; readonly meta: unknown };

export type FlutterwaveRefusal = Said & { readonly ok: false; readonly status: number };
export type FlutterwaveAnswer = (Said & { readonly ok: true }) | FlutterwaveRefusal;

/**
 * Classifies an answer as content, readable refusal, or trouble: a 503 after half a minute says nothing about the
 * charge.
 */
export function readAnswer(reply: PspReply, now: Date): FlutterwaveAnswer {
  throwTrouble(reply, now);
  const envelope = Envelope.safeParse(json(reply));
  if (!envelope.success) throw new PspOutcomeUnknown(`Flutterwave's answer (HTTP ${reply.status}) is not understood.`);
  const { status, message, data, meta } = envelope.data;
  const said = { message: message ?? '', data, meta };
  const worked = reply.status === 200 || reply.status === 201;
  if (worked && status === 'success') return { ok: true, ...said };
  if (reply.status >= 400 && status === 'error') return { ok: false, status: reply.status, ...said };
  throw new PspOutcomeUnknown(`Flutterwave's answer (HTTP ${reply.status}, ${status}) contradicts itself.`);
}

const CREDENTIALS: ReadonlySet<number> = new Set([401, 403]);
const MISSING: ReadonlySet<number> = new Set([400, 404]);
const NOT_THERE = /\b(no (transaction|refund)s?|(transaction|refund)s? (was |were )?not found)\b/i;

export const isAboutCredentials = ({ status }: FlutterwaveRefusal): boolean => CREDENTIALS.has(status);

/** UNVERIFIED which status it has: only the words count, as a wrong address would be a 404, too. */
export const isNotThere = ({ status, message }: FlutterwaveRefusal): boolean =>
  MISSING.has(status) && NOT_THERE.test(message);

const IN_DOUBT =
  /tim(e|ed)[ _-]?out|server[ _]error|internal|unavailable|try[ _]again|temporar|in[ _]progress|duplicate/i;

/** Flutterwave reports its own time-outs as 400, too: the work may go on. */
export const isInDoubt = ({ message }: FlutterwaveRefusal): boolean => IN_DOUBT.test(message);

/** On a text of an answer's full length our pattern would run for long. */
const LONGEST = 300;

/** Flutterwave's message is not passed on: it quotes the request. */
export function refusal(answer: FlutterwaveRefusal): PspRefused {
  const kind = isAboutCredentials(answer)
    ? 'credentials'
    : isNotThere(answer)
      ? 'not_found'
      : ACCOUNT.test(answer.message.slice(0, LONGEST))
        ? 'account'
        : 'request';
  return new PspRefused(kind, `Flutterwave refused the request (HTTP ${answer.status}).`);
}
