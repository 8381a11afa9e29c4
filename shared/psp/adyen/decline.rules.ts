import { type Decline, declineOf } from '#shared/domain/payments/declines.catalog.ts';
import { REFUSALS, UNUSABLE } from '#shared/psp/adyen/declines.catalog.ts';
import type { Fault } from '#shared/psp/adyen/error.rules.ts';

const plain = (text: string): string => text.toLowerCase().replaceAll(/[^a-z0-9]/g, '');

const CODE_BY_TEXT: ReadonlyMap<string, string> = new Map(
  Object.entries(REFUSALS).map(([code, [text]]) => [plain(text), code]),
);

/** Passes on only what looks like a code. */
const isCode = (code: string | null | undefined): code is string => /^\d{1,4}$/.test(code ?? '');

/** Adyen's explicit no. A reason that we don't know is a plain decline. */
export function refused(reasonCode: string | null | undefined): Decline {
  const code = isCode(reasonCode) ? reasonCode : null;
  const meaning = code !== null && Object.hasOwn(REFUSALS, code) ? REFUSALS[code]?.[1] : undefined;
  const [failure, retry] = typeof meaning === 'object' ? meaning : [meaning ?? 'card_declined'];
  return declineOf(failure, code, retry);
}

/** The same for a notification, whose `reason` is the text, for some accounts preceded by the code. */
export function refusedFor(reason: string | null | undefined): Decline {
  const [, code, text] = /^(?:(\d{1,4})\s*:\s*)?(.*)$/s.exec(reason ?? '') ?? [];
  return refused(code ?? CODE_BY_TEXT.get(plain(text ?? '')));
}

/**
 * A request refused for its content, method or amount: the customer's matter, so a decline and no configuration error.
 */
export function requestRefusal({ status, code }: Fault): Decline | undefined {
  const failure = OF_REQUEST.has(status) && code !== null && Object.hasOwn(UNUSABLE, code) ? UNUSABLE[code] : undefined;
  return failure && declineOf(failure, code);
}

/** A missing acquirer (905) is answered with 500 too; no other 500 is a refusal. */
const OF_REQUEST: ReadonlySet<number> = new Set([400, 422, 500]);
