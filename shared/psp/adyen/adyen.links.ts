import type { PspOutcome } from '#shared/ports/psp.port.ts';
import { type AdyenContext, ask, read } from '#shared/psp/adyen/adyen.client.ts';
import { modificationRefusal, refusal } from '#shared/psp/adyen/error.rules.ts';
import { toLinkOutcome } from '#shared/psp/adyen/mapping.rules.ts';
import { LinkReply } from '#shared/psp/adyen/objects.schema.ts';
import type { Purpose } from '#shared/psp/kit/purpose.ts';

const pathOf = (id: string): string => `/v72/paymentLinks/${encodeURIComponent(id)}`;

export async function fetchLink(id: string, purpose: Purpose, psp: AdyenContext): Promise<LinkReply> {
  const answer = await ask({ ...purpose, path: pathOf(id) }, psp);
  if (!answer.ok) throw refusal(answer);
  return read(LinkReply, 'payment link', answer.body);
}

/** An expired link takes no money any more, as requested. */
export async function expireLink(id: string, purpose: Purpose, psp: AdyenContext): Promise<PspOutcome> {
  const answer = await ask({ ...purpose, method: 'PATCH', path: pathOf(id), params: { status: 'expired' } }, psp);
  if (!answer.ok) throw modificationRefusal(answer);
  const link = read(LinkReply, 'payment link', answer.body);
  return link.status === 'expired' ? { kind: 'canceled', reference: id } : toLinkOutcome(link);
}
