import { SCOPES } from '#shared/domain/reference/access.catalog.ts';
import { PROBE_ORGANIZATION, PROBE_SCOPES, probeKeyBytes } from '#shared/domain/reference/probe.rules.ts';
import { keyedHash } from '#shared/kernel/ids.ts';
import { unkeyedOperation } from '#shared/kernel/operation.ts';
import type { Secret } from '#shared/kernel/secret.ts';
import type { Deps, ServiceConfig } from '#shared/ports/deps.ts';
import { issueApiKey } from '#shared/services/accounts/issue-api-key.service.ts';
import { randomSecretBytes } from '#shared/services/accounts/new-secret.service.ts';

type ProbeSetupDeps = Pick<Deps, 'organizations' | 'keys' | 'selfCheck' | 'clock'> & {
  readonly config: Pick<ServiceConfig, 'stage' | 'hashSecret'>;
};

export type ProbeSetup = {
  readonly orgId: string;
  /** A key for the operator, who gives the organization test connections. Only if it was asked for. */
  readonly key: Secret | undefined;
};

const KEY_NAME = 'Probe';

/**
 * Creates the probe's organization and its key, or leaves them as they are. A key that derives from an earlier hash
 * secret is revoked.
 */
export async function bootstrapProbe(
  { newKey }: { readonly newKey: boolean },
  deps: ProbeSetupDeps,
): Promise<ProbeSetup> {
  const organization = await deps.organizations.create({
    id: PROBE_ORGANIZATION,
    name: 'Probe of this service',
    legal_name: 'Probe of this service',
    kyc: 'approved',
    plan: 'scale',
    created_at: deps.clock.now().toISOString(),
  });
  const bytes = probeKeyBytes(deps.config);
  const seed = keyedHash(deps.config.hashSecret, deps.config.stage, 'id of the probe key').toString('hex');
  const operation = { seed, at: new Date(organization.created_at), resumed: true };
  const { apiKey } = await issueApiKey(
    { org_id: PROBE_ORGANIZATION, name: KEY_NAME, kind: 'secret', scopes: PROBE_SCOPES },
    operation,
    bytes,
    deps,
  );
  const former = (await deps.keys.list(PROBE_ORGANIZATION)).filter(
    ({ id, name, created_by }) => id !== apiKey.id && name === KEY_NAME && created_by === apiKey.created_by,
  );
  for (const { id } of former) await deps.keys.revoke(PROBE_ORGANIZATION, id);
  // Last: from now on a probe that may not work is an alarm.
  await deps.selfCheck.noteProbe(deps.clock.now());
  return { orgId: PROBE_ORGANIZATION, key: newKey ? await operatorsKey(deps) : undefined };
}

async function operatorsKey(deps: ProbeSetupDeps): Promise<Secret> {
  const input = { org_id: PROBE_ORGANIZATION, name: "Operator's key", kind: 'secret', scopes: SCOPES } as const;
  return (await issueApiKey(input, unkeyedOperation(deps.clock.now()), randomSecretBytes(), deps)).text;
}
