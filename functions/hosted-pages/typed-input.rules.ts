import type { NextAction } from '#shared/domain/payments/payment.model.ts';
import { toAsciiDigits } from '#shared/kernel/text.ts';

type Field = Extract<NextAction, { type: 'collect' }>['field'];

/** Blanks and dashes that people put into a code, or that come along when they paste it. */
const CODE_SEPARATORS = /[\s\p{Dash}\p{Cf}]/gu;

/**
 * What the customer typed, as banks take it: digits of any script as 0 to 9, and codes without blanks. An address stays
 * as it was typed, apart from its digits.
 */
export function typedInput(field: Field, typed: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const isCode = field === 'otp' || field === 'pin';
  return Object.fromEntries(
    Object.entries(typed).map(([name, value]) => {
      const text = toAsciiDigits(value.normalize('NFC')).trim();
      return [name, isCode ? text.replaceAll(CODE_SEPARATORS, '') : text];
    }),
  );
}
