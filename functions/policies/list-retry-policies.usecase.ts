import type { ListRetryPoliciesInput } from '#functions/policies/retry-policy.schema.ts';
import { pageOf } from '#shared/domain/reference/page.rules.ts';
import { Answer } from '#shared/http/route.ts';
import { nextLink } from '#shared/http/schema/common.schema.ts';
import type { Caller } from '#shared/ports/caller.ts';
import type { Deps } from '#shared/ports/deps.ts';

/** A bare array, as the specification shows it: only `Link` says whether there is more. */
export async function listRetryPolicies(
  query: ListRetryPoliciesInput,
  caller: Caller,
  deps: Pick<Deps, 'retryPolicies' | 'config'>,
) {
  const page = pageOf(
    await deps.retryPolicies.list(caller.orgId),
    query,
    ({ created_at, plan_id }) => `${created_at} ${plan_id}`,
  );
  return new Answer(page.items, { link: nextLink(`${deps.config.apiUrl}/v1/policies/retry/list`, query, page.next) });
}
