import * as z from 'zod';
import { isEmail, normalizeEmail } from '#shared/domain/reference/email.rules.ts';
import { normalizeDomain, normalizeNetwork } from '#shared/domain/routing/fraud.rules.ts';
import { VELOCITY_FIELDS } from '#shared/domain/routing/fraud-policy.model.ts';
import { windowLength } from '#shared/domain/routing/velocity.rules.ts';
import { Amount, ByCurrency, Country, Currency, Text } from '#shared/http/schema/common.schema.ts';
import { trimPasted } from '#shared/kernel/text.ts';

const MAX_LIST_ENTRIES = 500;
const listOf = (entry: z.ZodType<string>) =>
  z
    .array(entry, 'Must be a list.')
    .max(MAX_LIST_ENTRIES, `Must have at most ${MAX_LIST_ENTRIES} entries.`)
    .transform((entries) => [...new Set(entries)]);

/** Stores the canonical form; `write` returns undefined for invalid text. */
const normal = (message: string, write: (text: string) => string | undefined) =>
  Text(320, 1).transform((text, context) => {
    const written = write(trimPasted(text));
    if (written !== undefined) return written;
    context.addIssue({ code: 'custom', message });
    return z.NEVER;
  });

const Email = normal('Must be an email address.', (text) =>
  isEmail(normalizeEmail(text)) ? normalizeEmail(text) : undefined,
);
const Domain = normal('Must be a domain, such as example.com.', normalizeDomain);
const Network = normal('Must be an IP address, or a network such as 203.0.113.0/24.', normalizeNetwork);

const lists = {
  countries: listOf(Country),
  emails: listOf(Email),
  email_domains: listOf(Domain),
  customer_ids: listOf(Text(200, 1)),
  ips: listOf(Network),
};
const ListsBody = z
  .strictObject({
    countries: lists.countries.default([]),
    emails: lists.emails.default([]),
    email_domains: lists.email_domains.default([]),
    customer_ids: lists.customer_ids.default([]),
    ips: lists.ips.default([]),
  })
  .meta({ id: 'FraudLists' });

const MAX_VELOCITY_RULES = 10;
const MAX_VELOCITY_PAYMENTS = 1_000;
const COUNT = `Must be a whole number from 1 to ${MAX_VELOCITY_PAYMENTS}.`;
const WINDOW = 'Must be a duration of at most 30 days, such as 30s, 10m, 24h or 7d.';
/** Reported together with all other invalid fields. */
const always = ({ value }: { readonly value: unknown }): boolean => typeof value === 'object' && value !== null;

const VelocityBody = z
  .strictObject({
    field: z.enum(VELOCITY_FIELDS, `Must be one of ${VELOCITY_FIELDS.join(', ')}.`),
    max_payments: z.int(COUNT).min(1, COUNT).max(MAX_VELOCITY_PAYMENTS, COUNT),
    max_amount: Amount.optional(),
    currency: Currency.optional(),
    window: z
      .string(WINDOW)
      .regex(/^[1-9]\d{0,6}[smhd]$/, { error: WINDOW, abort: true })
      .refine((text) => windowLength(text) !== undefined, WINDOW)
      .meta({ example: '10m' }),
  })
  .refine(({ max_amount, currency }) => max_amount === undefined || currency !== undefined, {
    path: ['currency'],
    message: 'Required together with max_amount.',
    when: always,
  })
  .meta({ id: 'VelocityRule' });

export const SaveFraudPolicyBody = z
  .strictObject({
    enabled: z.boolean('Must be true or false.').optional(),
    max_amount: ByCurrency(Amount).optional(),
    velocity: z
      .array(VelocityBody, 'Must be a list of rules.')
      .max(MAX_VELOCITY_RULES, `Must have at most ${MAX_VELOCITY_RULES} rules.`)
      .optional(),
    blocked: ListsBody.optional(),
    allowed: ListsBody.optional(),
    action: z.enum(['block', 'flag'], 'Must be block or flag.').optional(),
  })
  .meta({ id: 'SaveFraudPolicy' });
export type SaveFraudPolicyInput = z.output<typeof SaveFraudPolicyBody>;

const ListsReply = z
  .object({
    countries: z.array(z.string()).readonly(),
    emails: z.array(z.string()).readonly(),
    email_domains: z.array(z.string()).readonly(),
    customer_ids: z.array(z.string()).readonly(),
    ips: z.array(z.string()).readonly(),
  })
  .meta({ id: 'FraudListsShown' });

export const FraudPolicyReply = z
  .object({
    enabled: z.boolean(),
    max_amount: z.record(z.string(), z.int()),
    velocity: z
      .array(
        z.object({
          field: z.string(),
          max_payments: z.number(),
          max_amount: z.number().optional(),
          currency: z.string().optional(),
          window: z.string(),
        }),
      )
      .readonly(),
    blocked: ListsReply,
    allowed: ListsReply,
    action: z.enum(['block', 'flag']),
    updated_at: z.string().nullable(),
  })
  .meta({ id: 'FraudPolicy' });
