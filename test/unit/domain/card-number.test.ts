import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cardNumberPaths, containsCardNumber, maskCardNumbers, passesLuhn } from '#shared/kernel/card-number.ts';
import { ID_PREFIX, type IdKind, idFrom } from '#shared/kernel/ids.ts';

const VISA = '4242424242424242';
/** It passes the Luhn check and has a prefix and length of Visa. */
const EAN = '4006669725106';
/** They have a prefix and length of Diners. */
const GTIN = withCheckDigit('3001234567890');
const MARKETPLACE_ORDER = withCheckDigit('3041234567123456').replace(/^(...)(.{7})/, '$1-$2-');

describe('a card number', () => {
  it.each([
    ['Visa', VISA],
    ['Visa of 13 digits', '4222222222222'],
    ['Visa of 19 digits', withCheckDigit('400000000000000000')],
    ['Mastercard', '5555555555554444'],
    ['Mastercard of the 2-series', '2223003122003222'],
    ['the first of the 2-series', withCheckDigit('222100000000000')],
    ['the last of the 2-series', withCheckDigit('272099999999999')],
    ['American Express', '378282246310005'],
    ['Discover', '6011111111111117'],
    ['Diners of 14 digits', '30569309025904'],
    ['Diners of 16 digits', '3056930009020004'],
    ['JCB', '3566002020360505'],
    ['UnionPay', '6200000000000005'],
    ['UnionPay of 19 digits', '6205500000000000004'],
    ['Maestro', '6771798021000008'],
    ['Maestro of 13 digits', withCheckDigit('501800000000')],
    ['Verve', '5060990580000217499'],
    ['RuPay', withCheckDigit('817000000000000')],
    ['Troy', withCheckDigit('979203000000000')],
    ['Mir', '2200770212727079'],
    ['Elo', withCheckDigit('509000000000000')],
    ['Hipercard', '6062826786276634'],
  ])('of %s is detected', (_, number) => expect(containsCardNumber({ note: number })).toBe(true));

  it.each<[string, unknown]>([
    ['alone', VISA],
    ['with spaces', '4242 4242 4242 4242'],
    ['with dashes', '4242-4242-4242-4242'],
    ['with non-breaking spaces', '4242\u00a04242\u00a04242\u00a04242'],
    ['with typographic dashes', '4242–4242–4242–4242'],
    ['in odd groups', '42 42424 24242 4242'],
    ['in digits of full width', '４２４２４２４２４２４２４２４２'],
    ['in Arabic digits', '٤٢٤٢ ٤٢٤٢ ٤٢٤٢ ٤٢٤٢'],
    ['in Devanagari digits', '४२४२४२४२४२४२४२४२'],
    ['in mathematical digits', '𝟒𝟐𝟒𝟐𝟒𝟐𝟒𝟐𝟒𝟐𝟒𝟐𝟒𝟐𝟒𝟐'],
    ['with tabs', '4242\t4242\t4242\t4242'],
    ['with several spaces', '4242   4242   4242   4242'],
    ['over four lines', '4242\n4242\n4242\n4242'],
    ['over four lines with CRLF', '4242\r\n4242\r\n4242\r\n4242'],
    ['with points', '4242.4242.4242.4242'],
    ['with commas', '4242,4242,4242,4242'],
    ['with slashes', '4242/4242/4242/4242'],
    ['with spaced slashes', '4242 / 4242 / 4242 / 4242'],
    ['with underscores', '4242_4242_4242_4242'],
    ['with dashes and spaces', '4242 - 4242 - 4242 - 4242'],
    ['with minus signs', '4242\u22124242\u22124242\u22124242'],
    ['with wide spaces', '4242\u30004242\u30004242\u30004242'],
    ['with thin spaces', '4242\u20094242\u20094242\u20094242'],
    ['with zero-width spaces', '4242\u200b4242\u200b4242\u200b4242'],
    ['with soft hyphens', '4242\u00ad4242\u00ad4242\u00ad4242'],
    ['with joiners everywhere', [...VISA].join('\u2060')],
    ['in full width altogether', '４２４２．４２４２．４２４２．４２４２'],
    ['as on an American Express card', '3782.822463.10005'],
    ['as on an American Express card, over lines', '3782\n822463\n10005'],
    ['as on a Diners card', '3056/930902/5904'],
    ['as on a card of 19 digits', '6205.5000.0000.0000.004'],
    ['before its date and code', '4242/4242/4242/4242/12/30/123'],
    ['after a point in a sentence', 'No 1. 4242.4242.4242.4242'],
    ['digit by digit', [...VISA].join(' ')],
    ['in a sentence', `My card is ${VISA}, thanks.`],
    ['beside other numbers', '12 4242 4242 4242 4242 12/30 123'],
    ['after a plus, too long for a phone', `+${VISA}`],
    ['in quotes', `"${VISA}"`],
    ['in text that is JSON', JSON.stringify({ card: { number: VISA } })],
    ['in a query', `?number=${VISA}&cvc=123`],
    ['after an underscore', `card_${VISA}`],
    ['as a number', 4242424242424242],
    ['as a negative number', -4242424242424242],
    ['as a number that is too long to be stored exactly', JSON.parse('6205500000000000004')],
    ['as the name of a property', { [VISA]: true }],
    ['in a list', [[1, ['x', VISA]]]],
    ['far down', { a: { b: [{ c: { d: VISA } }] } }],
  ])('is detected %s', (_, value) => expect(containsCardNumber(value)).toBe(true));

  it('is detected where its first 13 digits are a trade item number', () =>
    expect(containsCardNumber('4636231878338 008')).toBe(true));

  it('is detected at any depth', () => {
    let value: unknown = VISA;
    for (let i = 0; i < 200_000; i += 1) value = { value };
    expect(containsCardNumber(value)).toBe(true);
  });

  const groups = fc.array(fc.constantFrom('', ' ', '-'), { minLength: 15, maxLength: 15 });
  const start = fc.constantFrom('4', '51', '2300', '3530', '6011', '62', '9792', '2202', '5078', '8200');
  const card = fc
    .tuple(start, fc.stringMatching(/^\d{15}$/))
    .map(([head, tail]) => withCheckDigit((head + tail).slice(0, 15)));

  it('is detected in any format and context', () => {
    fc.assert(
      fc.property(
        card,
        groups,
        fc.constantFrom('', 'card: ', '(', '{"n":"', 'é, '),
        fc.constantFrom('', '.', '"', ' exp 12/30'),
        (number, gaps, before, after) => {
          const written = [...number].map((digit, i) => digit + (gaps[i] ?? '')).join('');
          return containsCardNumber({ text: before + written + after });
        },
      ),
    );
  });

  it('is not detected with a wrong digit', () => {
    fc.assert(
      fc.property(
        card,
        fc.nat(15),
        fc.integer({ min: 1, max: 9 }),
        (number, at, by) => !containsCardNumber(changed(number, at, by)),
      ),
    );
  });
});

describe('a value that is not a card number', () => {
  it.each<[string, unknown]>([
    ['nothing', null],
    ['an amount', 99_999_999_999],
    ['milliseconds', 1_753_900_000_000],
    ['microseconds', 1_753_900_000_000_000],
    ['a time as text', '2026-07-31T12:34:56.789Z'],
    ['a compact time', '20260731123456789'],
    ['a phone number', '+4915112345678'],
    ['a phone number with spaces', '+49 151 1234 5678'],
    ['a German phone number without its plus', withCheckDigit('491511234567')],
    ['a Kenyan phone number', '254712345678'],
    ['a UUID of digits only', '42424242-4242-4242-8242-424242424242'],
    ['digits beside letters', `a${VISA}`],
    ['digits before letters', `${VISA}b`],
    ['digits beside accented letters', `é${VISA}`],
    ['a longer number', `${VISA}0000`],
    ['a brand without its length', withCheckDigit('42424242424242')],
    ['no brand', withCheckDigit('123456789012345')],
    ['zeros', '0000000000000000'],
    ['a fraction', 0.4242424242424242],
    ['a fraction as text', '0.4242424242424242'],
    ['digits over several fields', { a: '4242', b: '4242', c: '4242', d: '4242' }],
    ['a list of numbers on lines of their own', '4242\n4242\n4242\n4242\n4242'],
    ['a list of numbers with commas', '1200,4242,4242,4242,4242'],
    ['a list of amounts', '4242, 4242, 4242, 4242'],
    ['different separators', '4242.4242,4242/4242'],
    ['points in odd groups', '42.42424.24242.4242'],
    ['an amount with points', '4.242.424.242.424.242'],
    ['an amount with commas', '4,242,424,242,424,242.00'],
    ['an amount in Swiss notation', "4'242'424'242'424'242"],
    ['a fraction behind a list', '12.4242 4242 4242 4242'],
    ['dates', '2026/11/28, 2026/11/29, 28.11.2026, 11/28/2026'],
    ['times', '2026-11-28 12:34:56.789, 12:34:56'],
    ['a phone number with points', '+1.415.555.2671'],
    ['a phone number with slashes', '0151/4242/4242'],
    ['a phone number with brackets', '(0049) 151 4242 4242'],
    ['an IP address', '192.168.100.100'],
    ['an IPv6 address', '4242:4242:4242:4242:4242:4242:4242:4242'],
    ['a version', '4.4.4.4-20260101'],
    ['an id with underscores', 'order_4242_4242_4242'],
    ['coordinates', '51.5074, 0.1278'],
    ['years', '2020/2021/2022/2023'],
    ['an IBAN', 'DE89 3704 0044 0532 0130 00'],
    ['a UUID behind a number', '4242 42424242-4242-4242-8242-424242424242'],
    ['a hash', 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'],
  ])('is not detected: %s', (_, value) => expect(containsCardNumber(value)).toBe(false));

  const kinds = Object.keys(ID_PREFIX).filter((kind): kind is IdKind => kind in ID_PREFIX);
  const anyId = fc
    .tuple(
      fc.constantFrom(...kinds),
      fc.date({ min: new Date('2020-01-01'), max: new Date('2090-01-01'), noInvalidDate: true }),
      fc.uint8Array({ minLength: 10, maxLength: 10 }),
    )
    .map(([kind, at, bits]) => idFrom(kind, at, bits));

  it.each([
    ['ids of the API', anyId],
    ['UUIDs', fc.uuid()],
    ['UUIDs of digits', fc.stringMatching(/^\d{8}-\d{4}-4\d{3}-[89]\d{3}-\d{12}$/)],
    ['phone numbers', fc.stringMatching(/^\+[1-9]\d{7,14}$/)],
    ['times in milliseconds', fc.integer({ min: 1.4e12, max: 2.9e12 })],
    ['amounts', fc.integer({ min: 1, max: 99_999_999_999 })],
  ])('includes all %s', (_, values: fc.Arbitrary<unknown>) => {
    fc.assert(
      fc.property(values, (value) => !containsCardNumber({ value, text: `see ${value}` })),
      { numRuns: 500 },
    );
  });
});

describe('a number that passes the Luhn check and is no card number', () => {
  it.each<[string, unknown]>([
    ['an EAN alone', { customer_id: EAN }],
    ['an EAN in a text', { description: `EAN ${EAN}` }],
    ['an EAN as a number', { metadata: { item: Number(EAN) } }],
    ['an EAN as the name of a property', { metadata: { [EAN]: 2 } }],
    ['several EANs', { description: `${EAN}, ${EAN}` }],
    ['an EAN with dashes', { description: '4-006669-725106' }],
    ['an EAN of a gift card', { description: `Gift card, EAN ${EAN}` }],
    ['a GTIN of 14 digits', { description: `GTIN-14: ${GTIN}` }],
    ['a SIRET', { description: 'Facture pour SIRET 30569309025904' }],
    ['a SIRET in groups', { description: 'SIRET : 305 693 090 25904' }],
    ['a SIRET in a property of that name', { metadata: { siret: '30569309025904' } }],
    ['a SIRET in a property whose name says it', { metadata: { customerSiretNumber: '30569309025904' } }],
    ['a SIRET with its name before a dash', { customer_id: 'siret-30569309025904' }],
    ['a company number', { description: 'Company no. 30569309025904' }],
    ['a personal number', { metadata: { national_id: withCheckDigit('500101500908') } }],
    ['a personal number in a text', { description: `ID card holder's personal ID ${withCheckDigit('500101500908')}` }],
    ['a serial number', { description: `IMEI-SV ${withCheckDigit('352800123456789')}` }],
    ['a payment reference', { description: `OCR ${withCheckDigit('550000000000000')}` }],
    ['a tracking number', { metadata: { tracking_number: withCheckDigit('400000000000000') } }],
    ['an order number of a marketplace', { metadata: { order_id: MARKETPLACE_ORDER } }],
    ['an order number in a text', { description: `Order ${MARKETPLACE_ORDER}` }],
    ['an invoice number in a text', { description: `Invoice no. ${VISA}` }],
    ['another number with a word between', { description: 'The SIRET number is 30569309025904' }],
  ])('is accepted: %s', (_, body) => expect(cardNumberPaths(body)).toEqual([]));

  it('is found in each of these examples where nothing says what it is', () => {
    const alone = [GTIN, '30569309025904', MARKETPLACE_ORDER, VISA];
    expect(alone.filter((number) => !containsCardNumber(number))).toEqual([]);
  });

  const CARDS: readonly (readonly [string, string, string])[] = [
    ['alone', 'description', VISA],
    ['alone in a property for orders', 'order_id', VISA],
    ['after a word for card', 'note', `card ${VISA}`],
    ['after a word for card in other languages', 'note', `Kreditkartennummer: ${VISA}`],
    ['after an order and a word for card', 'note', `Order 17, carte bancaire n° ${VISA}`],
    ['of thirteen digits after a word for card', 'note', `Visa ${EAN}`],
    ['of thirteen digits in a property for cards', 'cardNumber', EAN],
    ['of thirteen digits alone', 'note', '4222222222222'],
    ['of thirteen digits as a token', 'token', EAN],
    ['in groups after another word', 'note', 'Order 4242 4242 4242 4242'],
    ['in groups in a property for other numbers', 'tracking', '4242-4242-4242-4242'],
    ['as on an American Express card', 'order', '3782 822463 10005'],
    ['after any other word', 'note', `please take ${VISA}`],
    ['before a word', 'note', `${VISA} is my order`],
  ];
  it.each(CARDS)('does not make a card number acceptable that stands %s', (_, name, text) =>
    expect(cardNumberPaths({ metadata: { [name]: text } })).toEqual([`metadata.${name}`]),
  );

  it('goes by the names around a property that says nothing', () => {
    expect(cardNumberPaths({ payment_method: { token: { number: EAN } } })).toEqual(['payment_method.token.number']);
    expect(cardNumberPaths({ items: [{ ean: { code: GTIN } }, { siret: ['30569309025904'] }] })).toEqual([]);
    expect(cardNumberPaths({ siret: { note: '30569309025904' } })).toEqual(['siret.note']);
  });

  it('names the path of each card number, without repeating one', () => {
    const body = { a: [{ b: VISA }, 'x', VISA], [VISA]: 1, c: { [`d ${VISA}`]: { e: 1 } }, f: 'EAN 4006669725106' };
    expect(cardNumberPaths(body).sort()).toEqual(['[card]', 'a.0.b', 'a.2', 'c.d [card]']);
  });

  it('is masked in logs all the same', () => {
    expect(maskCardNumbers(`EAN ${EAN}, SIRET 30569309025904, order ${VISA}`)).toBe(
      'EAN [card], SIRET [card], order [card]',
    );
  });
});

describe('a text in which a card number could begin anywhere', () => {
  const seconds = (text: string) => {
    const before = process.cpuUsage();
    containsCardNumber(text);
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1e6;
  };

  it.each([
    '4-',
    '4 ',
    '3 ',
    '4',
    '4242-',
    '4242\n',
    '4242.',
    '4.',
    '42424242-',
    'a4',
    '４-',
    '٤ ',
    '\u200b4',
    `${EAN} `,
  ])('is searched quickly: %j', (part) => {
    seconds(part.repeat(1_000));
    expect(Math.min(...[1, 2, 3, 4, 5].map(() => seconds(part.repeat(250_000 / part.length))))).toBeLessThan(0.2);
  });
});

function withCheckDigit(digits: string): string {
  return [...'0123456789'].map((digit) => digits + digit).find(passesLuhn)!;
}

function changed(number: string, at: number, by: number): string {
  return number.slice(0, at) + ((Number(number[at]) + by) % 10) + number.slice(at + 1);
}
