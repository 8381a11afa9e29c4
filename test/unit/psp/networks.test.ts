import { describe, expect, it } from 'vitest';
import { networksToChooseFrom } from '#shared/psp/flutterwave/capabilities.ts';
import { findNetwork, networkCheck } from '#shared/psp/kit/networks.ts';

const GHANA = { MTN: [], VODAFONE: ['Vod', 'Telecel'], TIGO: ['AirtelTigo', 'AT'] };

describe('findNetwork', () => {
  it.each([
    ['MTN', 'MTN'],
    ['mtn', 'MTN'],
    [' Mtn ', 'MTN'],
    ['M.T.N.', 'MTN'],
    ['MTN MoMo', 'MTN'],
    ['mtn mobile money', 'MTN'],
    ['mtn-momo', 'MTN'],
    ['mtn_mobile_money', 'MTN'],
    ['ＭＴＮ', 'MTN'],
    ['Vodafone Cash', 'VODAFONE'],
    ['vod', 'VODAFONE'],
    ['TELECEL CASH', 'VODAFONE'],
    ['AirtelTigo Money', 'TIGO'],
    ['airtel-tigo', 'TIGO'],
    ['Tigó', 'TIGO'],
  ])('knows "%s" as %s', (named, network) => expect(findNetwork(GHANA, named)).toBe(network));

  it.each(['', ' ', 'MT', 'MTNN', 'Orange', 'momo', 'cash', 'mobile money', '网络', '__proto__', 'constructor'])(
    'knows no network by the name "%s"',
    (named) => expect(findNetwork(GHANA, named)).toBeUndefined(),
  );
});

describe('a network named with a generic word', () => {
  it('is found by that whole name alone', () => {
    expect(findNetwork({ mcash: [] }, 'mCash')).toBe('mcash');
    expect(findNetwork({ mcash: [] }, 'm')).toBeUndefined();
    expect(findNetwork({ mcash: [] }, 'm wallet')).toBeUndefined();
  });
});

describe('networkCheck', () => {
  const check = networkCheck(({ currency }) => (currency === 'GHS' ? GHANA : undefined));
  const charge = { method: 'mobile_money', country: null };

  it('lists the networks instead of one that is not known', () =>
    expect(check({ ...charge, currency: 'GHS', network: 'Orange' })).toEqual(['MTN', 'VODAFONE', 'TIGO']));

  it('has nothing against a known network, nor where no list is', () => {
    expect(check({ ...charge, currency: 'GHS', network: 'mtn' })).toBeUndefined();
    expect(check({ ...charge, currency: 'KES', network: 'Orange' })).toBeUndefined();
  });
});

describe('the networks of Flutterwave', () => {
  const instead = (currency: string, network: string, method = 'mobile_money') =>
    networksToChooseFrom({ method, currency, country: null, network });

  it.each([
    ['GHS', 'mtn'],
    ['GHS', 'Vodafone Cash'],
    ['GHS', 'telecel'],
    ['GHS', 'AirtelTigo'],
    ['GHS', 'tigo'],
    ['UGX', 'Airtel Money'],
    ['RWF', 'MTN MoMo'],
    ['ZMW', 'zamtel'],
    ['TZS', 'M-Pesa'],
    ['TZS', 'Tigo Pesa'],
    ['TZS', 'halotel'],
    ['KES', 'M-PESA'],
    ['KES', 'Safaricom'],
    ['KES', 'airtel'],
    ['XAF', 'Orange Money'],
    ['XAF', 'orange'],
    ['XOF', 'wave'],
    ['XOF', 'Moov Money'],
    ['XOF', 'Free Money'],
  ])('in %s include "%s"', (currency, network) => expect(instead(currency, network)).toBeUndefined());

  it.each([
    ['GHS', 'wave', ['MTN', 'VODAFONE', 'TIGO']],
    ['UGX', 'vodafone', ['MTN', 'AIRTEL']],
    ['KES', 'mtn', ['SAFARICOM', 'AIRTEL']],
    ['XAF', 'wave', ['MTN', 'ORANGEMONEY']],
  ])('in %s do not include "%s"', (currency, network, networks) =>
    expect(instead(currency, network)).toEqual(networks),
  );

  it('are not asked for a card, nor in a currency without mobile money', () => {
    expect(instead('GHS', 'wave', 'card')).toBeUndefined();
    expect(instead('EUR', 'wave')).toBeUndefined();
  });
});
