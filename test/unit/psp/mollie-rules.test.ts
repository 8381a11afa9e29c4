import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { knownDecline } from '#lib/simulators/mollie/declines.ts';
import { FAILURES } from '#shared/domain/payments/declines.catalog.ts';
import { CURRENCIES } from '#shared/domain/reference/currencies.catalog.ts';
import { METHOD_TYPES } from '#shared/psp/mollie/capabilities.ts';
import { toDecline } from '#shared/psp/mollie/declines.catalog.ts';
import { MOLLIE_CURRENCIES, mollieAmount, toOurMoney } from '#shared/psp/mollie/money.rules.ts';
import { readPayment } from '#shared/psp/mollie/schema.ts';
import { inCi, specsThere } from '#test/contract/openapi-check.ts';
import payment from '#test/fixtures/mollie/payment-open.json' with { type: 'json' };

const DOCUMENT = new URL('../../../../shared/psp-specs/mollie.openapi.json', import.meta.url);
const enumOf = (name: string): readonly string[] => {
  const { enum: words } = JSON.parse(readFileSync(DOCUMENT, 'utf8')).components.schemas[name] as { enum: string[] };
  return words;
};

describe('the amounts of Mollie', () => {
  it.each([
    [1, 'EUR', '0.01'],
    [1250, 'EUR', '12.50'],
    [500, 'JPY', '500'],
    [500, 'ISK', '500'],
    [99_999_999_999, 'HUF', '999999999.99'],
  ])('send %i %s as %s', (amount, currency, value) => {
    expect(mollieAmount(amount, currency)).toEqual({ currency, value });
  });

  it('return as they were sent, in every currency that Mollie supports', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 99_999_999_999 }),
        fc.constantFrom(...MOLLIE_CURRENCIES),
        (amount, currency) => {
          expect(toOurMoney(mollieAmount(amount, currency)!)).toEqual({ amount, currency });
        },
      ),
    );
  });

  it.each(['10.999', '10,00', '-1.00', '', '1e3', 'ten'])('reject the reported amount %j', (value) => {
    expect(() => toOurMoney({ value, currency: 'EUR' })).toThrow(
      expect.objectContaining({ name: 'PspOutcomeUnknown' }),
    );
  });

  it('exist only in known currencies', () => {
    expect(MOLLIE_CURRENCIES.filter((code) => !Object.hasOwn(CURRENCIES, code))).toEqual([]);
  });
});

describe('the declines of Mollie', () => {
  const failed = (reason?: string, scheme?: string) =>
    toDecline(
      readPayment({
        ...payment,
        status: 'failed',
        details: { failureReason: reason },
        statusReason: scheme ? { code: scheme, message: '' } : null,
      }),
    );

  it.each(Object.keys(FAILURES).flatMap((code) => (knownDecline(code)?.status === 'failed' ? [code] : [])))(
    'map the reasons of the simulator for %s to that code',
    (code) => {
      const said = knownDecline(code)!;
      expect(failed(said.reason, said.scheme).code).toBe(code);
    },
  );

  it.runIf(specsThere || inCi)('name only methods that Mollie documents (needs ../shared/psp-specs)', () => {
    const documented = new Set(enumOf('method'));
    expect(
      Object.values(METHOD_TYPES)
        .flat()
        .filter((method) => !documented.has(method)),
    ).toEqual([]);
  });

  it.each([
    [undefined, undefined, null],
    ['Sentences, with signs', undefined, null],
    ['some_new_word', undefined, 'some_new_word'],
    ['card_declined', 'a_code_of_the_future', 'a_code_of_the_future'],
  ])('keep a charge at Mollie that failed for the reason %j (%j)', (reason, scheme, provider_code) => {
    expect(failed(reason, scheme)).toEqual({ code: 'card_declined', retry: 'retry_same_later', provider_code });
  });
});
