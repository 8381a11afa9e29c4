import type * as z from 'zod';
import type { Metadata } from '#shared/domain/payments/payment.model.ts';
import { type Facts, filledText, filledValue } from '#shared/domain/workflows/expression.rules.ts';
import { Metadata as MetadataShape, Text } from '#shared/http/schema/common.schema.ts';
import { AppError } from '#shared/kernel/errors.ts';

/** What the API takes as the reason of a refund. */
const Reason = Text(200, 1);

/**
 * Fields of a step whose texts have expressions, with their values. What such a field may not hold is refused in the
 * words in which a request would be.
 */
export function filledMetadata(metadata: Metadata, facts: Facts): Metadata {
  const filled = Object.entries(metadata).map(([name, value]) => [
    name,
    typeof value === 'string' ? filledTag(name, value, facts) : value,
  ]);
  return allowed(MetadataShape, Object.fromEntries(filled), 'metadata');
}

function filledTag(name: string, text: string, facts: Facts): string | number | boolean {
  const value = filledValue(text, facts);
  if (value === null) throw new AppError('invalid_request', `metadata.${name}: ${text} has no value.`);
  return value;
}

export const filledReason = (reason: string, facts: Facts): string =>
  allowed(Reason, filledText(reason, facts), 'reason');

function allowed<T>(shape: z.ZodType<T>, value: unknown, field: string): T {
  const { data, error } = shape.safeParse(value);
  if (!error) return data;
  const [{ path = [], message = '' } = {}] = error.issues;
  throw new AppError('invalid_request', `${[field, ...path].join('.')}: ${message}`);
}
