import type { Stage } from '#shared/domain/reference/stage.model.ts';
import type {
  Capabilities,
  Connection,
  FeeStructure,
  Provider,
  RoutingHints,
} from '#shared/domain/routing/connection.model.ts';
import {
  formerCredentialsOf,
  type NewCredentials,
  replaceCredentials,
} from '#shared/domain/routing/connection-credentials.rules.ts';
import { AppError } from '#shared/kernel/errors.ts';

/** Changes that a client requests; undefined fields stay unchanged. */
export type ConnectionInput = {
  readonly provider?: Provider;
  readonly mode?: Connection['mode'];
  readonly status?: Connection['status'];
  readonly capabilities?: Partial<Capabilities>;
  readonly routing_hints?: Partial<RoutingHints>;
  readonly labels?: readonly string[];
  readonly workflow_id?: string | null;
  readonly fee_structure?: FeeStructure | null;
};

/** Throws if the input changes a fixed field, or if a sandbox would move real money. */
export function assertChangeAllowed(input: ConnectionInput, current: Connection | undefined, stage: Stage): void {
  if (current && input.provider !== undefined && input.provider !== current.provider) {
    throw new AppError(
      'provider_immutable',
      `The provider of ${current.id} is ${current.provider} and cannot be changed. Create another connection.`,
    );
  }
  if (input.mode === 'live' && stage === 'sandbox') {
    throw new AppError('mode_not_allowed', 'The sandbox has no live connections. Use the live API base URL.');
  }
  if (current && input.mode !== undefined && input.mode !== current.mode) {
    throw new AppError(
      'mode_immutable',
      `The mode of ${current.id} is ${current.mode} and cannot be changed. Create another connection.`,
    );
  }
}

type ConnectionSeed = Pick<Connection, 'id' | 'org_id' | 'provider' | 'mode' | 'capabilities'>;

type ConnectionDraft = Omit<Connection, 'sealed_credentials'>;

/** The validation state of credentials that were never tried. */
const NOT_VALIDATED = {
  last_validated_at: null,
  last_validation_status: 'never',
  last_validation_error: null,
  validation_failures: 0,
  name_match_status: 'unknown',
} as const satisfies Partial<Connection>;

/** A new connection with its defaults. */
export const newConnection = (seed: ConnectionSeed, at: Date): ConnectionDraft => ({
  ...seed,
  status: 'active',
  routing_hints: { country_preference: [], method_bias: {}, fallback_only: false },
  labels: [],
  workflow_id: null,
  fee_structure: null,
  ...NOT_VALIDATED,
  created_at: at.toISOString(),
  updated_at: at.toISOString(),
  version: 0,
  audits: 0,
  used_by_rules: 0,
  generation: 1,
  former: [],
});

/**
 * A new connection under a deleted one's id. Only counters carry over, and the credentials that earlier payments need.
 */
export const recreatedConnection = (seed: ConnectionSeed, deleted: Connection, at: Date): ConnectionDraft => ({
  ...newConnection(seed, at),
  version: deleted.version,
  audits: deleted.audits,
  generation: deleted.generation + 1,
  former: [...deleted.former, ...formerCredentialsOf(deleted, new Date(deleted.deleted_at ?? at))],
});

export function markDeleted(current: Connection, at: Date): Connection {
  const { id, used_by_rules: rules } = current;
  if (rules > 0)
    throw new AppError(
      'connection_in_use',
      `${rules === 1 ? 'A routing rule uses' : `${rules} routing rules use`} ${id}. Change or delete ` +
        `${rules === 1 ? 'it' : 'them'} first.`,
    );
  return { ...nextVersion(current, at), status: 'inactive', deleted_at: at.toISOString() };
}

export const nextVersion = (current: Connection, at: Date): Connection => ({
  ...current,
  updated_at: at.toISOString(),
  version: current.version + 1,
  audits: current.audits + 1,
});

/** The next version. New credentials may be of another account, so earlier validation results are void. */
export function mergeConnection(
  current: ConnectionDraft | Connection,
  input: ConnectionInput,
  newCredentials: NewCredentials | undefined,
  at: Date,
): Connection {
  const credentials = replaceCredentials(current, newCredentials, at);
  const renewed = 'sealed_credentials' in current && current.sealed_credentials !== credentials.sealed_credentials;
  return {
    ...current,
    ...credentials,
    status: input.status ?? current.status,
    capabilities: { ...current.capabilities, ...input.capabilities },
    routing_hints: { ...current.routing_hints, ...input.routing_hints },
    labels: input.labels ?? current.labels,
    workflow_id: input.workflow_id === undefined ? current.workflow_id : input.workflow_id,
    fee_structure: mergedFees(current.fee_structure, input.fee_structure),
    ...(renewed && NOT_VALIDATED),
    updated_at: at.toISOString(),
    version: current.version + 1,
    audits: current.audits + 1,
  };
}

/** Undefined keeps the current value, null removes it. */
function mergedFees(current: FeeStructure | null, input: FeeStructure | null | undefined): FeeStructure | null {
  if (input === undefined) return current;
  return input && { ...current, ...input };
}

type ValidationResult = {
  readonly credentials: 'valid' | 'invalid' | 'unreachable';
  readonly error: string | null;
  readonly name_match_status: Connection['name_match_status'];
};

/** Records a validation. `validation_failures` counts those since the last success; only a success brings a name. */
export function recordValidation(
  current: Connection,
  { credentials, error, name_match_status }: ValidationResult,
  at: Date,
): Connection {
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
