import { expect, it } from 'vitest';
import type * as z from 'zod';
import { INTERNAL_FIELDS, type Payment } from '#shared/domain/payments/payment.model.ts';
import { PaymentReply } from '#shared/http/schema/payment.schema.ts';
import { aPayment } from '#test/support/payment.builder.ts';

/** The compiler checks that each public field has a schema, including those that few payments have. */
const SHOWN: Readonly<Record<Exclude<keyof Payment, (typeof INTERNAL_FIELDS)[number]>, z.ZodType>> = PaymentReply.shape;

it('each field of a payment is either public or internal', () => {
  const known = [...Object.keys(SHOWN), ...INTERNAL_FIELDS];
  expect(known.filter((name, n) => known.indexOf(name) !== n)).toEqual([]);
  expect(Object.keys(aPayment()).filter((name) => !known.includes(name))).toEqual([]);
});
