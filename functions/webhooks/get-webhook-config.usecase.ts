import { shownConfig } from '#functions/webhooks/shown-config.ts';
import { need } from '#shared/kernel/errors.ts';
import type { Caller } from '#shared/ports/caller.ts';
import type { Deps } from '#shared/ports/deps.ts';

export async function getWebhookConfig(_: unknown, caller: Caller, deps: Pick<Deps, 'receivers' | 'vault' | 'clock'>) {
  const config = need(
    await deps.receivers.get(caller.orgId),
    'Webhooks are not configured yet. Use POST /v1/webhooks/config.',
  );
  return shownConfig(config, caller, deps);
}
