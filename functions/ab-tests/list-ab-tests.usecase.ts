import type { ListAbTestsInput } from '#functions/ab-tests/ab-tests.schema.ts';
import { pageOf } from '#shared/domain/reference/page.rules.ts';
import { Answer } from '#shared/http/route.ts';
import { nextLink } from '#shared/http/schema/common.schema.ts';
import type { Caller } from '#shared/ports/caller.ts';
import type { Deps } from '#shared/ports/deps.ts';
import { shownTest } from '#shared/services/routing/get-ab-test.service.ts';

/** Tests are few, made by hand and running for days: they are read whole, with their results. */
export async function listAbTests(
  query: ListAbTestsInput,
  caller: Caller,
  { abTests, config }: Pick<Deps, 'abTests' | 'config'>,
) {
  const all = await abTests.list(caller.orgId);
  const wanted = all.filter(({ test }) => query.status === undefined || test.status === query.status);
  const page = pageOf(wanted, query, ({ test }) => test.id);
  const listed = { ab_tests: page.items.map(shownTest), pagination: page.pagination };
  return new Answer(listed, { link: nextLink(`${config.apiUrl}/v1/routing/ab-tests`, query, page.next) });
}
