import { expect, it } from 'vitest';
import type * as z from 'zod';
import { PaymentReply } from '#functions/payments/payments.schema.ts';
import { INNER_FIELDS, type Payment } from '#shared/domain/payments/payment.model.ts';
import { aPayment } from '#test/support/payment.builder.ts';

/** That each field that is not inner has a shape is for the compiler to see: fields that few payments have, too. */
const SHOWN: Readonly<Record<Exclude<keyof Payment, (typeof INNER_FIELDS)[number]>, z.ZodType>> = PaymentReply.shape;

it('a payment’s field is either shown or inner', () => {
  const known = [...Object.keys(SHOWN), ...INNER_FIELDS];
  expect(known.filter((name, n) => known.indexOf(name) !== n)).toEqual([]);
  expect(Object.keys(aPayment()).filter((name) => !known.includes(name))).toEqual([]);
});
