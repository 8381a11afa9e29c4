import { changeDefinitions } from '#functions/workflows/change-definitions.ts';
import type { CreateIntegrationInput } from '#functions/workflows/integrations/integrations.schema.ts';
import { refuseAddress, refuseStrangers } from '#functions/workflows/integrations/refuse-destination.ts';
import { maskedSecret, signingSecret } from '#shared/domain/webhooks/webhook-signature.rules.ts';
import type { Integration, IntegrationSecrets } from '#shared/domain/workflows/workflow.model.ts';
import { refuseBeyondMost } from '#shared/domain/workflows/workflow-definitions.rules.ts';
import { faultsInKept, hiddenAddress, hiddenHeaders } from '#shared/domain/workflows/workflow-integration.rules.ts';
import { Answer } from '#shared/http/route.ts';
import { invalidFields } from '#shared/kernel/errors.ts';
import { operationId, operationSecret } from '#shared/kernel/operation.ts';
import type { Caller } from '#shared/ports/caller.ts';
import type { Deps } from '#shared/ports/deps.ts';
import { sealedSecrets } from '#shared/services/workflows/integration-secrets.service.ts';

type Needs = Pick<Deps, 'workflows' | 'vault' | 'outbound' | 'organizations' | 'members' | 'config'>;

/** The same operation makes the same integration, signing secret included, however often it is tried. */
export async function createIntegration(
  input: CreateIntegrationInput,
  caller: Caller,
  deps: Needs,
): Promise<Answer<Integration>> {
  await refuseInput(input, caller, deps);
  const { orgId, operation } = caller;
  const [id, at] = [operationId(operation, 'integration'), operation.at.toISOString()];
  const { destination, secrets } = destinationOf(input, caller, deps);
  const made: Integration = {
    id,
    org_id: orgId,
    name: input.name,
    enabled: input.enabled ?? true,
    ...destination,
    created_at: at,
    updated_at: at,
    version: 1,
    sealed_secrets: await sealedSecrets(secrets, { org_id: orgId, id }, deps),
  };
  const integration = await changeDefinitions<Integration>(
    orgId,
    ({ integrations }) => {
      const stands = integrations.find((each) => each.id === id);
      if (stands) return { answer: stands };
      refuseBeyondMost(integrations, 'integrations');
      return { answer: made, change: { kind: 'integration', save: made } };
    },
    deps,
  );
  return new Answer(integration, { location: `/v1/workflows/integrations/${id}` });
}

type Input = CreateIntegrationInput;

async function refuseInput(
  { type, config: { url = '', headers = {}, to = [] } }: Input,
  { orgId }: Caller,
  deps: Needs,
): Promise<void> {
  if (type === 'email') return refuseStrangers(to, orgId, deps);
  await refuseAddress(url, deps);
  const faults = faultsInKept(headers, {}, true);
  if (faults.length > 0) throw invalidFields(faults);
}

type OneOf<T extends Integration['type']> = Pick<Extract<Integration, { type: T }>, 'type' | 'config'>;
type Destination = (OneOf<'http'> & { readonly signing_secret: string }) | OneOf<'slack'> | OneOf<'email'>;

/** Its shape has seen to it that the type's own fields are there. */
function destinationOf(
  { type, config: { url = '', headers = {}, to = [] } }: Input,
  { operation }: Caller,
  { config: { hashSecret } }: Needs,
): { readonly destination: Destination; readonly secrets: IntegrationSecrets } {
  switch (type) {
    case 'http': {
      const signing_secret = signingSecret(operationSecret(hashSecret, 'integration signing secret', operation));
      const config = { url, headers: hiddenHeaders(headers) };
      return {
        destination: { type, config, signing_secret: maskedSecret(signing_secret) },
        secrets: { signing_secret, headers },
      };
    }
    case 'slack':
      return { destination: { type, config: { url: hiddenAddress(url) } }, secrets: { url } };
    case 'email':
      return { destination: { type, config: { to } }, secrets: {} };
  }
}
