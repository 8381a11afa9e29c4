import type { ListWebhookAuditInput } from '#functions/webhooks/webhooks.schema.ts';
import { fittingInAnswer } from '#shared/domain/reference/page.rules.ts';
import { Answer } from '#shared/http/route.ts';
import { nextLink } from '#shared/http/schema/common.schema.ts';
import { need } from '#shared/kernel/errors.ts';
import type { Caller } from '#shared/ports/caller.ts';
import type { Deps } from '#shared/ports/deps.ts';

/** Newest first. Entries are numbered, so any page is found directly. */
export async function listWebhookAudit(
  query: ListWebhookAuditInput,
  caller: Caller,
  deps: Pick<Deps, 'receivers' | 'config'>,
) {
  const { audits } = need(
    await deps.receivers.get(caller.orgId),
    'Webhooks are not configured yet. Use POST /v1/webhooks/config.',
  );
  const below = query.cursor === undefined ? audits : Number(query.cursor) - 1;
  const from = Math.min(below, audits) - query.offset;
  const entries = from < 1 ? [] : fittingInAnswer(await deps.receivers.audit(caller.orgId, from, query.limit));
  const last = entries.at(-1)?.id ?? 1;
  const link = nextLink(`${deps.config.apiUrl}/v1/webhooks/config/audit`, query, last > 1 ? String(last) : undefined);
  return new Answer([...entries], { link });
}
