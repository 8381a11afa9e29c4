import { guestCaller, type StartInput } from '#functions/hosted-pages/guest-caller.ts';
import { mayCharge } from '#shared/domain/accounts/plan.rules.ts';
import type { PaymentLink } from '#shared/domain/links/payment-link.model.ts';
import { SLOT_HOLD } from '#shared/domain/links/payment-link.rules.ts';
import type { Payment } from '#shared/domain/payments/payment.model.ts';
import { plus } from '#shared/kernel/clock.ts';
import { type Operation, operationId } from '#shared/kernel/operation.ts';
import type { Caller } from '#shared/ports/caller.ts';
import type { Deps } from '#shared/ports/deps.ts';
import type { RoutingData } from '#shared/ports/organizations.port.ts';
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
      const draft = draftLinkPayment(link, start, caller, operation, routingData, deps.config);
      const plan = decideRouting(draft, routingData, { type: start.method }, operation.at, deps);
      const started = startFirstAttempt(draft, plan, operation, 'start', operation.at);
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

function draftLinkPayment(
  link: PaymentLink,
  start: StartInput,
  caller: Caller,
  operation: Operation,
  { organization }: RoutingData,
  config: Deps['config'],
): Payment {
  const { amount, currency, description, metadata, capture } = link;
  const { method, country, customer_email, ip: customer_ip } = start;
  const input = {
    amount,
    currency,
    method,
    metadata,
    customer_ip,
    ...(description !== null && { description }),
    ...(capture && { capture }),
    ...(country && { country }),
    ...(customer_email && { customer_email }),
  };
  return {
    ...draftPayment(input, caller, operation, { mode: link.mode, intent: false, organization, config }),
    payment_link_id: link.id,
    link_hold: { until: plus(operation.at, SLOT_HOLD).toISOString(), became: 'held' },
  };
}
