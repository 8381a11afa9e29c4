import type { DisputeStatus } from '#shared/domain/disputes/dispute.model.ts';
import type { EvidenceField } from '#shared/domain/disputes/evidence.catalog.ts';
import type { DisputeEvidence, PspDispute } from '#shared/ports/dispute.port.ts';
import { PspOutcomeUnknown, PspRefused } from '#shared/ports/psp.port.ts';
import { safeCode } from '#shared/psp/kit/responses.ts';

/** Our fields under the PSP's names, those that were given. */
export function namedEvidence(
  names: Readonly<Partial<Record<EvidenceField, string>>>,
  evidence: DisputeEvidence,
): Readonly<Record<string, string>> {
  const given: Readonly<Record<string, string | undefined>> = evidence;
  return Object.fromEntries(
    Object.entries(names).flatMap(([field, name]) => (given[field] ? [[name, given[field]]] : [])),
  );
}

const LABELS: Readonly<Record<string, string>> = {
  customer_ip: "Customer's IP address",
  access_log: "Customer's activity",
};

const labelOf = (field: string): string =>
  LABELS[field] ?? field.charAt(0).toUpperCase() + field.slice(1).replaceAll('_', ' ');

/** All texts as one, for a PSP whose form has a single field: the explanation, then each other under its name. */
export function joinedEvidence({ explanation, ...others }: DisputeEvidence): string {
  const named = Object.entries(others).flatMap(([field, text]) => (text ? [`${labelOf(field)}: ${text}`] : []));
  return [...(explanation ? [explanation] : []), ...named].join('\n\n');
}

/** A PSP's or a card network's own code, such as `10.4`, `4853` or `product_not_received`. */
export const reasonCode = (code: string | null | undefined): string | null => safeCode(code?.trim(), /^[\w.-]{1,64}$/);

/**
 * Evidence for a form with other fields than ours: each of its fields takes the texts of several of ours, under their
 * names if there are more than one. A text that is too long is refused, not cut: the merchant would not know.
 */
export function groupedEvidence(
  groups: Readonly<Record<string, readonly EvidenceField[]>>,
  evidence: DisputeEvidence,
  maxLength: number,
): Readonly<Record<string, string>> {
  const given = Object.entries(groups).flatMap(([name, fields]): readonly (readonly [string, string])[] => {
    const texts = fields.flatMap((field) => (evidence[field] ? [[field, evidence[field]] as const] : []));
    const [first] = texts;
    if (!first) return [];
    const text = texts.length === 1 ? first[1] : texts.map(([field, each]) => `${labelOf(field)}: ${each}`).join('\n');
    if (text.length > maxLength) {
      const names = texts.map(([field]) => field).join(', ');
      throw new PspRefused('request', `The provider takes at most ${maxLength} characters in ${names} together.`);
    }
    return [[name, text]];
  });
  return Object.fromEntries(given);
}

/**
 * The dispute after the PSP has taken an answer that does not show it. If this look-up fails, for whatever cause, the
 * answer was given all the same: nobody may give another one.
 */
export async function lookUpAnswered(lookUp: () => Promise<PspDispute>): Promise<PspDispute> {
  try {
    return await lookUp();
  } catch (error) {
    throw new PspOutcomeUnknown('The answer was taken, but the dispute could not be looked up.', { cause: error });
  }
}

const ANSWERABLE: ReadonlySet<DisputeStatus> = new Set(['warning', 'needs_response']);

/**
 * Accepts or answers a dispute. If the PSP refuses, it is looked up: a dispute that was answered or has ended is the
 * reason, whatever code the PSP gave.
 */
export async function answerDispute(
  answer: () => Promise<PspDispute>,
  lookUp: () => Promise<PspDispute>,
): Promise<PspDispute> {
  try {
    return await answer();
  } catch (error) {
    if (!(error instanceof PspRefused) || (error.kind !== 'request' && error.kind !== 'state')) throw error;
    const { status } = await lookUp();
    if (ANSWERABLE.has(status)) throw error;
    throw new PspRefused('state', `The dispute takes no answer any more: it is ${status}.`, error.provider_code);
  }
}
