import { type ChargeOrder, type PspOutcome, PspOutcomeUnknown, PspRefused } from '#shared/ports/psp.port.ts';
import { UNDECIDED } from '#shared/psp/kit/declines.ts';
import type { RequestPurpose } from '#shared/psp/kit/requests.ts';
import {
  isDuplicate,
  type PaystackContext,
  type PaystackResponse,
  refusal,
  sendRequest,
} from '#shared/psp/paystack/client.ts';
import { refusedCharge, requestDecline } from '#shared/psp/paystack/declines.catalog.ts';
import { findEarlierCharge, inspectCharge } from '#shared/psp/paystack/lookups.ts';
import { readTransaction, toOutcome, toPageOutcome } from '#shared/psp/paystack/outcomes.rules.ts';
import { chargeRequest, toReference } from '#shared/psp/paystack/requests.rules.ts';
import { Transaction } from '#shared/psp/paystack/schema.ts';

export async function createCharge(order: ChargeOrder, psp: PaystackContext): Promise<PspOutcome> {
  const { kind, path, body } = chargeRequest(order);
  const reference = toReference(order.attemptId);
  const response = await sendRequest({ operation: 'create', paymentId: order.paymentId, path, body }, psp);
  if (!response.ok && isDuplicate(response.error)) return findEarlierCharge(order, psp);
  if (kind === 'page')
    return response.ok ? toPageOutcome(response.data, reference) : chargeOutcome(response, reference);
  return chargeOutcome(response, reference, refusedCharge);
}

/**
 * The outcome of a call that may have charged. A refusal with a failed transaction is a decline. `readRefusal`: what
 * the words of other refusals mean.
 */
function chargeOutcome(
  response: PaystackResponse,
  reference: string,
  readRefusal: typeof refusedCharge = requestDecline,
): PspOutcome {
  if (response.ok) return toOutcome(readTransaction(response.data, reference), reference);
  const { status, error } = response;
  const transaction = Transaction.safeParse(error.data);
  if (transaction.success && transaction.data.status !== undefined)
    return toOutcome(readTransaction(error.data, reference), reference);
  const decline = readRefusal(status, error);
  if (decline === UNDECIDED) throw new PspOutcomeUnknown('Paystack says that the charge is not decided.');
  if (decline) return { kind: 'declined', reference: null, decline };
  throw refusal(status, error);
}

type Input = Readonly<Record<string, unknown>>;

/** What the customer enters → its endpoint and fields. */
const SUBMISSIONS = [
  ['pin', '/charge/submit_pin', ['pin']],
  ['otp', '/charge/submit_otp', ['otp']],
  ['phone', '/charge/submit_phone', ['phone']],
  ['birthday', '/charge/submit_birthday', ['birthday']],
  ['address', '/charge/submit_address', ['address', 'city', 'state', 'zip_code']],
] as const;

const MAX_TEXT_LENGTH = 200;

function submissionOf(input: Input): { readonly path: string; readonly body: Input } | undefined {
  const found = SUBMISSIONS.find(([field]) => input[field] !== undefined);
  if (!found) return undefined;
  const [, path, names] = found;
  const body = Object.fromEntries(names.map((name) => [name, String(input[name] ?? '')]));
  const invalid = names.find((name) => body[name] === '' || (body[name]?.length ?? 0) > MAX_TEXT_LENGTH);
  if (invalid) throw new PspRefused('request', `Paystack requires ${invalid} as a text.`);
  return { path, body };
}

/**
 * If the customer acted elsewhere, there is nothing to submit, and the charge is looked up. It is also looked up if
 * Paystack refuses the input: an earlier call whose response was lost may have submitted it.
 */
export async function confirmCharge(
  { reference, order, input }: { readonly reference: string; readonly order: ChargeOrder; readonly input: Input },
  psp: PaystackContext,
): Promise<PspOutcome> {
  const purpose = { operation: 'confirm', paymentId: order.paymentId } as const;
  const submitted = submissionOf(input);
  if (!submitted) return currentOutcome(reference, purpose, psp);
  const response = await sendRequest({ ...purpose, path: submitted.path, body: { ...submitted.body, reference } }, psp);
  try {
    return chargeOutcome(response, reference);
  } catch (error) {
    if (!(error instanceof PspRefused) || error.kind !== 'request') throw error;
    return await currentOutcome(reference, purpose, psp).catch((cause: unknown) => {
      throw cause instanceof PspRefused
        ? error
        : new PspOutcomeUnknown('The customer’s input was sent, and the charge could not be looked up.', { cause });
    });
  }
}

async function currentOutcome(reference: string, purpose: RequestPurpose, psp: PaystackContext): Promise<PspOutcome> {
  const inspection = await inspectCharge(reference, purpose, psp);
  if ('outcome' in inspection) return inspection.outcome;
  throw new PspRefused('state', 'The customer has not finished at Paystack.');
}
