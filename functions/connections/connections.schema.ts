import * as z from 'zod';
import { STAGE_NAMES } from '#shared/domain/reference/stage.model.ts';
import { MAX_CONNECTION_METHODS, MAX_LABELS } from '#shared/domain/routing/connection.model.ts';
import {
  ANY_OFFSET,
  ByCurrency,
  CountedPagination,
  Country,
  Currency,
  ExactNumber,
  IdParam,
  ListQuery,
  Method,
  Text,
} from '#shared/http/schema/common.schema.ts';
import { trimPasted } from '#shared/kernel/text.ts';
import { PROVIDERS } from '#shared/psp/providers.ts';

export const ById = IdParam('connection');

const CONNECTION_ID = 'Must have 1 to 64 letters, digits, - or _.';
const LABEL = 'Must have 1 to 64 letters, digits, - or _.';
const Label = z
  .string(LABEL)
  .regex(/^[A-Za-z0-9_-]{1,64}$/, LABEL)
  .toLowerCase();
/** Duplicates count once. */
const unique = <T>(list: readonly T[]): T[] => [...new Set(list)];
/** Labels in a request, duplicates included. */
const MAX_SENT_LABELS = 100;
const Labels = z
  .array(Label, 'Must be a list of labels.')
  .max(MAX_SENT_LABELS, `Must have at most ${MAX_SENT_LABELS} labels.`)
  .transform(unique)
  .refine((labels) => labels.length <= MAX_LABELS, `Must have at most ${MAX_LABELS} labels.`);

const Flag = z.boolean('Must be true or false.');
const listOrAll = (code: z.ZodType<string>) =>
  z.union([z.literal('all'), z.array(code).max(300).transform(unique)], 'Must be "all" or a list of codes.');

/** What this connection can do, where it differs from its provider's usual capabilities. */
const CapabilitiesBody = z
  .strictObject({
    methods: z.array(Method).max(100).transform(unique).optional(),
    currencies: listOrAll(Currency).optional(),
    countries: listOrAll(Country).optional(),
    refunds: Flag.optional(),
    partial_refunds: Flag.optional(),
    cancel: Flag.optional(),
    off_session: Flag.optional(),
    manual_capture: Flag.optional(),
    partial_capture: Flag.optional(),
    multi_capture: Flag.optional(),
  })
  .meta({ id: 'CapabilitiesInput' });

const byMethod = <T extends z.ZodType>(value: T) =>
  z
    .record(Method, value)
    .refine(
      (values) => Object.keys(values).length <= MAX_CONNECTION_METHODS,
      `Must have at most ${MAX_CONNECTION_METHODS} methods.`,
    );

const BIAS = 'Must be a number from -1 to 1.';
const RoutingHintsBody = z
  .strictObject({
    country_preference: z.array(Country).max(300).transform(unique).optional(),
    method_bias: byMethod(ExactNumber(BIAS).min(-1, BIAS).max(1, BIAS)).optional(),
    fallback_only: Flag.optional(),
  })
  .meta({ id: 'RoutingHintsInput' });

const fee = {
  percentage: ExactNumber('Must be a percentage.').min(0, 'Must be 0 to 100.').max(100, 'Must be 0 to 100.').optional(),
  fixed: z
    .int('Must be a whole number of minor units.')
    .min(0, 'Must not be negative.')
    .max(99_999_999_999, 'Must be at most 99999999999.')
    .optional(),
};
const FeeStructureBody = z
  .strictObject({
    ...fee,
    per_method: byMethod(z.strictObject(fee)).optional(),
    per_currency: ByCurrency(z.strictObject(fee)).optional(),
  })
  .meta({ id: 'FeeStructure' });

const MAX_CREDENTIALS = 50;

/** No provider's key begins or ends with a blank. */
const trimValues = (keys: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(keys).map(([name, value]) => [name, typeof value === 'string' ? trimPasted(value) : value]),
  );

/** Fields that are not sent stay unchanged, also within `capabilities`, `routing_hints` and `fee_structure`. */
export const SaveConnectionBody = z
  .strictObject({
    id: z
      .string(CONNECTION_ID)
      .regex(/^[A-Za-z0-9_-]{1,64}$/, CONNECTION_ID)
      .optional(),
    provider: z.enum(PROVIDERS, `Must be one of ${PROVIDERS.join(', ')}.`).optional(),
    mode: z.enum(STAGE_NAMES, 'Must be sandbox or live.').optional(),
    status: z.enum(['active', 'inactive'], 'Must be active or inactive.').optional(),
    /** The provider's own keys, validated by its adapter. If sent, they replace the stored ones as a whole. */
    credentials: z
      .record(z.string(), z.unknown(), "Must be an object of the provider's own keys.")
      .refine((keys) => Object.keys(keys).length <= MAX_CREDENTIALS, `Must have at most ${MAX_CREDENTIALS} keys.`)
      .overwrite(trimValues)
      .optional(),
    capabilities: CapabilitiesBody.optional(),
    routing_hints: RoutingHintsBody.optional(),
    labels: Labels.optional(),
    workflow_id: Text(64, 1).nullable().optional(),
    fee_structure: FeeStructureBody.nullable().optional(),
  })
  .meta({ id: 'SaveConnection' });
export type SaveConnectionInput = z.output<typeof SaveConnectionBody>;

export const SetLabelsBody = z.strictObject({ labels: Labels }).meta({ id: 'SetLabels' });
export const SetStatusBody = z
  .strictObject({ status: z.enum(['active', 'inactive'], 'Must be active or inactive.') })
  .meta({ id: 'SetStatus' });

export const ListAuditQuery = ListQuery(
  {},
  { isPosition: (position) => /^[1-9]\d{0,9}$/.test(position), maxOffset: ANY_OFFSET },
);
export type ListAuditInput = z.output<typeof ListAuditQuery>;

const ConnectionAuditReply = z
  .object({
    id: z.int(),
    actor_id: z.string(),
    actor_claimed: z.boolean(),
    action: z.enum([
      'created',
      'updated',
      'status_changed',
      'labels_changed',
      'validated',
      'deleted',
      'credentials_purged',
    ]),
    metadata: z.object({
      changes: z.record(z.string(), z.object({ from: z.unknown(), to: z.unknown() })),
      credential_id: z.string().nullable(),
    }),
    created_at: z.string(),
  })
  .meta({ id: 'ConnectionAudit' });
export const ListAuditReply = z.array(ConnectionAuditReply);

export const ListConnectionsQuery = ListQuery(
  {
    label: Text(64).toLowerCase().optional(),
    provider: Text(40).toLowerCase().optional(),
    status: z.enum(['active', 'inactive'], 'Must be active or inactive.').optional(),
    mode: z.enum(STAGE_NAMES, 'Must be sandbox or live.').optional(),
  },
  { isPosition: (position) => /^\d{4}-[\dT:.-]+Z [A-Za-z0-9_-]{1,64}$/.test(position), maxOffset: ANY_OFFSET },
);
export type ListConnectionsInput = z.output<typeof ListConnectionsQuery>;

const CapabilitiesReply = z
  .object({
    methods: z.array(z.string()).readonly(),
    currencies: z.union([z.literal('all'), z.array(z.string()).readonly()]),
    countries: z.union([z.literal('all'), z.array(z.string()).readonly()]),
    refunds: z.boolean(),
    partial_refunds: z.boolean(),
    cancel: z.boolean(),
    off_session: z.boolean(),
    manual_capture: z.boolean(),
    partial_capture: z.boolean(),
    multi_capture: z.boolean(),
  })
  .meta({ id: 'Capabilities' });

/** Without the sealed credentials. Calls are counted asynchronously, and so a few seconds late. */
export const ConnectionReply = z
  .object({
    id: z.string(),
    provider: z.enum(PROVIDERS),
    mode: z.enum(STAGE_NAMES),
    status: z.enum(['active', 'inactive']),
    capabilities: CapabilitiesReply,
    routing_hints: z.object({
      country_preference: z.array(z.string()).readonly(),
      method_bias: z.record(z.string(), z.number()),
      fallback_only: z.boolean(),
    }),
    callback_url: z.string(),
    labels: z.array(z.string()).readonly(),
    workflow_id: z.string().nullable(),
    fee_structure: FeeStructureBody.nullable(),
    total_calls: z.int(),
    successful_calls: z.int(),
    failed_calls: z.int(),
    total_latency_ms: z.int(),
    last_success_at: z.string().nullable(),
    last_failure_at: z.string().nullable(),
    foreign_events: z.int(),
    last_foreign_event_at: z.string().nullable(),
    health_score: z.number().nullable(),
    health_status: z.enum(['unknown', 'healthy', 'degraded', 'down']),
    last_validated_at: z.string().nullable(),
    last_validation_status: z.enum(['never', 'valid', 'invalid', 'unreachable']),
    last_validation_error: z.string().nullable(),
    validation_failures: z.int(),
    name_match_status: z.enum(['unknown', 'match', 'mismatch']),
    created_at: z.string(),
    updated_at: z.string(),
  })
  .meta({ id: 'Connection' });

export const ListConnectionsReply = z
  .object({
    connections: z.array(ConnectionReply).readonly(),
    pagination: CountedPagination,
  })
  .meta({ id: 'ConnectionList' });

const Warnings = z.array(z.string()).readonly().optional();

export const ValidateConnectionReply = ConnectionReply.extend({ warnings: Warnings }).meta({
  id: 'ValidatedConnection',
});

export const TestConnectionReply = z
  .object({
    ok: z.boolean(),
    message: z.string(),
    capabilities: CapabilitiesReply,
    validation: z.object({
      credentials: z.enum(['valid', 'invalid', 'unreachable']),
      account_name: z.string().nullable(),
      name_match_status: z.enum(['unknown', 'match', 'mismatch']),
      latency_ms: z.number(),
    }),
    warnings: Warnings,
  })
  .meta({ id: 'ConnectionTest' });
