import { describe, expect, it } from 'vitest';
import { PspNotSent, PspOutcomeUnknown, PspRefused, PspUnsupported } from '#shared/ports/psp.port.ts';
import { classifyCharge, classifyRefund, classifyRepeat } from '#shared/services/payments/classify-outcome.service.ts';

const SILENT = { info: () => {}, warn: () => {}, error: () => {} };

const failing = (error: Error) => (): Promise<never> => Promise.reject(error);
const ofCharge = async (error: Error) => classifyCharge(failing(error), SILENT);

describe('a failed charge', () => {
  it.each<[string, Error, string, boolean, string | undefined]>([
    [
      'for a token that is none was no call',
      new PspUnsupported('invalid_payment_method', 'No token.'),
      'invalid_payment_method',
      false,
      'none',
    ],
    [
      'for an amount that cannot be expressed made no call, and allows failover',
      new PspUnsupported('amount_not_supported', 'No.'),
      'amount_not_supported',
      true,
      'none',
    ],
    [
      'for an error in the request got a response',
      new PspRefused('request', 'No.', 'x'),
      'invalid_configuration',
      true,
      'answered',
    ],
    [
      'for a missing object got a response',
      new PspRefused('not_found', 'No.'),
      'invalid_configuration',
      true,
      'answered',
    ],
    [
      'for its credentials speaks against the account',
      new PspRefused('credentials', 'No.'),
      'invalid_configuration',
      true,
      undefined,
    ],
    ['for its account speaks against it', new PspRefused('account', 'No.'), 'invalid_configuration', true, undefined],
    [
      'to arrive speaks against the provider',
      new PspNotSent('unreachable', 'No.'),
      'provider_unavailable',
      true,
      undefined,
    ],
    [
      'at a provider that wants fewer calls speaks against it',
      new PspNotSent('rate_limited', 'No.'),
      'provider_unavailable',
      true,
      undefined,
    ],
  ])('%s', async (_, error, code, allowsFailover, call) => {
    const verdict = await ofCharge(error);
    expect(verdict).toMatchObject({ kind: 'failed', reference: null, failure: { code }, allowsFailover });
    expect('call' in verdict ? verdict.call : undefined).toBe(call);
  });

  it('is unknown without a response', async () =>
    expect(await ofCharge(new PspOutcomeUnknown('No.'))).toEqual({ kind: 'unknown' }));

  it('is unknown when its repeat is refused for the account: the first send may have charged', async () => {
    const again = async (error: Error) => classifyRepeat(failing(error), SILENT);
    expect(await again(new PspRefused('account', 'No.'))).toEqual({ kind: 'unknown' });
    expect(await again(new PspUnsupported('invalid_payment_method', 'No.'))).toMatchObject({
      kind: 'failed',
      allowsFailover: false,
      call: 'none',
    });
  });
});

it('fails a refund that is refused for the account', async () => {
  expect(await classifyRefund(failing(new PspRefused('account', 'No.')), SILENT)).toMatchObject({
    kind: 'failed',
  });
});

it('knows nothing of a refund whose repeat is refused for the account: the first send may have been taken', async () => {
  const repeated = await classifyRefund(failing(new PspRefused('account', 'No.')), SILENT, true);
  expect(repeated).toEqual({ kind: 'unknown' });
});
