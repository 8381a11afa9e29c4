import { changeDefinitions } from '#functions/workflows/change-definitions.ts';
import { assertAddressAllowed, assertMailable } from '#functions/workflows/integrations/integration-destination.ts';
import type { CreateIntegrationInput } from '#functions/workflows/integrations/integrations.schema.ts';
import { maskedSecret, signingSecret } from '#shared/domain/webhooks/webhook-signature.rules.ts';
import type { Integration, IntegrationSecrets } from '#shared/domain/workflows/workflow.model.ts';
import { assertBelowLimit } from '#shared/domain/workflows/workflow-definitions.rules.ts';
import { faultsInMasked, maskAddress, maskHeaders } from '#shared/domain/workflows/workflow-integration.rules.ts';
import { invalidFields } from '#shared/kernel/errors.ts';
import { operationId } from '#shared/kernel/operation.ts';
import type { Caller } from '#shared/ports/caller.ts';
import type { Deps } from '#shared/ports/deps.ts';
import { newSecretBytes } from '#shared/services/accounts/new-secret.service.ts';
import { sealSecrets } from '#shared/services/workflows/integration-secrets.service.ts';

type Needs = Pick<Deps, 'workflows' | 'vault' | 'webhookHttp' | 'organizations' | 'members' | 'config' | 'claims'>;

/** A retry of the same operation creates the same integration with the same signing secret. */
export async function createIntegration(
  input: CreateIntegrationInput,
  caller: Caller,
  deps: Needs,
): Promise<Integration> {
  await assertDestination(input, caller, deps);
  const { orgId, operation } = caller;
  const [id, at] = [operationId(operation, 'integration'), operation.at.toISOString()];
  const { destination, secrets } = await destinationOf(input, caller, deps);
  const created: Integration = {
    id,
    org_id: orgId,
    name: input.name,
    enabled: input.enabled ?? true,
    ...destination,
    created_at: at,
    updated_at: at,
    version: 1,
    sealed_secrets: await sealSecrets(secrets, { org_id: orgId, id }, deps),
  };
  const integration = await changeDefinitions<Integration>(
    orgId,
    ({ integrations }) => {
      const existing = integrations.find((each) => each.id === id);
      if (existing) return { result: existing };
      assertBelowLimit(integrations, 'integrations');
      return { result: created, change: { kind: 'integration', save: created } };
    },
    deps,
  );
  return integration;
}

type Input = CreateIntegrationInput;

async function assertDestination(
  { type, config: { url = '', headers = {}, to = [] } }: Input,
  { orgId }: Caller,
  deps: Needs,
): Promise<void> {
  if (type === 'email') return assertMailable(to, orgId, deps);
  await assertAddressAllowed(url, deps);
  const faults = faultsInMasked(headers, {}, true);
  if (faults.length > 0) throw invalidFields(faults);
}

type IntegrationOf<T extends Integration['type']> = Pick<Extract<Integration, { type: T }>, 'type' | 'config'>;
type Destination =
  | (IntegrationOf<'http'> & { readonly signing_secret: string })
  | IntegrationOf<'slack'>
  | IntegrationOf<'email'>;

/** The request schema ensures that the fields of the type are present. */
async function destinationOf(
  { type, config: { url = '', headers = {}, to = [] } }: Input,
  caller: Caller,
  deps: Needs,
): Promise<{ readonly destination: Destination; readonly secrets: IntegrationSecrets }> {
  switch (type) {
    case 'http': {
      const signing_secret = signingSecret(await newSecretBytes(caller, deps, 'integration'));
      const config = { url, headers: maskHeaders(headers) };
      return {
        destination: { type, config, signing_secret: maskedSecret(signing_secret) },
        secrets: { signing_secret, headers },
      };
    }
    case 'slack':
      return { destination: { type, config: { url: maskAddress(url) } }, secrets: { url } };
    case 'email':
      return { destination: { type, config: { to } }, secrets: {} };
  }
}
