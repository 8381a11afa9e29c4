import * as z from 'zod';
import type { PaymentDetails } from '#shared/domain/payments/payment-details.model.ts';
import { Country, Flag, MAX_AMOUNT, PastedUrl } from '#shared/http/schema/common.schema.ts';
import { isIssued, passesLuhn } from '#shared/kernel/card-number.ts';
import { trimPasted } from '#shared/kernel/text.ts';

const CONTROL = /[\p{Cc}\u2028\u2029]/u;
const isLine = (text: string): boolean => text.isWellFormed() && !CONTROL.test(text);
/** Providers and networks count characters, and not the two halves of some. */
const hasAtMost = (max: number) => (text: string) => text.length <= max || [...text].length <= max;

/** One line of text, without blanks at its ends. */
const Line = (max: number) =>
  z
    .string('Must be text.')
    .overwrite(trimPasted)
    .refine((text) => text !== '', 'Must not be blank.')
    .refine(hasAtMost(max), `Must have at most ${max} characters.`)
    .refine(isLine, 'Must be one line of well-formed Unicode, without control characters.')
    .meta({ override: { minLength: 1, maxLength: max } });

const PART = `Must be a whole number of minor units, 0 to ${MAX_AMOUNT}.`;
const Part = z.int(PART).min(0, PART).max(MAX_AMOUNT, PART);
const SIGNED = `Must be a whole number of minor units, -${MAX_AMOUNT} to ${MAX_AMOUNT}.`;
const SignedAmount = z.int(SIGNED).min(-MAX_AMOUNT, SIGNED).max(MAX_AMOUNT, SIGNED);

const PHONE = 'Must be a phone number with its country code, such as +4930123456.';
/** Is dialled within the country only; Italian numbers keep their zero. */
const TRUNK_ZERO = /^(\+(?!39|37[89])\d{1,3})\(0\)/;
/** Numbers of 14 and 15 digits are in use, but not in the countries whose codes cards of that length begin with. */
const isLongAsCard = (digits: string): boolean => digits.length >= 14 && passesLuhn(digits) && isIssued(digits);

const Phone = z
  .string(PHONE)
  .overwrite((text) =>
    text
      .replace(/[\s.\-/]/g, '')
      .replace(TRUNK_ZERO, '$1')
      .replace(/[()]/g, ''),
  )
  .regex(/^\+[1-9]\d{5,14}$/, PHONE)
  .refine((phone) => !isLongAsCard(phone.slice(1)), PHONE)
  .meta({ override: { pattern: undefined, example: '+4930123456' } });

const Address = z
  .strictObject({
    line1: Line(200).optional(),
    line2: Line(200).optional(),
    city: Line(100).optional(),
    state: Line(100).optional(),
    postal_code: Line(20).optional(),
    country: Country.optional(),
  })
  .meta({ id: 'Address' });

const Contact = z
  .strictObject({ name: Line(200).optional(), phone: Phone.optional(), address: Address.optional() })
  .meta({ id: 'Contact' });

const whole = (min: number, max: number) => {
  const message = `Must be a whole number, ${min} to ${max}.`;
  return z.int(message).min(min, message).max(max, message);
};

const ORIGIN = 'Must be the origin of the page, such as https://shop.example, without a path.';
const isOrigin = (text: string): boolean =>
  /^https?:\/\//.test(text) && URL.canParse(text) && new URL(text).origin === text;

/** `time_zone_offset`: from UTC-12 to UTC+14. */
const Browser = z
  .strictObject({
    user_agent: Line(2_048),
    accept_header: Line(2_048),
    language: z.string('Must be text.').regex(/^[A-Za-z]{1,8}(-[A-Za-z0-9]{1,8}){0,3}$/, 'Must be like en-GB.'),
    color_depth: whole(1, 48),
    screen_height: whole(0, 999_999),
    screen_width: whole(0, 999_999),
    time_zone_offset: whole(-840, 720),
    java_enabled: Flag,
    javascript_enabled: Flag,
    origin: z.string(ORIGIN).max(253, ORIGIN).refine(isOrigin, ORIGIN).optional(),
  })
  .meta({ id: 'Browser' });

const STATEMENT = 'Must have only Latin letters without accents, digits and punctuation, and none of < > \\ \' " *.';
const Statement = Line(200)
  .refine((text) => /^[ -~]*$/.test(text) && !/[<>\\'"*]/.test(text), STATEMENT)
  .meta({ override: { minLength: 1, maxLength: 200 } });

const MAX_LINES = 100;
const WebAddress = PastedUrl.max(1_000, 'Must have at most 1000 characters.')
  .refine((text) => /^https?:/i.test(text) && URL.canParse(text), 'Must be an http or https address.')
  .meta({ override: { format: 'uri' } });

const OrderLine = z
  .strictObject({
    name: Line(200),
    quantity: whole(1, 1_000_000),
    unit_amount: SignedAmount,
    total_amount: SignedAmount,
    tax_amount: SignedAmount.optional(),
    discount_amount: Part.optional(),
    sku: Line(100).optional(),
    kind: z.enum(['physical', 'digital', 'shipping', 'discount', 'gift_card', 'service']).optional(),
    url: WebAddress.optional(),
    image_url: WebAddress.optional(),
  })
  .meta({ id: 'OrderLine' });

const Order = z
  .strictObject({
    reference: Line(100).optional(),
    tax_amount: Part.optional(),
    shipping_amount: Part.optional(),
    lines: z
      .array(OrderLine)
      .min(1, 'Must contain at least one line.')
      .max(MAX_LINES, `Must contain at most ${MAX_LINES} lines.`)
      .optional(),
  })
  .meta({ id: 'Order' });

const Sca = z
  .strictObject({
    challenge: z.enum(['preferred', 'required', 'avoid']).optional(),
    exemption: z.enum(['low_value', 'transaction_risk_analysis', 'trusted_beneficiary', 'secure_corporate']).optional(),
  })
  .meta({ id: 'Sca' });

const NETWORK_ID = 'Must have 1 to 100 letters, digits and marks, without blanks.';
const Mit = z
  .strictObject({
    reason: z.enum(['recurring', 'instalment', 'unscheduled']),
    network_transaction_id: z
      .string(NETWORK_ID)
      .overwrite(trimPasted)
      .regex(/^[!-~]{1,100}$/, NETWORK_ID)
      .optional(),
  })
  .meta({ id: 'Mit' });

/** What a browser may say of its customer. */
export const CUSTOMER_DETAILS = {
  billing: Contact.optional(),
  shipping: Contact.optional(),
  browser: Browser.optional(),
};

export const STATEMENT_DETAILS = {
  statement_descriptor: Statement.optional(),
  statement_descriptor_suffix: Statement.optional(),
};

/** Sealed with the payment method; no response shows them. */
export const DETAILS = {
  ...CUSTOMER_DETAILS,
  ...STATEMENT_DETAILS,
  order: Order.optional(),
  sca: Sca.optional(),
  mit: Mit.optional(),
} satisfies Record<keyof PaymentDetails, z.ZodType>;
