import { getInvoice } from '#functions/invoices/get-invoices.usecase.ts';
import { type Dunning, dunningOf } from '#shared/domain/billing/dunning.rules.ts';
import type { Caller } from '#shared/ports/caller.ts';
import type { Deps } from '#shared/ports/deps.ts';

/** By the policies of now: a failed attempt goes by those of its own time. */
export async function getDunning(
  { id }: { readonly id: string },
  caller: Caller,
  deps: Pick<Deps, 'invoices' | 'retryPolicies'>,
): Promise<Dunning> {
  const invoice = await getInvoice({ id }, caller, deps);
  const [ofPlan, ofOrganization] = await Promise.all([
    deps.retryPolicies.get(caller.orgId, invoice.plan_id),
    deps.retryPolicies.get(caller.orgId, ''),
  ]);
  return dunningOf(invoice, { ofPlan, ofOrganization });
}
