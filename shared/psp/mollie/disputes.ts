import * as z from 'zod';
import type { DisputeRef, PspDispute, PspDisputes } from '#shared/ports/dispute.port.ts';
import { PspOutcomeUnknown } from '#shared/ports/psp.port.ts';
import { reasonOfNetwork } from '#shared/psp/kit/dispute-reasons.ts';
import { reasonCode } from '#shared/psp/kit/disputes.ts';
import { isoTime } from '#shared/psp/kit/times.ts';
import { type MollieContext, paymentPath, requestOrThrow } from '#shared/psp/mollie/client.ts';
import type { MollieCredentials } from '#shared/psp/mollie/credentials.schema.ts';
import { toOurMoney } from '#shared/psp/mollie/money.rules.ts';
import { readObject } from '#shared/psp/mollie/schema.ts';

const text = z.string().nullish().catch(undefined);

const Chargeback = z.looseObject({
  resource: z.literal('chargeback'),
  id: z.string().min(1),
  amount: z.looseObject({ value: z.string(), currency: z.string() }),
  paymentId: text,
  reason: z.looseObject({ code: text }).nullish().catch(undefined),
  createdAt: text,
  reversedAt: text,
});

/**
 * Mollie tells of a chargeback when the money is gone. Nothing can be answered through its API: the bank gives the money
 * back, or does not.
 */
export function toPspDispute(value: unknown): PspDispute {
  const { id, amount, paymentId, reason, createdAt, reversedAt } = readObject(Chargeback, 'chargeback', value);
  return {
    reference: id,
    paymentReference: paymentId ?? null,
    status: reversedAt ? 'won' : 'lost',
    ...toOurMoney(amount),
    reason: reasonOfNetwork(reason?.code),
    provider_reason: reasonCode(reason?.code),
    opened_at: isoTime(createdAt),
  };
}

const chargebacksPath = (charge: string): string => `${paymentPath(charge)}/chargebacks`;

async function fetchDispute({ reference, paymentId, charge }: DisputeRef, psp: MollieContext): Promise<PspDispute> {
  if (charge === null) throw new PspOutcomeUnknown('Mollie shows a chargeback only below its payment.');
  const path = `${chargebacksPath(charge)}/${encodeURIComponent(reference)}`;
  return toPspDispute(await requestOrThrow({ operation: 'dispute', paymentId, path }, psp));
}

const Page = z.looseObject({ _embedded: z.looseObject({ chargebacks: z.array(z.unknown()) }) });

/** A payment has a handful of chargebacks at the most. */
const listDisputes: NonNullable<PspDisputes<MollieCredentials>['list']> = async ({ reference, paymentId }, psp) => {
  const path = `${chargebacksPath(reference)}?limit=250`;
  const body = await requestOrThrow({ operation: 'dispute', paymentId, path }, psp);
  return readObject(Page, 'list of chargebacks', body)._embedded.chargebacks.map(toPspDispute);
};

export const disputes: PspDisputes<MollieCredentials> = { fetch: fetchDispute, list: listDisputes };
