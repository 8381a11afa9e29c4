import * as z from 'zod';
import type { PspDisputes } from '#shared/ports/dispute.port.ts';
import { PspRefused } from '#shared/ports/psp.port.ts';
import { type AdyenContext, refusal, sendRequest } from '#shared/psp/adyen/client.ts';
import type { AdyenCredentials } from '#shared/psp/adyen/credentials.schema.ts';
import { readObject } from '#shared/psp/adyen/schema.ts';

/** The Disputes API has hosts of its own. Its key needs the role "API dispute management". */
const hostOf = ({ live_endpoint_url_prefix: prefix }: AdyenCredentials): string =>
  prefix === undefined ? 'ca-test.adyen.com' : 'ca-live.adyen.com';

const Result = z.looseObject({ disputeServiceResult: z.looseObject({ success: z.boolean() }) });

/** Adyen's reason is a sentence, which is not passed on. */
async function acceptDispute(disputePspReference: string, paymentId: string, psp: AdyenContext): Promise<void> {
  const { merchant_account: merchantAccountCode } = psp.credentials;
  const response = await sendRequest(
    {
      operation: 'dispute',
      paymentId,
      host: hostOf(psp.credentials),
      path: '/ca/services/DisputeService/v30/acceptDispute',
      params: { merchantAccountCode, disputePspReference },
    },
    psp,
  );
  if (!response.ok) throw refusal(response);
  const { disputeServiceResult } = readObject(Result, 'answer about a dispute', response.body);
  if (!disputeServiceResult.success)
    throw new PspRefused('state', 'Adyen does not let this dispute be accepted: it was answered or has ended.');
}

/**
 * Adyen has no look-up of disputes: its notifications tell everything. It takes evidence as documents (PDF, JPEG, TIFF)
 * and no texts, so evidence is given in its Customer Area.
 */
export const disputes: PspDisputes<AdyenCredentials> = {
  accept: async ({ reference, paymentId, charge, amount, currency }, _key, psp) => {
    await acceptDispute(reference, paymentId, psp);
    const subject = { reference, paymentReference: charge, amount, currency };
    return { ...subject, status: 'accepted', reason: 'general', provider_reason: null };
  },
};
