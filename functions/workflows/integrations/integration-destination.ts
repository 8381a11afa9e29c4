import { isOwnAddress } from '#shared/domain/workflows/workflow-integration.rules.ts';
import { AppError, invalidFields } from '#shared/kernel/errors.ts';
import type { Deps } from '#shared/ports/deps.ts';
import { mailableAddresses } from '#shared/services/workflows/mailable-addresses.service.ts';

/** The rules for webhook endpoints apply, and the address must not be this API's own. */
export async function assertAddressAllowed(
  url: string,
  { webhookHttp, config }: Pick<Deps, 'webhookHttp' | 'config'>,
): Promise<void> {
  await webhookHttp.check(url);
  if (isOwnAddress(url, [config.apiUrl, config.pagesUrl]))
    throw new AppError(
      'url_not_allowed',
      'A workflow cannot call this API: its own changes would start it again. Use the payment and subscription ' +
        'steps instead.',
    );
}

/** Until KYC is approved, mail only members who have signed in: anyone can invite any address. */
export async function assertMailable(
  to: readonly string[],
  orgId: string,
  deps: Pick<Deps, 'organizations' | 'members'>,
): Promise<void> {
  const allowed = new Set(await mailableAddresses(to, orgId, deps));
  const message =
    'Until identity verification is approved, this must be the address of a member who has signed in. Invite ' +
    'them with POST /v1/members.';
  const strangers = to.flatMap((address, n) =>
    allowed.has(address) ? [] : [{ path: to.length > 1 ? `config.to.${n}` : 'config.to', message }],
  );
  if (strangers.length > 0) throw invalidFields(strangers);
}
