import type { ListIntegrationsInput } from '#functions/workflows/integrations/integrations.schema.ts';
import { pageOf } from '#shared/domain/reference/page.rules.ts';
import { Answer } from '#shared/http/route.ts';
import { nextLink } from '#shared/http/schema/common.schema.ts';
import type { Caller } from '#shared/ports/caller.ts';
import type { Deps } from '#shared/ports/deps.ts';

export async function listIntegrations(
  query: ListIntegrationsInput,
  { orgId }: Caller,
  { workflows, config }: Pick<Deps, 'workflows' | 'config'>,
) {
  const page = pageOf((await workflows.definitions(orgId)).integrations, query, ({ id }) => id);
  const link = nextLink(`${config.apiUrl}/v1/workflows/integrations`, query, page.next);
  return new Answer({ integrations: page.items, pagination: page.pagination }, { link });
}
