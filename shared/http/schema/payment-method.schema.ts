import * as z from 'zod';
import { type PaymentMethodInput, SAVED_METHOD_TYPE } from '#shared/domain/payments/payment-input.model.ts';
import { Method, Text } from '#shared/http/schema/common.schema.ts';
import { trimPasted } from '#shared/kernel/text.ts';
import { PROVIDERS } from '#shared/psp/providers.ts';

/** Wallet tokens are long. A whole payment must stay well below the size limit of a table item. */
const MAX_TOKEN_LENGTH = 20_000;
const MAX_TOKEN_FIELDS = 16;
const MAX_SIZES = `up to ${MAX_TOKEN_FIELDS} texts, of ${MAX_TOKEN_LENGTH} characters at most`;
const TOKEN_ERROR = `Must be text, or an object of ${MAX_SIZES}.`;
const isTokenSmall = (fields: object): boolean =>
  Object.keys(fields).length <= MAX_TOKEN_FIELDS && JSON.stringify(fields).length <= MAX_TOKEN_LENGTH;
/** Providers' components hand out empty texts for what the customer did not fill in, such as the card holder's name. */
const filledFields = (fields: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.entries(fields).filter(([, text]) => text !== ''));
export const Token = z.union(
  [
    Text(MAX_TOKEN_LENGTH, 1),
    z.record(Text(60, 1), Text(MAX_TOKEN_LENGTH)).overwrite(filledFields).refine(isTokenSmall),
  ],
  TOKEN_ERROR,
);

const RETURN_URL_ERROR = 'Must be an http or https address of at most 2000 characters.';
const isWebUrl = (text: string): boolean => /^https?:/i.test(text) && URL.canParse(text) && text.isWellFormed();
const ReturnUrl = z
  .string(RETURN_URL_ERROR)
  .overwrite(trimPasted)
  .max(2_000, RETURN_URL_ERROR)
  .refine(isWebUrl, RETURN_URL_ERROR)
  .meta({ override: { format: 'uri' } });

const PHONE_ERROR = 'Must be a phone number.';

const FIELDS = {
  token: Token.optional(),
  tokens: z.partialRecord(z.enum(PROVIDERS), Token).optional(),
  phone: z
    .string(PHONE_ERROR)
    .overwrite(trimPasted)
    .regex(/^\+?[0-9 ()-]{5,25}$/, PHONE_ERROR)
    .optional(),
  network: Text(40, 1).optional(),
  bank: Text(60, 1).optional(),
};

/** What the customer's browser may say: no return address, and no saved method. */
export const CustomerMethodBody = z.strictObject({ type: Method, ...FIELDS }).meta({ id: 'PaymentMethodOfCustomer' });

const isObject = ({ value }: { readonly value: unknown }): boolean => typeof value === 'object' && value !== null;

/** A token can charge the customer's payment method: it is encrypted at once and never returned. */
export const PaymentMethodBody = z
  .strictObject({
    type: Method.default(SAVED_METHOD_TYPE).meta({ override: { default: undefined } }),
    id: Text(64, 1).optional(),
    ...FIELDS,
    return_url: ReturnUrl.optional(),
  })
  .refine(({ id, type }) => id !== undefined || type !== SAVED_METHOD_TYPE, {
    path: ['type'],
    message: 'Must be a payment method, such as card.',
    when: isObject,
  })
  .refine(({ id, token, phone, network, bank }) => id === undefined || !(token ?? phone ?? network ?? bank), {
    path: ['id'],
    message: 'A saved payment method takes only return_url and tokens beside its id.',
    when: isObject,
  })
  .meta({ id: 'PaymentMethod' }) satisfies z.ZodType<PaymentMethodInput>;

type MethodFields = {
  readonly method?: string | undefined;
  readonly payment_method?: { readonly type?: string | undefined; readonly id?: string | undefined } | undefined;
};

/**
 * Arguments for `.refine(...)`: `method` and `payment_method.type` must be equal if a body has both. The error is
 * reported together with those of other fields.
 */
export const methodsAgree: readonly [(body: MethodFields) => boolean, Parameters<z.ZodObject['refine']>[1]] = [
  ({ method, payment_method }) =>
    method === undefined ||
    payment_method?.type === undefined ||
    payment_method.id !== undefined ||
    payment_method.type === SAVED_METHOD_TYPE ||
    method === payment_method.type,
  {
    path: ['payment_method', 'type'],
    message: 'Must equal method.',
    when: ({ value }) => typeof value === 'object' && value !== null,
  },
];

type SaveFields = MethodFields & { readonly save?: boolean | undefined; readonly customer_id?: string | undefined };

/** Arguments for `.refine(...)`: a saved method brings its own customer. */
export const saveNeedsCustomer: readonly [(body: SaveFields) => boolean, Parameters<z.ZodObject['refine']>[1]] = [
  ({ save, customer_id, payment_method }) => !save || customer_id !== undefined || payment_method?.id !== undefined,
  { path: ['save'], message: 'Needs customer_id: a payment method is saved for a customer.' },
];
