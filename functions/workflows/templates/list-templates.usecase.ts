import type { ListTemplatesInput } from '#functions/workflows/templates/templates.schema.ts';
import { pageOf } from '#shared/domain/reference/page.rules.ts';
import { Answer } from '#shared/http/route.ts';
import { nextLink } from '#shared/http/schema/common.schema.ts';
import type { Caller } from '#shared/ports/caller.ts';
import type { Deps } from '#shared/ports/deps.ts';

export async function listTemplates(
  query: ListTemplatesInput,
  { orgId }: Caller,
  { workflows, config }: Pick<Deps, 'workflows' | 'config'>,
) {
  const page = pageOf((await workflows.definitions(orgId)).templates, query, ({ id }) => id);
  const link = nextLink(`${config.apiUrl}/v1/workflows/templates`, query, page.next);
  return new Answer({ templates: page.items, pagination: page.pagination }, { link });
}
