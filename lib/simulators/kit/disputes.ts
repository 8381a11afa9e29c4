import type { StoredObject } from '#lib/simulators/kit/object-store.ts';
import type { NewDispute } from '#lib/simulators/kit/provider-simulator.port.ts';
import { runInTransaction, type SimulatorContext } from '#lib/simulators/kit/simulator-context.ts';
import type { DisputeInput, DisputeStep } from '#lib/simulators/simulators.port.ts';
import type { Provider } from '#shared/domain/routing/connection.model.ts';

/** The kind of a dispute's object, at every provider. */
export const DISPUTE_KIND = 'dispute';

export const isDisputeObject = (stored: StoredObject): boolean => stored.kind === DISPUTE_KIND;

/**
 * The customer disputes the newest charge of our payment at their bank. Returns the dispute's reference; undefined if
 * nothing was charged, or the provider has no disputes.
 */
export function openDispute(
  context: SimulatorContext,
  provider: Provider,
  { paymentId, ...input }: DisputeInput & { readonly paymentId: string },
): string | undefined {
  const simulator = context.byName.get(provider);
  const newest = context.ledger.newestCharge(provider, paymentId);
  const charge = simulator && newest && context.objectsOf(simulator).get(newest.id);
  if (!simulator?.disputes || !newest || !charge) return undefined;
  const { open } = simulator.disputes;
  const dispute: NewDispute = { reason: 'fraudulent', inquiry: false, ...input, amount: input.amount ?? newest.amount };
  const { result, outgoing } = runInTransaction(
    context,
    { simulator, account: charge.account, apiRequest: null },
    (work) => open(charge, dispute, work),
  );
  void context.sender.dispatch(outgoing.jobs, outgoing.mode);
  return result;
}

/** What the bank, or the time, does with a dispute. False if the provider knows no such dispute. */
export function moveDispute(
  context: SimulatorContext,
  provider: Provider,
  { reference, step }: { readonly reference: string; readonly step: DisputeStep },
): boolean {
  const simulator = context.byName.get(provider);
  const dispute = simulator && context.objectsOf(simulator).get(reference);
  if (!simulator?.disputes || !dispute || !isDisputeObject(dispute)) return false;
  const { move } = simulator.disputes;
  const { outgoing } = runInTransaction(context, { simulator, account: dispute.account, apiRequest: null }, (work) =>
    move(dispute, step, work),
  );
  void context.sender.dispatch(outgoing.jobs, outgoing.mode);
  return true;
}
