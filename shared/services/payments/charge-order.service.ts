import type { Attempt, Payment } from '#shared/domain/payments/payment.model.ts';
import { keyedHash } from '#shared/kernel/ids.ts';
import type { Deps } from '#shared/ports/deps.ts';
import type { ChargeOrder, PspMetadata } from '#shared/ports/psp.port.ts';
import { type Instrument, openMethod, tokenFor } from '#shared/services/payments/instrument.service.ts';

/** The order for a charge, built from stored data alone, so that a repeat sends the same. */
export async function chargeOrder(
  payment: Payment,
  attempt: Attempt,
  deps: Pick<Deps, 'vault' | 'config'>,
): Promise<ChargeOrder> {
  const instrument = await openMethod(payment, deps);
  return {
    paymentId: payment.id,
    attemptId: attempt.id,
    amount: payment.amount,
    currency: payment.currency,
    method: payment.method,
    country: payment.country,
    description: payment.description,
    customerEmail: payment.customer_email,
    customerIp: payment.customer_ip,
    paymentMethod: forProvider(instrument, attempt.provider),
    returnUrl: returnAddress(payment.id, deps.config),
    callbackUrl: callbackAddress(payment, attempt, deps.config),
    offSession: payment.off_session === true && attempt.on_session !== true,
    metadata: pspMetadata(payment, attempt.connection_id),
    startedAt: attempt.started_at,
    others: payment.attempts.flatMap(({ id, psp_reference }) =>
      id === attempt.id || psp_reference === null ? [] : [psp_reference],
    ),
  };
}

function forProvider(instrument: Instrument, provider: string): ChargeOrder['paymentMethod'] {
  const { tokens: _, token: __, ...rest } = instrument;
  const token = tokenFor(instrument, provider);
  return token === undefined ? rest : { ...rest, token };
}

/** The only metadata a PSP gets; our keys win over the merchant's own of the same names. */
export function pspMetadata(payment: Payment, connectionId: string): PspMetadata {
  return {
    org_id: payment.org_id,
    connection_id: connectionId,
    payment_id: payment.id,
    ...(payment.customer_email !== null && { customer_email: payment.customer_email }),
  };
}

type Config = Pick<Deps['config'], 'apiUrl' | 'hashSecret'>;

/** Can't be guessed from the payment's id, so only the customer's browser comes back through it. */
export const returnToken = (paymentId: string, { hashSecret }: Pick<Config, 'hashSecret'>): string =>
  keyedHash(hashSecret, 'return', paymentId).subarray(0, 16).toString('base64url');

/** For providers whose callbacks carry no metadata of ours. */
function callbackAddress({ id, org_id }: Payment, { connection_id, provider }: Attempt, { apiUrl }: Config): string {
  return `${apiUrl}/webhooks/${provider}?${new URLSearchParams({ org_id, connection_id, payment_id: id })}`;
}

const returnAddress = (paymentId: string, config: Config): string =>
  `${config.apiUrl}/pay/return/${paymentId}?t=${returnToken(paymentId, config)}`;
