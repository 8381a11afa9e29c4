import { type ChargeOrder, type PspOutcome, PspRefused } from '#shared/ports/psp.port.ts';
import type { ChargePurpose } from '#shared/psp/kit/purpose.ts';
import { afterSending, ask, type RazorpayContext } from '#shared/psp/razorpay/razorpay.client.ts';
import {
  fetchCharge,
  fetchPayment,
  isLink,
  paymentOutcome,
  paymentPath,
} from '#shared/psp/razorpay/razorpay.lookups.ts';
import { paymentOfLink } from '#shared/psp/razorpay/return.rules.ts';

type Confirmation = {
  readonly reference: string;
  readonly order: ChargeOrder;
  readonly input: Readonly<Record<string, unknown>>;
};

/** With the bank's code, with the page's return parameters, or with nothing: then it is only looked up. */
export async function confirmCharge(
  { reference, order, input }: Confirmation,
  psp: RazorpayContext,
): Promise<PspOutcome> {
  const purpose = { operation: 'confirm', paymentId: order.paymentId } as const;
  if (input.otp !== undefined && !isLink(reference)) return submitOtp(reference, String(input.otp), purpose, psp);
  const paid = paymentOfLink(input, reference, order.attemptId, psp.credentials.key_secret);
  return paid
    ? paymentOutcome(await fetchPayment(paid, purpose, psp), purpose, psp)
    : fetchCharge(reference, purpose, psp);
}

/** The bank's verdict on the code is on the payment; an open one waits for another code. */
async function submitOtp(
  reference: string,
  otp: string,
  purpose: ChargePurpose,
  psp: RazorpayContext,
): Promise<PspOutcome> {
  if (!/^\d{1,10}$/.test(otp)) throw new PspRefused('request', 'A one-time code has up to ten digits.');
  const answer = await ask({ ...purpose, path: `${paymentPath(reference)}/otp/submit`, body: { otp } }, psp);
  const payment = await afterSending(() => fetchPayment(reference, purpose, psp));
  const waits = !answer.ok && payment.status === 'created';
  return waits
    ? { kind: 'requires_action', reference, action: { type: 'collect', field: 'otp' } }
    : paymentOutcome(payment, purpose, psp);
}
