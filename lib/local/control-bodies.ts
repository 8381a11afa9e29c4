import { validateHeaderName, validateHeaderValue } from 'node:http';
import * as z from 'zod';
import { parseWebhookMode, WEBHOOK_MODES } from '#lib/simulators/kit/behaviour.ts';
import { DISPUTE_STEPS } from '#lib/simulators/simulators.port.ts';
import { DISPUTE_REASONS } from '#shared/domain/disputes/dispute.model.ts';
import { faultsOf, validationMessage } from '#shared/domain/reference/validation-messages.rules.ts';
import { type Clock, DAY, HOUR, MINUTE, plus, SECOND } from '#shared/kernel/clock.ts';
import { AppError } from '#shared/kernel/errors.ts';
import { PROVIDERS } from '#shared/psp/providers.ts';

const UNITS: Readonly<Record<string, number>> = { s: SECOND, m: MINUTE, h: HOUR, d: DAY };
/** The simulators' certificates are valid until then. */
const LAST_DAY = new Date('2100-01-01T00:00:00Z');

const Advance = z.string().regex(/^\d{1,6}[smhd]$/, 'Must be a number with a unit (s, m, h or d), such as 31d.');

export const ClockMove = z.union(
  [z.strictObject({ advance: Advance }), z.strictObject({ set: z.iso.datetime({ offset: true }) })],
  {
    error: 'Send either {"advance": "<n>(s|m|h|d)"} or {"set": "<ISO 8601 time>"}.',
  },
);

/** Whether Node would send this header. It throws otherwise, and the provider's response would be lost. */
function isHeader([name, value]: [string, string]): boolean {
  try {
    validateHeaderName(name);
    validateHeaderValue(name, value);
    return true;
  } catch {
    return false;
  }
}

/** A response as a bug report or a provider's document shows it. */
const RawResponse = z.strictObject({
  status: z.int().min(200).max(599),
  headers: z
    .record(z.string(), z.string())
    .refine((headers) => Object.entries(headers).every(isHeader), 'Must be names and values that HTTP allows.')
    .optional(),
  body: z.union([z.string(), z.record(z.string(), z.unknown()), z.array(z.unknown())], {
    error: 'Must be an object, which is sent as JSON, or a text, which is sent as it is.',
  }),
});

/** Behaviours and webhook modes are validated by the simulators. */
export const ScenarioBody = z.strictObject({
  provider: z.enum(PROVIDERS),
  behaviour: z.string(),
  raw: RawResponse.optional(),
  webhook: z.string().optional(),
  times: z.int().min(1).optional(),
  match: z
    .strictObject({
      operation: z.string().optional(),
      payment_id: z.string().optional(),
      customer_id: z.string().optional(),
    })
    .optional(),
});

export const CallFilter = z.object({
  provider: z.enum(PROVIDERS).optional(),
  payment_id: z.string().optional(),
});

/** How many of a list that grows with every payment: the newest ones. Without it all of them. */
const Limit = z.coerce.number().int().min(1).optional();

export function newestOf<T>(all: readonly T[], limit: string | undefined): readonly T[] {
  const count = parseBody(Limit, limit || undefined);
  return count === undefined ? all : all.slice(-count);
}

export const Completion = z.strictObject({
  provider: z.enum(PROVIDERS),
  reference: z.string().min(1),
  outcome: z.enum(['succeeded', 'failed']),
});

/** How the callbacks of this change are sent. */
const DisputeWebhook = z
  .string()
  .refine((text) => parseWebhookMode(text) !== undefined, { error: `Must be one of ${WEBHOOK_MODES.join(', ')}.` })
  .optional();

export const DisputeOpening = z.strictObject({
  provider: z.enum(PROVIDERS),
  payment_id: z.string().min(1),
  amount: z.int().min(1).optional(),
  reason: z.enum(DISPUTE_REASONS).optional(),
  inquiry: z.boolean().optional(),
  webhook: DisputeWebhook,
});

export const DisputeMove = z.strictObject({
  provider: z.enum(PROVIDERS),
  reference: z.string().min(1),
  step: z.enum(DISPUTE_STEPS),
  webhook: DisputeWebhook,
});

export function parseBody<T>(shape: z.ZodType<T>, body: unknown): T {
  const { data, error } = shape.safeParse(body, { error: validationMessage });
  if (!error) return data;
  const fields = error.issues.flatMap((issue) => faultsOf(issue));
  throw new AppError(
    'invalid_request',
    fields.map(({ path, message }) => (path ? `${path}: ${message}` : message)).join(' '),
    { details: { fields } },
  );
}

/** The clock's target, from its present time. */
export function clockTarget(move: z.infer<typeof ClockMove>, clock: Clock): (now: Date) => Date {
  const target = (now: Date) =>
    'set' in move
      ? new Date(move.set)
      : plus(now, Number.parseInt(move.advance, 10) * (UNITS[move.advance.slice(-1)] ?? 0));
  const now = clock.now();
  if (target(now) < now)
    throw new AppError('invalid_request', `The clock cannot go back. It is ${now.toISOString()} now.`);
  if (target(now) > LAST_DAY)
    throw new AppError('invalid_request', 'The clock cannot go beyond the start of the year 2100.');
  return target;
}
