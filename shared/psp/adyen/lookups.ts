import { type ChargeRef, type PspOutcome, PspOutcomeUnknown } from '#shared/ports/psp.port.ts';
import { type AdyenContext, refusal, sendRequest } from '#shared/psp/adyen/client.ts';
import { toLinkOutcome } from '#shared/psp/adyen/outcomes.rules.ts';
import { isLink } from '#shared/psp/adyen/requests.rules.ts';
import { LinkResponse, readObject } from '#shared/psp/adyen/schema.ts';
import type { RequestPurpose } from '#shared/psp/kit/requests.ts';

export const noLookUp = (what: string): PspOutcomeUnknown =>
  new PspOutcomeUnknown(`Adyen has no look-up of ${what}; a notification reports them.`);

export async function fetchCharge({ reference, paymentId }: ChargeRef, psp: AdyenContext): Promise<PspOutcome> {
  if (!isLink(reference)) throw noLookUp('payments');
  return toLinkOutcome(await fetchLink(reference, { operation: 'fetch', paymentId }, psp));
}

export const linkPath = (id: string): string => `/v72/paymentLinks/${encodeURIComponent(id)}`;

export async function fetchLink(id: string, purpose: RequestPurpose, psp: AdyenContext): Promise<LinkResponse> {
  const response = await sendRequest({ ...purpose, path: linkPath(id) }, psp);
  if (!response.ok) throw refusal(response);
  return readObject(LinkResponse, 'payment link', response.body);
}
