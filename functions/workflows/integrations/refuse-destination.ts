import { leadsToOneOf } from '#shared/domain/workflows/workflow-integration.rules.ts';
import { AppError, invalidFields } from '#shared/kernel/errors.ts';
import type { Deps } from '#shared/ports/deps.ts';
import { allowedFor } from '#shared/services/workflows/allowed-for.service.ts';

/** As for receivers of webhooks, and not this API either. */
export async function refuseAddress(
  url: string,
  { outbound, config }: Pick<Deps, 'outbound' | 'config'>,
): Promise<void> {
  await outbound.check(url);
  if (leadsToOneOf(url, [config.apiUrl, config.pagesUrl]))
    throw new AppError(
      'url_not_allowed',
      "Workflows don't call this API: what they did there would set them off again. Use the steps it has for that.",
    );
}

/**
 * Whoever has not been looked at mails nobody through us who did not come by himself: an invited address may be
 * anybody's.
 */
export async function refuseStrangers(
  to: readonly string[],
  orgId: string,
  deps: Pick<Deps, 'organizations' | 'members'>,
): Promise<void> {
  const allowed = new Set(await allowedFor(to, orgId, deps));
  const message =
    'Must be the address of a member who has signed in, until the identity verification is approved. Invite them: POST /v1/members.';
  const strangers = to.flatMap((address, n) =>
    allowed.has(address) ? [] : [{ path: to.length > 1 ? `config.to.${n}` : 'config.to', message }],
  );
  if (strangers.length > 0) throw invalidFields(strangers);
}
