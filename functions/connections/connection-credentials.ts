import type { SaveConnectionInput } from '#functions/connections/connections.schema.ts';
import type { Stage } from '#shared/domain/reference/stage.model.ts';
import type { Connection } from '#shared/domain/routing/connection.model.ts';
import type { NewCredentials } from '#shared/domain/routing/connection-credentials.rules.ts';
import { webhookSecretErrors } from '#shared/domain/routing/webhook-secret.rules.ts';
import { monotonic } from '#shared/kernel/clock.ts';
import { invalidFields } from '#shared/kernel/errors.ts';
import { isHashOf, versionedHash } from '#shared/kernel/hash-versions.ts';
import { keyedHash } from '#shared/kernel/ids.ts';
import { Secret } from '#shared/kernel/secret.ts';
import type { Deps, HashConfig } from '#shared/ports/deps.ts';
import { type PspFacts, PspNotSent, PspOutcomeUnknown, PspRefused } from '#shared/ports/psp.port.ts';
import type { PspSession } from '#shared/ports/psp-gateway.port.ts';

type Credentials = Readonly<Record<string, unknown>>;
type Owner = { readonly orgId: string; readonly id: string };

/** Seals sent credentials at most once. Unchanged credentials keep the stored ciphertext. */
export function credentialsSealer(
  credentials: Credentials | undefined,
  owner: Owner,
  { vault, config }: Pick<Deps, 'vault' | 'config'>,
) {
  let sealed: Promise<string> | undefined;
  return async (stored: Connection | undefined): Promise<NewCredentials | undefined> => {
    if (!credentials) return undefined;
    const fingerprints = fingerprintsOf(credentials, owner, stored, config);
    const isUnchanged = stored?.content_mark === fingerprints.content_mark && stored.sealed_credentials !== '';
    if (isUnchanged) return { ...fingerprints, sealed_credentials: stored.sealed_credentials };
    sealed ??= vault.seal(new Secret(JSON.stringify(credentials)), { ...owner, purpose: 'credentials' });
    return { ...fingerprints, sealed_credentials: await sealed };
  };
}

type Marks = Pick<Connection, 'credentials_mark' | 'content_mark'>;

/**
 * Keyed hashes, equal for equal credentials in any order of fields. The first one leaves out the webhook secret, which
 * gives no access to the PSP. A stored hash of another version of the secret stays if the credentials are the same.
 */
function fingerprintsOf(
  credentials: Credentials,
  { orgId, id }: Owner,
  stored: Marks | undefined,
  { hashSecret, rotations }: HashConfig,
) {
  const fields = Object.entries(credentials).sort(([a], [b]) => (a < b ? -1 : 1));
  const fingerprint = (of: typeof fields, known: string | undefined) => {
    const rotation = rotations?.hashSecret;
    const make = (secret: string) =>
      keyedHash(secret, 'credentials', orgId, id, JSON.stringify(of)).subarray(0, 6).toString('base64url');
    if (known !== undefined && isHashOf(known, hashSecret, rotation, make)) return known;
    return rotation ? versionedHash(hashSecret, rotation, make) : make(hashSecret);
  };
  return {
    credentials_mark: fingerprint(
      fields.filter(([name]) => name !== 'webhook_secret'),
      stored?.credentials_mark,
    ),
    content_mark: fingerprint(fields, stored?.content_mark),
  };
}

/** What is known of the provider. Throws if the input is invalid, with all errors at once. */
export async function validProvider(
  input: SaveConnectionInput,
  current: Connection | undefined,
  { psp, config }: Pick<Deps, 'psp' | 'config'>,
): Promise<PspFacts> {
  const provider = current?.provider ?? input.provider;
  const facts = provider && psp.adapter(provider);
  const mode = current?.mode ?? input.mode ?? config.stage;
  const errors = [
    ...(provider ? [] : [{ path: 'provider', message: 'Required for a new connection.' }]),
    ...(provider && !facts ? [{ path: 'provider', message: 'There is no such provider.' }] : []),
    ...(current || input.credentials ? [] : [{ path: 'credentials', message: 'Required for a new connection.' }]),
    ...(facts && input.credentials ? await credentialErrors(input.credentials, mode, facts, psp) : []),
  ];
  if (!facts || errors.length > 0) throw invalidFields(errors);
  return facts;
}

/**
 * The mode of most credentials is visible. It must match, because some providers accept test and live keys at the same
 * address, where only the key decides.
 */
async function credentialErrors(
  credentials: Readonly<Record<string, unknown>>,
  mode: Stage,
  { provider, webhookSecretOrigin }: PspFacts,
  psp: Deps['psp'],
) {
  const parsed = await psp.parseCredentials(provider, credentials);
  if (!parsed.ok)
    return parsed.faults.map(({ path, message }) => ({ path: path ? `credentials.${path}` : 'credentials', message }));
  const weak = webhookSecretErrors(credentials, webhookSecretOrigin);
  if (parsed.mode === undefined || parsed.mode === mode) return weak;
  return [
    ...weak,
    {
      path: 'credentials',
      message: `These are ${parsed.mode} credentials, but the connection is in ${mode} mode.`,
    },
  ];
}

type CredentialCheck = {
  readonly credentials: 'valid' | 'invalid' | 'unreachable';
  readonly account_name: string | null;
  readonly latency_ms: number;
  /** The PSP's error message, if any. */
  readonly error: string | null;
};

/** What the merchant should change, though the PSP accepts the credentials. */
type Warnings = { readonly warnings?: readonly string[] };

/** Makes one cheap authenticated call. If the PSP can't be reached, nothing is known about the credentials. */
export async function checkCredentials(
  open: () => Promise<PspSession>,
): Promise<{ readonly check: CredentialCheck } & Warnings> {
  let warnings: readonly string[] = [];
  const check = await pinged(async () => {
    const session = await open();
    warnings = session.warnings();
    return session;
  });
  return { check, ...(warnings.length > 0 && { warnings }) };
}

async function pinged(open: () => Promise<PspSession>): Promise<CredentialCheck> {
  const startedAt = monotonic();
  const latency = () => Math.round(monotonic() - startedAt);
  try {
    const { accountName } = await (await open()).ping();
    return { credentials: 'valid', account_name: accountName, latency_ms: latency(), error: null };
  } catch (error) {
    const failure = { account_name: null, latency_ms: latency() };
    if (error instanceof PspRefused) return { ...failure, credentials: 'invalid', error: error.message };
    if (error instanceof PspNotSent || error instanceof PspOutcomeUnknown)
      return { ...failure, credentials: 'unreachable', error: error.message };
    throw error;
  }
}
