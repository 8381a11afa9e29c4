import { guestCaller, type StartInput } from '#functions/hosted-pages/guest-caller.ts';
import { mayCharge } from '#shared/domain/accounts/plan.rules.ts';
import type { PaymentLink } from '#shared/domain/links/payment-link.model.ts';
import { SLOT_HOLD } from '#shared/domain/links/payment-link.rules.ts';
import type { Payment } from '#shared/domain/payments/payment.model.ts';
import type { CreatePaymentInput } from '#shared/domain/payments/payment-input.model.ts';
import { plus } from '#shared/kernel/clock.ts';
import { type Operation, operationId } from '#shared/kernel/operation.ts';
import type { Caller } from '#shared/ports/caller.ts';
import type { Deps } from '#shared/ports/deps.ts';
import type { RoutingData } from '#shared/ports/organizations.port.ts';
import { openLinkDetails } from '#shared/services/links/link-details.service.ts';
import { instrumentIn, sealedFields, withSavedMethod } from '#shared/services/payments/charge-order.service.ts';
import type { ChargeDeps } from '#shared/services/payments/charge-payment.service.ts';
import { type Charge, chargePayment, readCredentials } from '#shared/services/payments/charge-payment.service.ts';
import { decideRouting, draftPayment, startFirstAttempt } from '#shared/services/payments/plan-payment.service.ts';

/** `no_slot`: all slots are held or paid. `not_open`: the merchant may not take payments now. */
type NotStartedReason = 'no_slot' | 'not_open';

class NoFreeSlot extends Error {
  override readonly name = 'NoSlot';
}

/**
 * Starts a payment: takes a slot of the link, writes the payment and charges it. A repeated form finds that payment.
 */
export async function startLinkPayment(
  link: PaymentLink,
  start: StartInput,
  routingData: RoutingData,
  deps: ChargeDeps & Pick<Deps, 'paymentLinks'>,
): Promise<Payment | NotStartedReason> {
  const caller = guestCaller(link, start, routingData);
  const earlier = await deps.payments.byIdempotencyKey(caller.idempotencyRequest);
  if (earlier) return earlier;
  // No slot is taken for a payment that is refused anyway.
  if (!mayCharge(link, routingData, deps.config.stage, deps.clock.now())) return 'not_open';
  let credentials: Charge['credentials'];
  try {
    const claim = await deps.payments.claim(caller.idempotencyRequest, deps.clock.now(), async (operation) => {
      await reserveSlot(link, operation, deps);
      const input = await linkInput(link, start, routingData, deps);
      const draft = draftLinkPayment(link, input, caller, operation, routingData, deps.config);
      const instrument = await instrumentIn(input, draft);
      const payment = { ...draft, ...(await sealedFields(instrument, draft, deps)) };
      const plan = decideRouting(payment, routingData, instrument, operation.at, deps);
      const started = startFirstAttempt(payment, plan, operation, 'start', operation.at);
      credentials = readCredentials(started, routingData, deps);
      return started;
    });
    if (claim.state === 'new' || claim.state === 'taken_over') {
      return await chargePayment({ ...claim, resumed: claim.state === 'taken_over', routingData, credentials }, deps);
    }
    return (await deps.payments.byIdempotencyKey(caller.idempotencyRequest)) ?? 'no_slot';
  } catch (error) {
    if (error instanceof NoFreeSlot) return 'no_slot';
    throw error;
  }
}

async function reserveSlot(
  link: PaymentLink,
  operation: Operation,
  { paymentLinks }: Pick<Deps, 'paymentLinks'>,
): Promise<void> {
  const reserved = await paymentLinks.reserve(link, operationId(operation, 'payment'), operation.at);
  if (reserved === 'busy' || reserved === 'closed') throw new NoFreeSlot();
}

function plainInput(link: PaymentLink, start: StartInput): CreatePaymentInput {
  const { amount, currency, description, metadata, capture, customer_id, save } = link;
  const { method, country, customer_email, ip: customer_ip } = start;
  return {
    amount,
    currency,
    method,
    metadata,
    customer_ip,
    ...(customer_id !== undefined && { customer_id }),
    ...(save && { save }),
    ...(description !== null && { description }),
    ...(capture && { capture }),
    ...(country && { country }),
    ...(customer_email && { customer_email }),
  };
}

/** With the tokens of its saved method. If that was deleted, the customer chooses on the provider's page. */
async function linkInput(
  link: PaymentLink,
  start: StartInput,
  { connections }: RoutingData,
  deps: Pick<Deps, 'paymentMethods' | 'vault'>,
): Promise<CreatePaymentInput> {
  const { payment_method_id: id, org_id } = link;
  const input = { ...(await openLinkDetails(link, deps)), ...plainInput(link, start) };
  if (id === undefined || !(await (await deps.paymentMethods()).get(org_id, id))) return input;
  return withSavedMethod({ ...input, payment_method: { type: start.method, id } }, org_id, connections, deps);
}

function draftLinkPayment(
  link: PaymentLink,
  input: CreatePaymentInput,
  caller: Caller,
  operation: Operation,
  { organization }: RoutingData,
  config: Deps['config'],
): Payment {
  return {
    ...draftPayment(input, caller, operation, { mode: link.mode, intent: false, organization, config }),
    payment_link_id: link.id,
    link_hold: { until: plus(operation.at, SLOT_HOLD).toISOString(), became: 'held' },
  };
}
