import type { ListRoutingRulesInput } from '#functions/routing-rules/routing-rules.schema.ts';
import { pageOf } from '#shared/domain/reference/page.rules.ts';
import { Answer } from '#shared/http/route.ts';
import { nextLink } from '#shared/http/schema/common.schema.ts';
import type { Caller } from '#shared/ports/caller.ts';
import type { Deps } from '#shared/ports/deps.ts';

/** Rules are few, and routing reads them all in one query anyway. */
export async function listRoutingRules(query: ListRoutingRulesInput, caller: Caller, { config }: Pick<Deps, 'config'>) {
  const { rules } = await caller.setup();
  const page = pageOf(rules, query, ({ id }) => id);
  return new Answer(page.items, { link: nextLink(`${config.apiUrl}/v1/routing-rules`, query, page.next) });
}
