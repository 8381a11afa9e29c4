import { answeredLink } from '#functions/payment-links/answered-link.ts';
import { deactivate } from '#shared/domain/links/payment-link.machine.ts';
import { need } from '#shared/kernel/errors.ts';
import type { Caller } from '#shared/ports/caller.ts';
import type { Deps } from '#shared/ports/deps.ts';

/** No new payment can start; started ones may finish. */
export async function deactivatePaymentLink(
  { id }: { readonly id: string },
  caller: Caller,
  deps: Pick<Deps, 'paymentLinks' | 'clock' | 'config'>,
) {
  const link = need(await deps.paymentLinks.get(caller.orgId, id), 'There is no such payment link.');
  return answeredLink(await deps.paymentLinks.change(link, (l) => deactivate(l, deps.clock.now())), deps);
}
