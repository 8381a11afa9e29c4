import { answeredLink } from '#functions/payment-links/answered-link.ts';
import { need } from '#shared/kernel/errors.ts';
import type { Caller } from '#shared/ports/caller.ts';
import type { Deps } from '#shared/ports/deps.ts';

export async function getPaymentLink(
  { id }: { readonly id: string },
  caller: Caller,
  deps: Pick<Deps, 'paymentLinks' | 'clock' | 'config'>,
) {
  return answeredLink(need(await deps.paymentLinks.get(caller.orgId, id), 'There is no such payment link.'), deps);
}
