import { changeDefinitions } from '#functions/workflows/change-definitions.ts';
import type { UpdateIntegrationInput } from '#functions/workflows/integrations/integrations.schema.ts';
import { refuseAddress, refuseStrangers } from '#functions/workflows/integrations/refuse-destination.ts';
import { integrationIn } from '#functions/workflows/integrations/stored-integration.ts';
import type { Integration } from '#shared/domain/workflows/workflow.model.ts';
import {
  type ConfigWish,
  faultsInConfig,
  faultsInKept,
  HIDDEN,
  hiddenAddress,
  hiddenHeaders,
  isSameServer,
  keptHeaders,
} from '#shared/domain/workflows/workflow-integration.rules.ts';
import { invalidFields } from '#shared/kernel/errors.ts';
import type { Caller } from '#shared/ports/caller.ts';
import type { Deps } from '#shared/ports/deps.ts';
import { openedSecrets, sealedSecrets } from '#shared/services/workflows/integration-secrets.service.ts';

type Needs = Pick<Deps, 'workflows' | 'vault' | 'outbound' | 'organizations' | 'members' | 'config' | 'clock'>;

/** What is not sent stays, sealed values too; decided again on what won a race. */
export function updateIntegration(
  { id, config, ...wish }: UpdateIntegrationInput & { readonly id: string },
  { orgId }: Caller,
  deps: Needs,
) {
  return changeDefinitions<Integration>(
    orgId,
    async ({ integrations }) => {
      const before = integrationIn(integrations, id);
      const led = config ? await ledTo(before, config, deps) : before;
      const after: Integration = {
        ...led,
        ...wish,
        updated_at: deps.clock.now().toISOString(),
        version: before.version + 1,
      };
      return { answer: after, change: { kind: 'integration', save: after } };
    },
    deps,
  );
}

async function ledTo(integration: Integration, wish: ConfigWish, deps: Needs): Promise<Integration> {
  refuse(faultsInConfig(integration.type, wish));
  switch (integration.type) {
    case 'http':
      return requestsTo(integration, wish, deps);
    case 'slack':
      return wish.url === undefined || wish.url === integration.config.url
        ? integration
        : postsTo(integration, wish.url, deps);
    case 'email':
      return wish.to === undefined ? integration : mailsTo(integration, wish.to, deps);
  }
}

type OneOf<T extends Integration['type']> = Extract<Integration, { type: T }>;

async function requestsTo(
  integration: OneOf<'http'>,
  { url = integration.config.url, ...wish }: ConfigWish,
  deps: Needs,
): Promise<Integration> {
  await refuseAddress(url, deps);
  const secrets = await openedSecrets(integration, deps);
  const held = secrets.headers ?? {};
  // What is not sent is asked to stay, as it was shown.
  const asked = wish.headers ?? hiddenHeaders(held);
  refuse(faultsInKept(asked, held, isSameServer(url, integration.config.url)));
  const headers = keptHeaders(asked, held);
  const sealed_secrets = await sealedSecrets({ ...secrets, headers }, integration, deps);
  return { ...integration, config: { url, headers: hiddenHeaders(headers) }, sealed_secrets };
}

async function postsTo(integration: OneOf<'slack'>, url: string, deps: Needs): Promise<Integration> {
  if (url.includes(HIDDEN))
    refuse([{ path: 'config.url', message: 'There is no such address to keep. Send the whole one.' }]);
  await refuseAddress(url, deps);
  return {
    ...integration,
    config: { url: hiddenAddress(url) },
    sealed_secrets: await sealedSecrets({ url }, integration, deps),
  };
}

async function mailsTo(integration: OneOf<'email'>, to: readonly string[], deps: Needs): Promise<Integration> {
  await refuseStrangers(to, integration.org_id, deps);
  return { ...integration, config: { to } };
}

function refuse(faults: Parameters<typeof invalidFields>[0]): void {
  if (faults.length > 0) throw invalidFields(faults);
}
