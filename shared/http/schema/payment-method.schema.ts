import * as z from 'zod';
import type { PaymentMethodInput } from '#shared/domain/payments/payment-input.model.ts';
import { Method, Text } from '#shared/http/schema/common.schema.ts';
import { PROVIDERS } from '#shared/psp/providers.ts';

/** Wallets' tokens are long; all of a payment must stay well below what one item of the table takes. */
const MAX_TOKEN_LENGTH = 20_000;
const TOKEN = `Must be text, or an object of up to 10 texts, of ${MAX_TOKEN_LENGTH} characters at most.`;
const isShort = (fields: object): boolean =>
  Object.keys(fields).length <= 10 && JSON.stringify(fields).length <= MAX_TOKEN_LENGTH;
const Token = z.union(
  [Text(MAX_TOKEN_LENGTH, 1), z.record(Text(60, 1), Text(MAX_TOKEN_LENGTH, 1)).refine(isShort)],
  TOKEN,
);

const RETURN_URL = 'Must be an http or https address of at most 2000 characters.';
const ReturnUrl = z
  .url({ protocol: /^https?$/, error: RETURN_URL })
  .max(2_000, RETURN_URL)
  .refine((url) => url.isWellFormed(), RETURN_URL);

const PHONE = 'Must be a phone number.';

/** A token gives access to the customer's payment method: it is sealed at once, and never in a response. */
export const PaymentMethodBody = z
  .strictObject({
    type: Method,
    token: Token.optional(),
    tokens: z.partialRecord(z.enum(PROVIDERS), Token).optional(),
    return_url: ReturnUrl.optional(),
    phone: z
      .string(PHONE)
      .regex(/^\+?[0-9 ()-]{5,25}$/, PHONE)
      .optional(),
    network: Text(40, 1).optional(),
    bank: Text(60, 1).optional(),
  })
  .meta({ id: 'PaymentMethod' }) satisfies z.ZodType<PaymentMethodInput>;

type Methods = {
  readonly method?: string | undefined;
  readonly payment_method?: { readonly type?: string | undefined } | undefined;
};

/**
 * For `.refine(...)`: a body that names the method twice names the same one. Reported with all other invalid fields.
 */
export const methodsAgree: readonly [(body: Methods) => boolean, Parameters<z.ZodObject['refine']>[1]] = [
  ({ method, payment_method }) =>
    method === undefined || payment_method?.type === undefined || method === payment_method.type,
  {
    path: ['payment_method', 'type'],
    message: 'Must equal method.',
    when: ({ value }) => typeof value === 'object' && value !== null,
  },
];
