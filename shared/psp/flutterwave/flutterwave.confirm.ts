import { type ChargeOrder, type PspOutcome, PspOutcomeUnknown, PspRefused } from '#shared/ports/psp.port.ts';
import { refusal } from '#shared/psp/flutterwave/error.rules.ts';
import { ask, type FlutterwaveContext } from '#shared/psp/flutterwave/flutterwave.client.ts';
import { chargeBehind, fetchCharge, fetchTransaction } from '#shared/psp/flutterwave/flutterwave.lookups.ts';
import { isOurs, toOutcome } from '#shared/psp/flutterwave/mapping.rules.ts';
import { toNextAction } from '#shared/psp/flutterwave/next-action.rules.ts';
import { Transaction } from '#shared/psp/flutterwave/objects.schema.ts';

type Confirmed = {
  readonly reference: string;
  readonly order: ChargeOrder;
  readonly input: Readonly<Record<string, unknown>>;
};

/**
 * Passes on the one-time code. It needs a reference of Flutterwave's, which the look-up brings; a charge that is no
 * longer open is left alone. Everything else the customer does at Flutterwave.
 */
export async function confirmCharge(
  { reference, order, input }: Confirmed,
  psp: FlutterwaveContext,
): Promise<PspOutcome> {
  const purpose = { operation: 'confirm', paymentId: order.paymentId } as const;
  const { attemptId, paymentId } = order;
  if (input.otp === undefined) return fetchCharge({ reference, attemptId, paymentId, wanted: true }, psp, 'confirm');
  const otp = codeFrom(input.otp);
  const transaction = await chargeBehind(reference, purpose, psp);
  if (!transaction) throw new PspRefused('not_found', 'Flutterwave knows no such transaction.');
  if (!isOurs(transaction, order)) throw new PspOutcomeUnknown('This transaction is not that of the charge.');
  if (transaction.status !== 'pending') return toOutcome(transaction);
  return validate(transaction, otp, purpose, psp);
}

function codeFrom(given: unknown): string {
  const code = typeof given === 'number' || typeof given === 'string' ? String(given).trim() : '';
  if (!/^[A-Za-z0-9]{3,12}$/.test(code))
    throw new PspRefused('request', 'The one-time code has 3 to 12 letters or digits.');
  return code;
}

async function validate(
  { id, flw_ref, payment_type }: Transaction,
  otp: string,
  purpose: { readonly operation: 'confirm'; readonly paymentId: string },
  psp: FlutterwaveContext,
): Promise<PspOutcome> {
  if (!flw_ref) throw new PspRefused('state', 'Flutterwave waits for no code here.');
  const type = payment_type === 'card' || payment_type === 'account' ? { type: payment_type } : {};
  const answer = await ask({ ...purpose, path: '/v3/validate-charge', body: { otp, flw_ref, ...type } }, psp);
  const told = Transaction.safeParse(answer.data).data;
  if (told?.id === id && (answer.ok || told.status === 'failed'))
    return toOutcome(told, answer.ok ? toNextAction(answer.meta, told) : undefined);
  if (!answer.ok && answer.status === 401) throw refusal(answer);
  const after = await fetchTransaction(id, purpose, psp).catch((cause: unknown) => {
    throw new PspOutcomeUnknown('The code was passed on and the charge could not be looked up.', { cause });
  });
  // A wrong code leaves the charge open for another one.
  if (!answer.ok && after.status === 'pending') throw refusal(answer);
  return toOutcome(after);
}
