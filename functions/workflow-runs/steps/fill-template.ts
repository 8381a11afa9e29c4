import type * as z from 'zod';
import type { Metadata } from '#shared/domain/payments/payment.model.ts';
import { type Facts, fillText, fillValue } from '#shared/domain/workflows/expression.rules.ts';
import { Metadata as MetadataShape, Text } from '#shared/http/schema/common.schema.ts';
import { AppError } from '#shared/kernel/errors.ts';

/** The same limit as the API's for a refund's reason. */
const Reason = Text(200, 1);

/** Replaces expressions in a step's fields by their values. The results must pass the API's own validation. */
export function filledMetadata(metadata: Metadata, facts: Facts): Metadata {
  const filled = Object.entries(metadata).map(([name, value]) => [
    name,
    typeof value === 'string' ? filledTag(name, value, facts) : value,
  ]);
  return allowed(MetadataShape, Object.fromEntries(filled), 'metadata');
}

function filledTag(name: string, text: string, facts: Facts): string | number | boolean {
  const value = fillValue(text, facts);
  if (value === null) throw new AppError('invalid_request', `metadata.${name}: ${text} has no value.`);
  return value;
}

export const filledReason = (reason: string, facts: Facts): string =>
  allowed(Reason, fillText(reason, facts), 'reason');

function allowed<T>(shape: z.ZodType<T>, value: unknown, field: string): T {
  const { data, error } = shape.safeParse(value);
  if (!error) return data;
  const [{ path = [], message = '' } = {}] = error.issues;
  throw new AppError('invalid_request', `${[field, ...path].join('.')}: ${message}`);
}
