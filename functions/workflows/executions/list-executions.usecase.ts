import type { ListExecutionsInput } from '#functions/workflows/executions/executions.schema.ts';
import { shownExecution } from '#shared/domain/workflows/execution.rules.ts';
import { Answer } from '#shared/http/route.ts';
import { nextLink } from '#shared/http/schema/common.schema.ts';
import type { Caller } from '#shared/ports/caller.ts';
import type { Deps } from '#shared/ports/deps.ts';

export async function listExecutions(
  query: ListExecutionsInput,
  { orgId }: Caller,
  { executions, config }: Pick<Deps, 'executions' | 'config'>,
) {
  const page = await executions.list(orgId, query);
  const link = nextLink(`${config.apiUrl}/v1/workflows/executions`, query, page.next);
  const pagination = { limit: query.limit, offset: query.offset, has_more: page.next !== undefined };
  return new Answer({ executions: page.items.map(shownExecution), pagination }, { link });
}
