import { describe, expect, it } from 'vitest';
import { type Decline, mayFailOver } from '#shared/domain/payments/declines.catalog.ts';
import { REASONS, REFUSED_REQUESTS, REQUEST_DECLINES, readRefusal } from '#shared/psp/adyen/declines.catalog.ts';
import { RESULTS, toOutcome } from '#shared/psp/adyen/outcomes.rules.ts';
import { parseAdyenCallback } from '#shared/psp/adyen/webhooks.ts';
import { lookUp, mastercardAdvice, readReason, UNDECIDED } from '#shared/psp/kit/declines.ts';
import documented from '#test/fixtures/adyen/documented-codes.json' with { type: 'json' };
import authorisation from '#test/fixtures/adyen/notification-authorisation.json' with { type: 'json' };
import { describeDocumentedCodes } from '#test/unit/psp/documented-codes.ts';

type Data = Readonly<Record<string, string>>;

/** A refusal without a reason, with these data. Undefined where they say nothing that our tables know. */
function readByData(data: Data): Decline | typeof UNDECIDED | undefined {
  const decline = readRefusal({ code: '2', data });
  const silent = readRefusal({ code: '2' });
  return JSON.stringify(decline) === JSON.stringify(silent) ? undefined : decline;
}

const READERS: Readonly<Record<string, (code: string) => Decline | typeof UNDECIDED | string | undefined>> = {
  'refusal codes': (code) => (lookUp(REASONS, code) ? readRefusal({ code }) : undefined),
  'refusal reasons': (reason) => {
    const decline = readRefusal({ reason });
    return decline !== UNDECIDED && decline.provider_code === null ? undefined : decline;
  },
  'result codes': (code) => lookUp(RESULTS, code),
  'merchant advice codes': mastercardAdvice,
  'inferred refusal reasons': (inferredRefusalReason) => readByData({ inferredRefusalReason }),
  'account updater statuses': (realtimeAccountUpdaterStatus) => readByData({ realtimeAccountUpdaterStatus }),
  'raw responses': (refusalReasonRaw) => readByData({ refusalReasonRaw }),
  'error codes': (code) => {
    const meaning = lookUp(REQUEST_DECLINES, code);
    if (meaning !== undefined) return readReason(meaning, code);
    return REFUSED_REQUESTS.has(code) ? 'request refused' : undefined;
  },
};

describeDocumentedCodes(
  'adyen',
  documented.lists.map((list) => ({ ...list, read: (code: string) => READERS[list.name]?.(code) })),
);

const CODES = documented.lists.find(({ name }) => name === 'refusal codes')?.codes ?? [];

const direct = (code: string, data: Data = {}) => {
  const body = {
    resultCode: 'Refused',
    pspReference: 'PSP_1',
    refusalReasonCode: code,
    refusalReason: REASONS[code]?.[0],
  };
  return toOutcome({ ...body, additionalData: data }, 'att_1');
};

const notified = (reason: string, data: Data = {}) => {
  const [documentedItem] = authorisation.notificationItems;
  const { NotificationRequestItem: item } = documentedItem ?? {};
  const change = { pspReference: 'PSP_1', merchantReference: 'att_1', success: 'false', reason, additionalData: data };
  const body = { live: 'false', notificationItems: [{ NotificationRequestItem: { ...item, ...change } }] };
  const [event] = parseAdyenCallback({ rawBody: Buffer.from(JSON.stringify(body)), headers: {}, query: {} });
  return event?.subject.kind === 'payment' ? event.subject.reported : undefined;
};

/** What may stand beside a refusal, on the accounts that switched it on. */
const ADVICE: readonly Data[] = [
  {},
  { merchantAdviceCode: '01 : New account information available' },
  { merchantAdviceCode: '02 : Try again later' },
  { merchantAdviceCode: '03 : Do not try again' },
  { merchantAdviceCode: '21 : Payment cancellation' },
  { refusalReasonRaw: '43 : Stolen card' },
  { refusalReasonRaw: '51 : Insufficient funds', refusalCodeRaw: '51' },
  { inferredRefusalReason: 'Closed Account' },
  { 'retry.rescueScheduled': 'true' },
  { 'retry.attempt1.rawResponse': '41 : Lost card', 'retry.attempt2.rawResponse': '05 : Do not honor' },
  { 'networkToken.available': 'true', 'networkToken.tokenSummary': '1234' },
];

describe('a refusal by notification', () => {
  it.each(ADVICE)('means the same as the direct answer, with %j', (data) => {
    for (const code of CODES)
      expect([code, notified(REASONS[code]?.[0] ?? '', data)]).toEqual([code, direct(code, data)]);
  });

  it('keeps its reason when the account puts a code in front, or the way of authentication', () => {
    expect(notified('6 : Expired Card')).toEqual(direct('6'));
    expect(notified('3d-secure: 3D Not Authenticated')).toEqual(direct('11'));
    expect(notified('12')).toEqual(direct('12'));
  });

  it.each([
    ['12 : Invalid transaction', 'transaction_not_allowed', 'new_method'],
    ['43 : Stolen card, pick up', 'stolen_card', 'never'],
    ['51 : Insufficient funds', 'insufficient_funds', 'retry_same_later'],
    ['99 : a word of the future', 'card_declined', 'retry_same_later'],
  ])('reads the issuer’s own words %s, and not their number as one of Adyen’s', (reason, code, retry) => {
    expect(notified(reason)).toMatchObject({ kind: 'declined', decline: { code, retry, provider_code: null } });
  });
});

describe('advice beside a refusal', () => {
  it.each([
    ['2', '01 : New account information available', 'card_declined', 'fix_input'],
    ['2', '02 : Try again later', 'card_declined', 'retry_same_later'],
    ['2', '03 : Do not try again', 'card_declined', 'never'],
    ['2', '21', 'card_declined', 'never'],
    ['27', '3', 'do_not_honor', 'never'],
    ['4', '03 : Do not try again', 'processing_error', 'never'],
    ['9', '40 : Consumer non-reloadable prepaid card', 'issuer_unavailable', 'new_method'],
    ['2', '24 : Retry after 1 hour', 'card_declined', 'retry_same_later'],
    ['2', '99 : a word of the future', 'card_declined', 'retry_same_later'],
    ['12', '99 : a word of the future', 'insufficient_funds', 'retry_same_later'],
    ['24', '99 : a word of the future', 'incorrect_cvc', 'fix_input'],
    ['5', '02 : Try again later', 'restricted_card', 'never'],
  ])('narrows refusal %s by the merchant advice code %s', (code, merchantAdviceCode, ours, retry) => {
    expect(direct(code, { merchantAdviceCode })).toMatchObject({ decline: { code: ours, retry, provider_code: code } });
  });

  it.each([
    ['2', { refusalReasonRaw: '41 : Lost card' }, 'lost_card', 'never'],
    ['2', { refusalReasonRaw: '46 : Closed account' }, 'invalid_account', 'never'],
    ['2', { refusalReasonRaw: '63 : Security violation' }, 'fraud_suspected', 'never'],
    ['2', { refusalReasonRaw: '65 : Authentication required' }, 'authentication_required', 'fix_input'],
    ['2', { refusalReasonRaw: '65 : Exceeds withdrawal count limit' }, 'limit_exceeded', 'retry_same_later'],
    ['2', { refusalReasonRaw: '05 : Do not honor' }, 'do_not_honor', 'retry_other_psp'],
    ['2', { refusalReasonRaw: '05 : Do not honor', merchantAdviceCode: '03' }, 'do_not_honor', 'never'],
    ['2', { refusalCodeRaw: '51' }, 'insufficient_funds', 'retry_same_later'],
    ['2', { refusalReasonRaw: 'AUTHORISED' }, 'card_declined', 'retry_other_psp'],
    ['10', { inferredRefusalReason: 'CVC Mandated' }, 'card_not_supported', 'new_method'],
    ['10', { inferredRefusalReason: 'Closed Account' }, 'invalid_account', 'never'],
    ['24', { refusalReasonRaw: '05 : Do not honor' }, 'incorrect_cvc', 'fix_input'],
    ['12', { refusalReasonRaw: '43 : Stolen card' }, 'stolen_card', 'never'],
    ['2', { realtimeAccountUpdaterStatus: 'CloseAccount' }, 'invalid_account', 'never'],
    ['2', { 'retry.attempt1.rawResponse': 'R1 : Revocation of authorization' }, 'authorization_revoked', 'never'],
    ['2', { 'networkToken.available': 'true' }, 'card_declined', 'retry_other_psp'],
  ])('reads refusal %s with %j', (code, data, ours, retry) => {
    expect(direct(code, data as Data)).toMatchObject({ decline: { code: ours, retry, provider_code: code } });
  });

  it('leaves a charge undecided while Adyen itself goes on charging it', () => {
    expect(direct('12', { 'retry.rescueScheduled': 'true' })).toEqual({ kind: 'processing', reference: 'PSP_1' });
    expect(direct('12', { 'retry.rescueScheduled': 'false' })).toMatchObject({ kind: 'declined' });
  });
});

describe('a refusal that is on no list', () => {
  it.each([
    ['9999', 'anything'],
    ['47', undefined],
    [undefined, 'a reason of the future'],
    [undefined, undefined],
    ['constructor', 'toString'],
  ])('%s (%s) stays at Adyen', (code, reason) => {
    const decline = readRefusal({ code, reason });
    expect(decline).toMatchObject({ code: 'card_declined', retry: 'retry_same_later' });
    expect(decline !== UNDECIDED && mayFailOver(decline)).toBe(false);
  });
});

it('sends only six of the refusal codes elsewhere, and no hard decline', () => {
  const elsewhere = CODES.filter((code) => {
    const decline = readRefusal({ code });
    return decline !== UNDECIDED && mayFailOver(decline);
  });
  expect(elsewhere).toEqual(['2', '4', '7', '9', '21', '27']);
});
