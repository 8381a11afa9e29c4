import { beforeAll, describe, expect, it } from 'vitest';
import { checkSettings, type PayforkSettings } from '#lib/aws/payfork-settings.ts';
import { deployed } from '#test/cdk/deployed.support.ts';
import { functionNames } from '#test/cdk/stack/function-names.support.ts';
import { type Properties, type Synthesized, textOf } from '#test/cdk/synthesized.support.ts';

let usual: Synthesized;
let changed: Synthesized;
beforeAll(() => {
  usual = deployed({});
  changed = deployed({
    hashVersions: { hashSecret: { current: 2, previous: 1 }, tokenSecret: { current: 1, next: 2 } },
    callbackUrl: 'https://callbacks.example.com',
  });
}, 180_000);

/** The value of a variable, by function; only those that have it. */
const valuesOf = (stack: Synthesized, variable: string): Readonly<Record<string, Properties>> =>
  Object.fromEntries(
    Object.entries(stack.of('AWS::Lambda::Function')).flatMap(([id, { Properties: p }]) => {
      const value = p.Environment?.Variables[variable];
      return value === undefined ? [] : [[functionNames(stack).get(id), value]];
    }),
  );

describe('the versions of a secret of hashes', () => {
  it('are told to those functions alone that have its key', () => {
    const [hash, token] = [valuesOf(changed, 'HASH_VERSIONS'), valuesOf(changed, 'TOKEN_VERSIONS')];
    expect(Object.keys(hash)).toEqual(Object.keys(valuesOf(changed, 'HASH_KEY_ARN')));
    expect(Object.keys(token)).toEqual(Object.keys(valuesOf(changed, 'TOKEN_KEY_ARN')));
    expect([hash.payments, token.payments, hash['api-keys']]).toEqual(['2,1', '1,2', '2,1']);
    expect([valuesOf(changed, 'RECOVERY_VERSIONS'), valuesOf(usual, 'HASH_VERSIONS')]).toEqual([{}, {}]);
  });

  it.each([
    ['is not higher than the current one', { current: 2, next: 1 }, 'The next version must be higher than 2.'],
    ['is named twice', { current: 2, previous: 2 }, 'A version is named twice.'],
    ['is none', { current: 0 }, 'must be a whole number from 1.'],
    ['comes while another change is under way', { current: 2, next: 3, previous: 1 }, 'either a next or a previous'],
    ['is later than the current one', { current: 2, former: [3] }, 'Earlier versions must be lower than 2.'],
  ])('are refused at synthesis if one %s', (_, hashSecret, message) => {
    const settings: PayforkSettings = { name: 'ServiceLive', stage: 'live', hashVersions: { hashSecret } };
    expect(() => checkSettings(settings)).toThrow(message);
  });
});

describe('the address of callbacks', () => {
  it('is the function URL, of which only the function that tells organizations knows', () => {
    const told = valuesOf(usual, 'CALLBACK_URL');
    expect(Object.keys(told)).toEqual(['connections']);
    expect(textOf(told.connections)).toMatch(/^<CallbacksFunctionUrl|^<FunctionspspwebhooksAlias/i);
  });

  it('is the one of the settings, for what organizations are told and what payments name', () => {
    const told = valuesOf(changed, 'CALLBACK_URL');
    expect([told.connections, told.payments, told['psp-webhooks']]).toEqual(
      Array.from({ length: 3 }, () => 'https://callbacks.example.com'),
    );
    expect(changed.template.findOutputs('CallbackUrl').CallbackUrl?.Value).toBe('https://callbacks.example.com/');
  });

  it('must be an address', () => {
    const settings: PayforkSettings = { name: 'ServiceLive', stage: 'live', callbackUrl: 'callbacks.example.com' };
    expect(() => checkSettings(settings)).toThrow('callbackUrl must be an address');
  });
});
