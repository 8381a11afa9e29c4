import type { Address, Browser, Contact, OrderLine, Sca } from '#shared/domain/payments/payment-details.model.ts';
import type { ChargeOrder } from '#shared/ports/psp.port.ts';
import { adyenUnits } from '#shared/psp/adyen/money.rules.ts';
import { cut, nonEmpty, phoneParts, splitName, statementOf, statementText } from '#shared/psp/kit/details.ts';
import { orderLinesOf } from '#shared/psp/kit/order-lines.ts';

/** What Adyen's own components send for a part of an address that is not known; its address requires every part. */
const UNKNOWN = 'N/A';
const UNKNOWN_COUNTRY = 'ZZ';

const MAX_POSTAL_CODE = 10;

const HOUSE = '\\d+ ?[a-z]?(?: ?[-/] ?\\d+ ?[a-z]?)?';
const HOUSE_FIRST = new RegExp(`^(?<house>${HOUSE}),? (?<street>.+)$`, 'i');
const HOUSE_LAST = new RegExp(`^(?<street>.*?\\D),? (?<house>${HOUSE})$`, 'i');

/** Details that payments and payment links take alike. */
export function sharedDetails(order: ChargeOrder): object {
  const { billing, shipping, sca, ...details } = order.details ?? {};
  const statement = details.statement_descriptor ? statementOf(details) : undefined;
  return {
    ...nonEmpty({
      billingAddress: addressOf(billing?.address),
      deliveryAddress: addressOf(shipping?.address),
      shopperName: nameOf(billing?.name),
      telephoneNumber: phoneOf(billing?.phone ?? shipping?.phone),
      shopperStatement: statementText(statement, { max: 22, refused: /[^A-Za-z0-9 .,'_?+*/-]/g }),
      lineItems: lineItemsOf(order),
      ...(!order.offSession && { threeDS2RequestData: challengeOf(sca) }),
    }),
  };
}

/** Details that a payment link does not take: its page asks the browser itself, and its addresses have no names. */
export function paymentDetails({ details: { browser, sca, shipping } = {}, offSession }: ChargeOrder): object {
  const named = { ...nonEmpty({ deliveryAddress: namedAddress(shipping) }) };
  if (offSession) return named;
  return {
    ...named,
    ...nonEmpty({
      browserInfo: browser && browserOf(browser),
      origin: originOf(browser?.origin),
      authenticationData: sca?.challenge === 'required' ? { attemptAuthentication: 'always' } : undefined,
    }),
  };
}

const EXEMPTIONS: Readonly<Record<NonNullable<Sca['exemption']>, string>> = {
  low_value: 'lowValue',
  secure_corporate: 'secureCorporate',
  transaction_risk_analysis: 'transactionRiskAnalysis',
  trusted_beneficiary: 'trustedBeneficiary',
};

/** Entries of `additionalData`, which are all texts. */
export function additionalDetails({ details: { sca, mit } = {}, offSession }: ChargeOrder): object {
  if (offSession) return { ...nonEmpty({ networkTxReference: mit?.network_transaction_id }) };
  return { ...nonEmpty({ scaExemption: sca?.exemption && EXEMPTIONS[sca.exemption] }) };
}

/** Why an absent customer is charged. Instalments follow a schedule, as subscriptions do. */
export const processingModel = ({ details }: ChargeOrder): 'Subscription' | 'UnscheduledCardOnFile' =>
  details?.mit?.reason === 'unscheduled' ? 'UnscheduledCardOnFile' : 'Subscription';

const CHALLENGES: Readonly<Record<NonNullable<Sca['challenge']>, string>> = {
  avoid: '02',
  preferred: '03',
  required: '04',
};

const challengeOf = (sca: Sca | undefined): object | undefined =>
  sca?.challenge && { threeDSRequestorChallengeInd: CHALLENGES[sca.challenge] };

/** Depths that EMV 3-D Secure knows. A screen in between counts as the next lower one. */
const COLOR_DEPTHS = [1, 4, 8, 15, 16, 24, 30, 32, 48];

const browserOf = (browser: Browser): object => ({
  userAgent: browser.user_agent,
  acceptHeader: browser.accept_header,
  language: browser.language,
  colorDepth: COLOR_DEPTHS.findLast((depth) => depth <= browser.color_depth) ?? 1,
  screenHeight: browser.screen_height,
  screenWidth: browser.screen_width,
  timeZoneOffset: browser.time_zone_offset,
  javaEnabled: browser.java_enabled,
  javaScriptEnabled: browser.javascript_enabled,
});

/** Without a path, as Adyen wants it, and only if it is not too long. */
function originOf(page: string | undefined): string | undefined {
  const origin = page !== undefined && URL.canParse(page) ? new URL(page).origin : 'null';
  return origin === 'null' || origin.length > 80 ? undefined : origin;
}

function addressOf(address: Address = {}) {
  const { line1, city, postal_code, country = UNKNOWN_COUNTRY } = address;
  if (!line1?.trim() && !postal_code?.trim()) return undefined;
  return {
    ...streetOf(address),
    city: cut(city, 3_000) ?? UNKNOWN,
    postalCode: postalCodeOf(postal_code?.trim(), country),
    ...stateOf(address),
    country,
  };
}

function namedAddress({ name, address }: Contact = {}): object | undefined {
  const { first: firstName, last: lastName } = splitName(name);
  const names = nonEmpty({ firstName: cut(firstName, 80), lastName: cut(lastName, 80) });
  const to = addressOf(address);
  return to && names && { ...to, ...names };
}

/** The house's number has a field of its own, which takes the second line too. */
function streetOf({ line1, line2 }: Address): { readonly street: string; readonly houseNumberOrName: string } {
  const line = line1?.trim().replaceAll(/\s+/g, ' ') ?? '';
  const { street = line, house } = (HOUSE_FIRST.exec(line) ?? HOUSE_LAST.exec(line))?.groups ?? {};
  const name = [house, line2?.trim()].filter(Boolean).join(' ');
  return {
    street: cut(street, 3_000) ?? UNKNOWN,
    houseNumberOrName: cut(name, 3_000) ?? UNKNOWN,
  };
}

/** Five digits in the US. A code that is too long for Adyen is left out: half of one would be another place. */
function postalCodeOf(code: string | undefined, country: string): string {
  const own = country === 'US' ? /^\d{5}/.exec(code ?? '')?.[0] : code;
  return own && own.length <= MAX_POSTAL_CODE ? own : UNKNOWN;
}

/** A code of at most three characters, which the US and Canada require. */
function stateOf({ state, country }: Address): { readonly stateOrProvince?: string } {
  const code = state?.trim().toUpperCase().replace(`${country}-`, '') ?? '';
  if (/^[A-Z0-9]{1,3}$/.test(code)) return { stateOrProvince: code };
  return country === 'US' || country === 'CA' ? { stateOrProvince: UNKNOWN } : {};
}

function nameOf(name: string | undefined): object | undefined {
  const { first, last } = splitName(name);
  const [firstName, lastName] = [cut(first, 80), cut(last, 80)];
  return firstName && lastName ? { firstName, lastName } : undefined;
}

function phoneOf(phone: string | undefined): string | undefined {
  const { code, number } = phoneParts(phone) ?? {};
  return code && number && number.length <= 15 ? `+${code}${number}` : undefined;
}

/** Klarna approves only lines whose sum is the amount. Their amounts are of one item. */
function lineItemsOf(order: ChargeOrder): readonly object[] | undefined {
  const items = orderLinesOf(order)?.map((line) => lineItem(line, order.currency));
  return items?.every((item) => item !== undefined) ? items : undefined;
}

/** A line whose total is no multiple of its quantity is sent as one item. */
function lineItem(line: OrderLine, currency: string): object | undefined {
  const { name, quantity, total_amount, tax_amount = 0, sku, url, image_url } = line;
  const isEven = total_amount % quantity === 0 && tax_amount % quantity === 0;
  const count = isEven ? quantity : 1;
  const including = signedUnits(total_amount / count, currency);
  const tax = signedUnits(tax_amount / count, currency);
  if (including === undefined || tax === undefined) return undefined;
  return {
    description: isEven ? name : `${quantity} x ${name}`,
    quantity: count,
    amountIncludingTax: including,
    ...(line.tax_amount !== undefined && { amountExcludingTax: including - tax, taxAmount: tax }),
    ...nonEmpty({ id: sku, sku, productUrl: url, imageUrl: image_url }),
  };
}

/** A discount is a line below zero. */
function signedUnits(amount: number, currency: string): number | undefined {
  const units = amount === 0 ? 0 : adyenUnits(Math.abs(amount), currency);
  return units === undefined ? undefined : Math.sign(amount) * units;
}
