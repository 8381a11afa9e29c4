import { type ChargeOrder, type PspOutcome, PspOutcomeUnknown, PspRefused } from '#shared/ports/psp.port.ts';
import type { Purpose } from '#shared/psp/kit/purpose.ts';
import { requestRefusal } from '#shared/psp/paystack/decline.rules.ts';
import { isDuplicate, type PaystackAnswer, refusal } from '#shared/psp/paystack/error.rules.ts';
import { readTransaction, toOutcome, toPage } from '#shared/psp/paystack/mapping.rules.ts';
import { Transaction } from '#shared/psp/paystack/objects.schema.ts';
import { ask, type PaystackContext } from '#shared/psp/paystack/paystack.client.ts';
import { earlierCharge, lookAt } from '#shared/psp/paystack/paystack.lookups.ts';
import { toReference } from '#shared/psp/paystack/reference.rules.ts';
import { chargeCall } from '#shared/psp/paystack/request.rules.ts';

export async function createCharge(order: ChargeOrder, psp: PaystackContext): Promise<PspOutcome> {
  const { kind, path, body } = chargeCall(order);
  const reference = toReference(order.attemptId);
  const answer = await ask({ operation: 'create', paymentId: order.paymentId, path, body }, psp);
  if (!answer.ok && isDuplicate(answer.fault)) return earlierCharge(order, psp);
  return kind === 'page' && answer.ok ? toPage(answer.data, reference) : chargeOutcome(answer, reference);
}

/** Paystack's answer to a call that may have charged. A refusal with a failed transaction is a decline. */
function chargeOutcome(answer: PaystackAnswer, reference: string): PspOutcome {
  if (answer.ok) return toOutcome(readTransaction(answer.data, reference), reference);
  const { status, fault } = answer;
  const transaction = Transaction.safeParse(fault.data);
  if (transaction.success && transaction.data.status !== undefined)
    return toOutcome(readTransaction(fault.data, reference), reference);
  const decline = requestRefusal(status, fault);
  if (decline) return { kind: 'declined', reference: null, decline };
  throw refusal(status, fault);
}

type Input = Readonly<Record<string, unknown>>;

/** Customer input → its endpoint. An address has parts. */
const SUBMITS = [
  ['pin', '/charge/submit_pin', ['pin']],
  ['otp', '/charge/submit_otp', ['otp']],
  ['phone', '/charge/submit_phone', ['phone']],
  ['birthday', '/charge/submit_birthday', ['birthday']],
  ['address', '/charge/submit_address', ['address', 'city', 'state', 'zip_code']],
] as const;

const MAX_TEXT = 200;

function submission(input: Input): { readonly path: string; readonly body: Input } | undefined {
  const found = SUBMITS.find(([field]) => input[field] !== undefined);
  if (!found) return undefined;
  const [, path, names] = found;
  const body = Object.fromEntries(names.map((name) => [name, String(input[name] ?? '')]));
  const bad = names.find((name) => body[name] === '' || (body[name]?.length ?? 0) > MAX_TEXT);
  if (bad) throw new PspRefused('request', `Paystack needs ${bad} as a text.`);
  return { path, body };
}

/**
 * If the customer was to act elsewhere, there is nothing to submit, and the charge is looked up; so it is if Paystack
 * refuses the input: an earlier call whose answer was lost may have submitted it.
 */
export async function confirmCharge(
  { reference, order, input }: { readonly reference: string; readonly order: ChargeOrder; readonly input: Input },
  psp: PaystackContext,
): Promise<PspOutcome> {
  const purpose = { operation: 'confirm', paymentId: order.paymentId } as const;
  const submitted = submission(input);
  if (!submitted) return asItStands(reference, purpose, psp);
  const answer = await ask({ ...purpose, path: submitted.path, body: { ...submitted.body, reference } }, psp);
  try {
    return chargeOutcome(answer, reference);
  } catch (error) {
    if (!(error instanceof PspRefused) || error.kind !== 'request') throw error;
    return await asItStands(reference, purpose, psp).catch((cause: unknown) => {
      throw cause instanceof PspRefused
        ? error
        : new PspOutcomeUnknown('What the customer gave was sent, and the charge could not be looked at.', { cause });
    });
  }
}

async function asItStands(reference: string, purpose: Purpose, psp: PaystackContext): Promise<PspOutcome> {
  const seen = await lookAt(reference, purpose, psp);
  if ('outcome' in seen) return seen.outcome;
  throw new PspRefused('state', 'The customer has not finished at Paystack.');
}
