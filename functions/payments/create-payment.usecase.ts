import { assertPaymentsLeft } from '#shared/domain/accounts/plan.rules.ts';
import type { Payment } from '#shared/domain/payments/payment.model.ts';
import type { CreatePaymentInput } from '#shared/domain/payments/payment-input.model.ts';
import { AppError } from '#shared/kernel/errors.ts';
import { keyedHash } from '#shared/kernel/ids.ts';
import { keyReused } from '#shared/kernel/operation.ts';
import type { Caller } from '#shared/ports/caller.ts';
import type { Deps, TokenConfig } from '#shared/ports/deps.ts';
import type { PaymentClaim } from '#shared/ports/payments.port.ts';
import {
  type Instrument,
  instrumentIn,
  isToken,
  makeToken,
  sealedFields,
  withSavedMethod,
} from '#shared/services/payments/charge-order.service.ts';
import {
  type Charge,
  type ChargeDeps,
  chargePayment,
  readCredentials,
} from '#shared/services/payments/charge-payment.service.ts';
import { decideRouting, draftPayment, startFirstAttempt } from '#shared/services/payments/plan-payment.service.ts';

/** A payment with whether an earlier request with the same idempotency key has created it. */
type Replayable = Payment & { readonly replayed: boolean };

/**
 * Creates and processes. The payment is written with its attempt before the PSP is called, and that write claims the
 * idempotency key: after a crash at any later point the next request with the key finds the payment and continues.
 */
export async function createPayment(input: CreatePaymentInput, caller: Caller, deps: ChargeDeps): Promise<Replayable> {
  const idempotencyRequest = requireIdempotencyKey(caller);
  const routingData = await caller.routingData();
  const { organization } = routingData;
  const mode = deps.config.stage;
  let instrument: Instrument | undefined;
  let credentials: Charge['credentials'];
  const claim = await deps.payments.claim(idempotencyRequest, deps.clock.now(), async (operation) => {
    assertPaymentsLeft(routingData, deps.config.stage, operation.at);
    const named = await withSavedMethod(input, caller.orgId, routingData.connections, deps);
    const draft = draftPayment(named, caller, operation, { mode, intent: false, organization, config: deps.config });
    instrument = await instrumentIn(named, draft);
    const payment = { ...draft, ...(await sealedFields(instrument, draft, deps)) };
    const decision = decideRouting(payment, routingData, instrument, operation.at, deps);
    const started = startFirstAttempt(payment, decision, operation, 'start', operation.at);
    credentials = readCredentials(started, routingData, deps);
    return started;
  });
  if (claim.state === 'running' || claim.state === 'reused') throw notClaimed(claim);
  if (claim.state === 'completed') return { ...(await deps.payments.createResponse(claim.payment)), replayed: true };
  const { payment, operation, state } = claim;
  const charge = {
    payment,
    operation,
    resumed: state === 'taken_over',
    routingData,
    credentials,
    ...(instrument && { instrument }),
  };
  const charged = await chargePayment(charge, deps);
  return { ...(await deps.payments.createResponse(charged)), replayed: false };
}

export function requireIdempotencyKey({ idempotencyRequest }: Caller): NonNullable<Caller['idempotencyRequest']> {
  if (!idempotencyRequest)
    throw new AppError('idempotency_key_required', 'Send an Idempotency-Key: any text that is new for each operation.');
  return idempotencyRequest;
}

/** Why the key is not ours: its first request is still running, or was another request. */
function notClaimed(claim: Extract<PaymentClaim, { state: 'running' | 'reused' }>): AppError {
  if (claim.state === 'reused') return keyReused();
  return new AppError(
    'idempotency_in_progress',
    'The first request with this idempotency key is still running.',
    claim,
  );
}

type IntentResult = Replayable & { readonly client_secret: string };

/** A payment that waits for its confirmation; no PSP is called until then. */
export async function createPaymentIntent(
  input: CreatePaymentInput,
  caller: Caller,
  deps: Pick<Deps, 'payments' | 'paymentMethods' | 'vault' | 'config' | 'clock'>,
): Promise<IntentResult> {
  const routingData = await caller.routingData();
  const { organization } = routingData;
  const mode = deps.config.stage;
  const claim = await deps.payments.claim(requireIdempotencyKey(caller), deps.clock.now(), async (operation) => {
    assertPaymentsLeft(routingData, deps.config.stage, operation.at);
    const named = await withSavedMethod(input, caller.orgId, routingData.connections, deps);
    const draft = draftPayment(named, caller, operation, { mode, intent: true, organization, config: deps.config });
    return { ...draft, ...(await sealedFields(await instrumentIn(named, draft), draft, deps)) };
  });
  if (claim.state === 'running' || claim.state === 'reused') throw notClaimed(claim);
  const { payment, state } = claim;
  const response = await deps.payments.createResponse(payment);
  return { ...response, client_secret: clientSecret(response.id, deps.config), replayed: state === 'completed' };
}

/** Derived and stored nowhere: its holder may confirm this payment, and nothing else. */
export const clientSecret = (paymentId: string, config: TokenConfig): string =>
  startOfSecret(paymentId) + makeToken(clientToken(paymentId), config);

export const isClientSecret = (text: string, paymentId: string, config: TokenConfig): boolean => {
  const start = startOfSecret(paymentId);
  return text.startsWith(start) && isToken(text.slice(start.length), clientToken(paymentId), config);
};

const startOfSecret = (paymentId: string): string => `${paymentId}_secret_`;

const clientToken = (paymentId: string) => (tokenSecret: string) =>
  keyedHash(tokenSecret, 'client_secret', paymentId).toString('base64url');
