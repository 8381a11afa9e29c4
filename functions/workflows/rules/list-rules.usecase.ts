import type { ListRulesInput } from '#functions/workflows/rules/rules.schema.ts';
import { pageOf } from '#shared/domain/reference/page.rules.ts';
import { Answer } from '#shared/http/route.ts';
import { nextLink } from '#shared/http/schema/common.schema.ts';
import type { Caller } from '#shared/ports/caller.ts';
import type { Deps } from '#shared/ports/deps.ts';

export async function listRules(
  query: ListRulesInput,
  { orgId }: Caller,
  { workflows, config }: Pick<Deps, 'workflows' | 'config'>,
) {
  const page = pageOf(await workflows.rules(orgId), query, ({ id }) => id);
  const link = nextLink(`${config.apiUrl}/v1/workflows/rules`, query, page.next);
  return new Answer({ rules: page.items, pagination: page.pagination }, { link });
}
