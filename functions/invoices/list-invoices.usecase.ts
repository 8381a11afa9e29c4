import type { ListInvoicesQuery } from '#functions/invoices/invoices.schema.ts';
import { Answer } from '#shared/http/route.ts';
import { nextLink } from '#shared/http/schema/common.schema.ts';
import type { Caller } from '#shared/ports/caller.ts';
import type { Deps } from '#shared/ports/deps.ts';

export async function listInvoices(
  query: ListInvoicesQuery,
  caller: Caller,
  { invoices, config }: Pick<Deps, 'invoices' | 'config'>,
) {
  const { limit, offset } = query;
  const { items, next } = await invoices.list(caller.orgId, query);
  const listed = { invoices: items, pagination: { limit, offset, has_more: next !== undefined } };
  return new Answer(listed, { link: nextLink(`${config.apiUrl}/v1/invoices`, query, next) });
}
