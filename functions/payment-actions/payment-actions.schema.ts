import * as z from 'zod';
import { Amount, Flag, Metadata, Text } from '#shared/http/schema/common.schema.ts';
import { DETAILS } from '#shared/http/schema/payment-details.schema.ts';
import { PaymentMethodBody } from '#shared/http/schema/payment-method.schema.ts';

export const RetryPaymentBody = z
  .strictObject({ payment_method: PaymentMethodBody.optional(), ...DETAILS })
  .meta({ id: 'RetryPayment' });

export const RefundPaymentBody = z
  .strictObject({
    amount: Amount.optional(),
    reason: Text(200, 1).optional(),
    metadata: Metadata.optional(),
    force: Flag.optional(),
  })
  .meta({ id: 'RefundPayment' });

export const CapturePaymentBody = z
  .strictObject({
    amount: Amount.optional(),
    final: Flag.optional(),
  })
  .meta({ id: 'CapturePayment' });
