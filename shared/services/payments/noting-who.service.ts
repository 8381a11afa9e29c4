import { creatorOf } from '#shared/domain/accounts/organization-audit.rules.ts';
import type { Payment, PaymentAct } from '#shared/domain/payments/payment.model.ts';
import { madeBetween, withAct } from '#shared/domain/payments/payment-history.rules.ts';
import { dropCause } from '#shared/kernel/operation.ts';
import type { Caller } from '#shared/ports/caller.ts';
import type { Deps } from '#shared/ports/deps.ts';
import type { PaymentsPort } from '#shared/ports/payments.port.ts';

/**
 * Runs an action of a caller, a workflow step among them, whose first change of the payment also notes who has asked for
 * it: in the same write, so it costs none of its own. The services that these actions share with timers and callbacks
 * know nothing of it.
 */
export const notingWho =
  <I, D extends Pick<Deps, 'payments'>>(
    type: PaymentAct['type'],
    run: (input: I, caller: Caller, deps: D) => Promise<Payment>,
  ) =>
  (input: I, caller: Caller, deps: D): Promise<Payment> => {
    // Of these the act is found by what they made. A retry may go on for as long as its customer has to act.
    if (type !== 'retry') dropCause();
    return run(input, caller, { ...deps, payments: noted(deps.payments, type, caller) });
  };

function noted(payments: PaymentsPort, type: PaymentAct['type'], caller: Caller): PaymentsPort {
  const note = (before: Payment, after: Payment | undefined): Payment | undefined =>
    after && withAct(after, actOf(type, caller, before, after));
  const change: PaymentsPort['change'] = (payment, decide, decided) =>
    payments.change(payment, (p) => note(p, decide(p)), decided && note(payment, decided));
  return new Proxy(payments, {
    get: (target, name) => {
      const value: unknown = name === 'change' ? change : Reflect.get(target, name, target);
      return typeof value === 'function' && name !== 'change' ? value.bind(target) : value;
    },
  });
}

function actOf(type: PaymentAct['type'], caller: Caller, before: Payment, after: Payment): PaymentAct {
  const made = madeBetween(before, after);
  return {
    type: before.review && type === 'cancel' ? 'end_review' : type,
    at: caller.operation.at.toISOString(),
    by: creatorOf(caller),
    ...(made !== undefined && { made }),
  };
}
