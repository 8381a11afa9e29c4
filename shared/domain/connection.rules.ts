import type { Stage } from '#shared/domain/api-key.model.ts';
import type { Capabilities, Connection, FeeStructure, RoutingHints } from '#shared/domain/connection.model.ts';
import { exchangeCredentials, formerOf, type HeldCredentials } from '#shared/domain/connection-credentials.rules.ts';
import type { Provider } from '#shared/domain/provider.model.ts';
import { AppError } from '#shared/kernel/errors.ts';

/** What a client wants of a connection; what is undefined stays as it is. */
export type ConnectionWish = {
  readonly provider?: Provider;
  readonly mode?: Connection['mode'];
  readonly status?: Connection['status'];
  readonly capabilities?: Partial<Capabilities>;
  readonly routing_hints?: Partial<RoutingHints>;
  readonly labels?: readonly string[];
  readonly workflow_id?: string | null;
  readonly fee_structure?: FeeStructure | null;
};

/** Throws where the wish touches what never changes, or a sandbox would move real money. */
export function refuseForbidden(wish: ConnectionWish, current: Connection | undefined, stage: Stage): void {
  if (current && wish.provider !== undefined && wish.provider !== current.provider) {
    throw new AppError('provider_immutable', `The provider of ${current.id} is ${current.provider} for good. Make another connection.`);
  }
  if (wish.mode === 'live' && stage === 'sandbox') {
    throw new AppError('mode_not_allowed', 'The sandbox has no live connections. Use the live base address.');
  }
  if (current && wish.mode !== undefined && wish.mode !== current.mode) {
    throw new AppError('mode_immutable', `The mode of ${current.id} is ${current.mode} for good. Make another connection.`);
  }
}

type Birth = Pick<Connection, 'id' | 'org_id' | 'provider' | 'mode' | 'capabilities'>;

type Unborn = Omit<Connection, 'sealed_credentials'>;

/** A connection that nobody has wished anything of yet. */
export const newConnection = (birth: Birth, at: Date): Unborn => ({
  ...birth,
  status: 'active',
  routing_hints: { country_preference: [], method_bias: {}, fallback_only: false },
  labels: [],
  workflow_id: null,
  fee_structure: null,
  last_validated_at: null,
  last_validation_status: 'never',
  last_validation_error: null,
  validation_failures: 0,
  name_match_status: 'unknown',
  created_at: at.toISOString(),
  updated_at: at.toISOString(),
  version: 0,
  audits: 0,
  used_by_rules: 0,
  generation: 1,
  former: [],
});

/** A new connection under the id of a deleted one: nothing of that remains but what counts on, and what its payments are asked about with. */
export const bornAgain = (birth: Birth, gone: Connection, at: Date): Unborn => ({
  ...newConnection(birth, at),
  version: gone.version,
  audits: gone.audits,
  generation: gone.generation + 1,
  former: [...gone.former, ...formerOf(gone, new Date(gone.deleted_at ?? at))],
});

export function deleteConnection(current: Connection, at: Date): Connection {
  const { id, used_by_rules: rules } = current;
  if (rules > 0)
    throw new AppError(
      'connection_in_use',
      `${rules === 1 ? 'A routing rule uses' : `${rules} routing rules use`} ${id}. Change or delete ${rules === 1 ? 'it' : 'them'} first.`,
    );
  return { ...nextVersion(current, at), status: 'inactive', deleted_at: at.toISOString() };
}

export const nextVersion = (current: Connection, at: Date): Connection => ({
  ...current,
  updated_at: at.toISOString(),
  version: current.version + 1,
  audits: current.audits + 1,
});

/** The next version. New credentials are another account's, perhaps: what was found out with the old ones is void. */
export function mergeConnection(current: Unborn | Connection, wish: ConnectionWish, held: HeldCredentials | undefined, at: Date): Connection {
  const credentials = exchangeCredentials(current, held, at);
  const renewed = 'sealed_credentials' in current && current.sealed_credentials !== credentials.sealed_credentials;
  return {
    ...current,
    ...credentials,
    status: wish.status ?? current.status,
    capabilities: { ...current.capabilities, ...wish.capabilities },
    routing_hints: { ...current.routing_hints, ...wish.routing_hints },
    labels: wish.labels ?? current.labels,
    workflow_id: wish.workflow_id === undefined ? current.workflow_id : wish.workflow_id,
    fee_structure: mergedFees(current.fee_structure, wish.fee_structure),
    ...(renewed && { last_validated_at: null, last_validation_status: 'never', last_validation_error: null, name_match_status: 'unknown' }),
    updated_at: at.toISOString(),
    version: current.version + 1,
    audits: current.audits + 1,
  };
}

/** Undefined keeps what there is, null takes it away. */
function mergedFees(current: FeeStructure | null, wish: FeeStructure | null | undefined): FeeStructure | null {
  if (wish === undefined) return current;
  return wish && { ...current, ...wish };
}

type Trial = {
  readonly credentials: 'valid' | 'invalid' | 'unreachable';
  readonly error: string | null;
  readonly name_match_status: Connection['name_match_status'];
};

/** What a validation found. `validation_failures` counts those since the last that succeeded; only a success tells the name. */
export function recordTrial(current: Connection, { credentials, error, name_match_status }: Trial, at: Date): Connection {
  const isValid = credentials === 'valid';
  return {
    ...nextVersion(current, at),
    last_validated_at: at.toISOString(),
    last_validation_status: credentials,
    last_validation_error: error,
    validation_failures: isValid ? 0 : current.validation_failures + 1,
    name_match_status: isValid ? name_match_status : current.name_match_status,
  };
}
