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
    force: Flag.optional().meta({
      description:
        'Refund it although the customer disputes it (`payment_disputed`). The customer may then get the money twice.',
    }),
  })
  .meta({
    id: 'RefundPayment',
    description:
      'Without `amount` all that is left is refunded. What the provider cannot refund exactly, or as too ' +
      'little, is refused (`amount_not_supported`); a part may leave a rest that is so.',
  });

export const CapturePaymentBody = z
  .strictObject({
    amount: Amount.optional(),
    final: Flag.optional().meta({
      description: 'Default true: the rest of the authorization is released. `false` needs `multi_capture`.',
    }),
  })
  .meta({ id: 'CapturePayment', description: 'Without `amount` all that is left is captured.' });
