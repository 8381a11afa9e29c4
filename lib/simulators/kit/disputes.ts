import { parseWebhookMode } from '#lib/simulators/kit/behaviour.ts';
import type { StoredObject } from '#lib/simulators/kit/object-store.ts';
import type { NewDispute, UnitOfWork } from '#lib/simulators/kit/provider-simulator.port.ts';
import { runInTransaction, type SimulatorContext } from '#lib/simulators/kit/simulator-context.ts';
import type { DisputeInput, DisputeStep, SimulatedDispute } from '#lib/simulators/simulators.port.ts';
import type { Provider } from '#shared/domain/routing/connection.model.ts';

/** The kind of a dispute's object, at every provider. */
export const DISPUTE_KIND = 'dispute';

const isDisputeObject = (stored: StoredObject): boolean => stored.kind === DISPUTE_KIND;

/**
 * The customer disputes the newest charge of our payment at their bank. Returns the dispute's reference; undefined if
 * nothing was charged, or the provider has no disputes.
 */
export function openDispute(
  context: SimulatorContext,
  provider: Provider,
  { paymentId, webhook, ...input }: DisputeInput & { readonly paymentId: string },
): string | undefined {
  const simulator = context.byName.get(provider);
  const newest = context.ledger.newestCharge(provider, paymentId);
  const charge = simulator && newest && context.objectsOf(simulator).get(newest.id);
  if (!simulator?.disputes || !newest || !charge) return undefined;
  const { open } = simulator.disputes;
  const amount = Math.min(input.amount ?? newest.amount, newest.amount);
  const dispute: NewDispute = { reason: 'fraudulent', inquiry: false, ...input, amount };
  const { result, outgoing } = runInTransaction(
    context,
    { simulator, account: charge.account, apiRequest: null },
    (work) => {
      const reference = open(charge, dispute, work);
      setMode(work, webhook);
      return reference;
    },
  );
  void context.sender.dispatch(outgoing.jobs, outgoing.mode);
  return result;
}

/** What the bank, or the time, does with a dispute. False if the provider knows no such dispute. */
export function moveDispute(
  context: SimulatorContext,
  provider: Provider,
  { reference, step, webhook }: { reference: string; step: DisputeStep; webhook: string | undefined },
): boolean {
  const simulator = context.byName.get(provider);
  const dispute = simulator && context.objectsOf(simulator).get(reference);
  if (!simulator?.disputes || !dispute || !isDisputeObject(dispute)) return false;
  const { move } = simulator.disputes;
  const { outgoing } = runInTransaction(context, { simulator, account: dispute.account, apiRequest: null }, (work) => {
    move(dispute, step, work);
    setMode(work, webhook);
  });
  void context.sender.dispatch(outgoing.jobs, outgoing.mode);
  return true;
}

/** How the webhooks of this change are sent; `normal` by default. */
function setMode(work: UnitOfWork, webhook: string | undefined): void {
  const mode = webhook === undefined ? undefined : parseWebhookMode(webhook);
  if (mode) work.setWebhookMode(mode);
}

/** The disputes of our payments, as their providers have them. */
export const listDisputes = (
  context: SimulatorContext,
  { provider, payment_id }: { readonly provider?: string; readonly payment_id?: string },
): readonly SimulatedDispute[] =>
  context.disputeBook.entries(provider, payment_id).flatMap(({ provider: name, id, paymentId, withheld }) => {
    const simulator = context.byName.get(name);
    const stored = simulator && context.objectsOf(simulator).get(id);
    if (!stored || !simulator?.disputes) return [];
    return [{ provider: name, reference: id, payment_id: paymentId, ...simulator.disputes.describe(stored), withheld }];
  });
