import { invalid } from '#lib/simulators/adyen/errors.ts';
import type { Body } from '#lib/simulators/adyen/requests.ts';
import { isObject, textAt } from '#lib/simulators/kit/json.ts';

const missing = (name: string) => invalid('14_018', `Required field '${name}' is not provided.`);
const unexpected = (name: string) => invalid('702', `Unexpected value of '${name}'`);

/** The field as an object; undefined if it is missing. */
function objectIn(body: Body, name: string): Body | undefined {
  const value = body[name];
  if (value === undefined) return undefined;
  if (!isObject(value)) throw unexpected(name);
  return value;
}

type Lengths = Readonly<Record<string, number>>;

function checkTexts(body: Body, name: string, required: readonly string[], lengths: Lengths): void {
  const given = objectIn(body, name);
  if (!given) return;
  for (const field of required) if (given[field] === undefined) throw missing(`${name}.${field}`);
  for (const [field, value] of Object.entries(given)) {
    const most = lengths[field];
    if (most === undefined)
      throw invalid('702', `Structure of ${name} contains the following unknown fields: [${field}]`);
    if (typeof value !== 'string' || value.length > most) throw unexpected(`${name}.${field}`);
  }
}

const ADDRESS = ['street', 'houseNumberOrName', 'postalCode', 'city', 'country'];
const ADDRESS_LENGTHS = {
  street: 3_000,
  houseNumberOrName: 3_000,
  city: 3_000,
  postalCode: 10,
  stateOrProvince: 3,
  country: 2,
};
const NAME_LENGTHS = { firstName: 80, lastName: 80 };

const BROWSER_TEXTS = ['acceptHeader', 'language', 'userAgent'];
const BROWSER_NUMBERS = ['screenHeight', 'screenWidth', 'timeZoneOffset'];
const BROWSER_FLAGS = ['javaEnabled', 'javaScriptEnabled'];
const COLOR_DEPTHS = [1, 4, 8, 15, 16, 24, 30, 32, 48];

/** All of it is required, but whether the browser runs JavaScript. */
function checkBrowser(body: Body): void {
  const browser = objectIn(body, 'browserInfo');
  if (!browser) return;
  const required = [...BROWSER_TEXTS, ...BROWSER_NUMBERS, 'javaEnabled', 'colorDepth'];
  for (const field of required) if (browser[field] === undefined) throw missing(`browserInfo.${field}`);
  const isOdd = ([field, value]: [string, unknown]) =>
    !(
      (BROWSER_TEXTS.includes(field) && typeof value === 'string' && value !== '') ||
      (BROWSER_NUMBERS.includes(field) && Number.isSafeInteger(value)) ||
      (BROWSER_FLAGS.includes(field) && typeof value === 'boolean') ||
      (field === 'colorDepth' && COLOR_DEPTHS.some((depth) => depth === value))
    );
  const odd = Object.entries(browser).find(isOdd);
  if (odd) throw unexpected(`browserInfo.${odd[0]}`);
}

/** Texts by name, with their greatest length. */
const TEXTS: Lengths = { shopperStatement: 10_000, telephoneNumber: 64, origin: 80, shopperIP: 50, shopperEmail: 256 };

const LINE_NUMBERS = ['quantity', 'amountIncludingTax', 'amountExcludingTax', 'taxAmount', 'taxPercentage'];

function checkLines(body: Body): void {
  const lines = body.lineItems ?? [];
  if (!Array.isArray(lines)) throw unexpected('lineItems');
  for (const line of lines)
    for (const name of LINE_NUMBERS)
      if (line[name] !== undefined && !Number.isSafeInteger(line[name])) throw unexpected(`lineItems.${name}`);
  if (!isKlarna(body)) return;
  if (lines.length === 0) throw missing('lineItems');
  const sum = lines.reduce((all: number, line) => all + Number(line.quantity) * Number(line.amountIncludingTax), 0);
  if (sum !== Object(body.amount).value) throw invalid('14_407', 'The sum of the line items is not the amount.');
}

/** Klarna approves nothing without the goods. A page that offers other methods too works without them. */
const isKlarna = (body: Body): boolean =>
  Array.isArray(body.lineItems) &&
  (textAt(body, 'paymentMethod', 'type')?.startsWith('klarna') ||
    (Array.isArray(body.allowedPaymentMethods) &&
      body.allowedPaymentMethods.every((type) => String(type).startsWith('klarna'))));

const CHOICES: readonly (readonly [parent: string, name: string, values: readonly string[]])[] = [
  ['threeDS2RequestData', 'threeDSRequestorChallengeInd', ['01', '02', '03', '04', '05', '06']],
  ['authenticationData', 'attemptAuthentication', ['always', 'never']],
  ['additionalData', 'scaExemption', ['lowValue', 'secureCorporate', 'trustedBeneficiary', 'transactionRiskAnalysis']],
];

/** Details of the customer and of 3-D Secure, as the Checkout API requires them. */
export function checkDetails(body: Body): void {
  checkTexts(body, 'billingAddress', ADDRESS, ADDRESS_LENGTHS);
  checkTexts(body, 'deliveryAddress', ADDRESS, { ...ADDRESS_LENGTHS, ...NAME_LENGTHS });
  checkTexts(body, 'shopperName', ['firstName', 'lastName'], NAME_LENGTHS);
  checkBrowser(body);
  checkLines(body);
  for (const [name, most] of Object.entries(TEXTS)) {
    const value = body[name];
    if (value !== undefined && (typeof value !== 'string' || value.length > most)) throw unexpected(name);
  }
  const origin = textAt(body, 'origin');
  if (origin !== null && !/^https?:\/\/[^/]+$/.test(origin)) throw unexpected('origin');
  for (const [parent, name, values] of CHOICES) {
    const value = objectIn(body, parent)?.[name];
    if (value !== undefined && !values.some((each) => each === value)) throw unexpected(`${parent}.${name}`);
  }
  checkKeep(body);
}

/** The shopper for whom the method shall be kept; undefined if it shall not be. */
export const keepFor = (body: Body): string | undefined =>
  body.storePaymentMethod === true || body.storePaymentMethodMode === 'enabled'
    ? (textAt(body, 'shopperReference') ?? undefined)
    : undefined;

function checkKeep(body: Body): void {
  const shopper = textAt(body, 'shopperReference');
  if (shopper !== null && (shopper.length < 3 || shopper.length > 256)) throw unexpected('shopperReference');
  if (body.storePaymentMethod !== true && body.storePaymentMethodMode !== 'enabled') return;
  if (shopper === null) throw missing('shopperReference');
  if (body.recurringProcessingModel === undefined) throw missing('recurringProcessingModel');
}
