import * as z from 'zod';
import { STAGE_NAMES } from '#shared/domain/reference/stage.model.ts';
import { AB_TEST_STATUSES } from '#shared/domain/routing/ab-test.model.ts';
import {
  ANY_OFFSET,
  CountedPagination,
  Country,
  Currency,
  ExactNumber,
  IdParam,
  ListQuery,
  Method,
  Name,
  Text,
  Timestamp,
} from '#shared/http/schema/common.schema.ts';
import { isId } from '#shared/kernel/ids.ts';

export const ById = IdParam('abTest');

const WEIGHT = 'Must be a whole number from 1 to 10000.';
const TRAFFIC = 'Must be a number, 0 to 100.';

const Variant = z.strictObject({
  name: Text(64, 1).refine((text) => text.trim() !== '', 'Must not be blank.'),
  routing_rule_id: Text(64, 1),
  weight: z.int(WEIGHT).min(1, WEIGHT).max(10_000, WEIGHT),
});

const listOf = <T extends z.ZodType<string>>(each: T, max: number, what: string) =>
  z
    .array(each, `Must be a list of ${what}.`)
    .max(max, `Must have at most ${max} ${what}.`)
    .transform((list) => [...new Set(list)]);

const fields = {
  name: Name,
  variants: z
    .array(Variant, 'Must be a list of variants.')
    .min(2, 'Must have at least 2 variants.')
    .max(10, 'Must have at most 10 variants.')
    .refine(
      (variants) => new Set(variants.map(({ name }) => name)).size === variants.length,
      'Must have different names.',
    ),
  description: Text(1_000).nullable(),
  traffic_percentage: ExactNumber(TRAFFIC).min(0, TRAFFIC).max(100, TRAFFIC),
  target_currencies: listOf(Currency, 200, 'currencies'),
  target_countries: listOf(Country, 300, 'countries'),
  target_methods: listOf(Method, 20, 'methods'),
  start_at: Timestamp.nullable(),
  end_at: Timestamp.nullable(),
};

export const CreateAbTestBody = z
  .strictObject({
    name: fields.name,
    variants: fields.variants,
    description: fields.description.optional(),
    traffic_percentage: fields.traffic_percentage.optional(),
    target_currencies: fields.target_currencies.optional(),
    target_countries: fields.target_countries.optional(),
    target_methods: fields.target_methods.optional(),
    start_at: fields.start_at.optional(),
    end_at: fields.end_at.optional(),
  })
  .meta({ id: 'CreateAbTest' });
export type CreateAbTestInput = z.output<typeof CreateAbTestBody>;

export const UpdateAbTestBody = z.strictObject(fields).partial().meta({ id: 'UpdateAbTest' });
export type UpdateAbTestInput = z.output<typeof UpdateAbTestBody>;

export const ListAbTestsQuery = ListQuery(
  { status: z.enum(AB_TEST_STATUSES, `Must be one of ${AB_TEST_STATUSES.join(', ')}.`).optional() },
  { isPosition: (position) => isId('abTest', position), maxLimit: 100, maxOffset: ANY_OFFSET },
);
export type ListAbTestsInput = z.output<typeof ListAbTestsQuery>;

const Status = z.enum(AB_TEST_STATUSES);
const Strings = z.array(z.string()).readonly();

export const AbTestReply = z
  .object({
    id: z.string(),
    org_id: z.string(),
    mode: z.enum(STAGE_NAMES),
    name: z.string(),
    description: z.string().nullable(),
    status: Status,
    variants: z.array(z.object({ name: z.string(), routing_rule_id: z.string(), weight: z.int() })).readonly(),
    traffic_percentage: z.number(),
    target_currencies: Strings,
    target_countries: Strings,
    target_methods: Strings,
    start_at: z.string().nullable(),
    end_at: z.string().nullable(),
    start_failure: z.string().nullable(),
    total_transactions: z.int(),
    created_at: z.string(),
    updated_at: z.string(),
  })
  .meta({ id: 'AbTest' });

export const AbTestsReply = z
  .object({
    ab_tests: z.array(AbTestReply),
    pagination: CountedPagination,
  })
  .meta({ id: 'AbTestList' });

export const AbTestStatusReply = z.object({ id: z.string(), status: Status }).meta({ id: 'AbTestStatus' });

const AbTestResult = z
  .object({
    id: z.string(),
    test_id: z.string(),
    variant_name: z.string(),
    transactions: z.int(),
    successful: z.int(),
    failed: z.int(),
    currency: z.string().nullable(),
    total_amount: z.number(),
    avg_latency_ms: z.number().nullable(),
    success_rate: z.number().nullable(),
    updated_at: z.string().nullable(),
  })
  .meta({ id: 'AbTestResult' });
export const AbTestResultsReply = z.object({ results: z.array(AbTestResult).readonly() }).meta({ id: 'AbTestResults' });

export const AbTestComparisonReply = z
  .object({
    winning_variant: z.string().nullable(),
    success_rate_diff: z.number().nullable(),
    latency_diff: z.number().nullable(),
    statistically_valid: z.boolean(),
    confidence_level: z.number(),
    recommended_duration: z.number(),
  })
  .meta({ id: 'AbTestComparison' });
