import type { Payment } from '#shared/domain/payments/payment.model.ts';
import { invalidFields } from '#shared/kernel/errors.ts';
import type { Deps } from '#shared/ports/deps.ts';
import type { RoutingData } from '#shared/ports/organizations.port.ts';
import {
  assertAgreed,
  detailsIn,
  type Instrument,
  instrumentOf,
  type MayNameMethod,
  openInstrument,
  type Saved,
  type SealedFields,
  type StepInput,
  sealedFields,
  withDetails,
  withSavedMethod,
} from '#shared/services/payments/charge-order.service.ts';

type StepMethod = {
  readonly instrument: Instrument;
  readonly changes: Partial<SealedFields & Pick<Payment, 'return_url'>> & SavedFields;
};

/**
 * The payment method for a confirmation or retry: a new one from the client, or the one of the payment. Details that
 * the client does not send again stay as they are.
 */
export async function methodForStep(
  payment: Payment,
  given: StepInput,
  routing: RoutingData | Promise<RoutingData>,
  deps: Pick<Deps, 'vault' | 'paymentMethods'>,
): Promise<StepMethod> {
  const [before, { connections }] = await Promise.all([openInstrument(payment, deps), routing]);
  const input = await withSavedMethod(ownedInput(given, payment, before), payment.org_id, connections, deps);
  const { payment_method } = input;
  if (payment_method && payment_method.type !== payment.method)
    throw invalidFields([{ path: 'payment_method.type', message: 'This must equal the method of the payment.' }]);
  const details = detailsIn(input);
  const saving = savedFields(input);
  if (!payment_method && !details) return { instrument: before, changes: saving };
  const method = payment_method ? withDetails(instrumentOf(payment_method), before.details) : before;
  const instrument = withDetails(method, details);
  if (instrument.details) await assertAgreed(instrument.details, payment);
  return {
    instrument,
    changes: {
      ...(await sealedFields(instrument, payment, deps)),
      ...(payment_method && { return_url: payment_method.return_url ?? payment.return_url }),
      ...saving,
    },
  };
}

/** With what a saved method must agree with, or completes: the customer, and the `mit` of an intent. */
function ownedInput(given: StepInput, { customer_id }: Payment, { details }: Instrument): StepInput & MayNameMethod {
  const mit = given.mit ?? details?.mit;
  const isNamed = given.payment_method?.id !== undefined;
  return { ...given, ...(customer_id !== null && { customer_id }), ...(isNamed && mit && { mit }) };
}

type SavedFields = Partial<Pick<Payment, 'payment_method_id' | 'customer_id' | 'save'>>;

function savedFields({ payment_method_id, customer_id, save }: StepInput & MayNameMethod & Saved): SavedFields {
  if (save && customer_id === undefined)
    throw invalidFields([{ path: 'save', message: 'This payment has no customer_id to save its payment method for.' }]);
  return {
    ...(payment_method_id !== undefined && customer_id !== undefined && { payment_method_id, customer_id }),
    ...(save && { save: true }),
  };
}

/** For a payment that gets another method: neither a token's connection nor a saved method stays. */
export const withoutMethod = ({ token_of: _, payment_method_id: __, ...payment }: Payment): Payment => payment;
