import type { Invoice } from '#shared/domain/billing/invoice.model.ts';
import { DEFAULT_RETRY_POLICY, type RetryPolicy, retryDelay } from '#shared/domain/billing/retry-policy.rules.ts';
import { plus } from '#shared/kernel/clock.ts';

type Policies = { readonly ofPlan: RetryPolicy | undefined; readonly ofOrganization: RetryPolicy | undefined };

export type Dunning = ReturnType<typeof dunningOf>;

/** Where the collection of an invoice stands, and what follows if each further attempt fails. */
export function dunningOf(invoice: Invoice, { ofPlan, ofOrganization }: Policies) {
  const { delays, max_retries } = ofPlan ?? ofOrganization ?? DEFAULT_RETRY_POLICY;
  const isOpen = invoice.status === 'open';
  const used = Math.min(invoice.retries, max_retries);
  return {
    invoice_id: invoice.id,
    status: invoice.status,
    attempts: invoice.attempts,
    collecting: invoice.trying !== undefined,
    policy: { source: sourceOf({ ofPlan, ofOrganization }), delays, max_retries },
    retries_used: invoice.retries,
    retries_left: isOpen ? max_retries - used : 0,
    planned: isOpen ? plannedRetries(invoice, { delays, max_retries }) : [],
  };
}

function sourceOf({ ofPlan, ofOrganization }: Policies): 'plan' | 'organization' | 'default' {
  if (ofPlan) return 'plan';
  return ofOrganization ? 'organization' : 'default';
}

/** The planned retry, and those that the policy would plan after it. None while the outcome of an attempt is open. */
function plannedRetries(
  { retries, next_retry_at, planned_at }: Invoice,
  policy: Pick<RetryPolicy, 'delays' | 'max_retries'>,
) {
  const first = next_retry_at ?? planned_at;
  if (first === undefined) return [];
  const planned = [{ retry: retries, at: first }];
  for (let [retry, at] = [retries + 1, first]; ; retry += 1) {
    const delay = retryDelay(retry, policy);
    if (delay === undefined) return planned;
    at = plus(at, delay).toISOString();
    planned.push({ retry, at });
  }
}
