import { describe, expect, it } from 'vitest';
import { MAX_RESPONSE_CHARACTERS, responseStart } from '#shared/domain/webhooks/response-start.rules.ts';

const shown = (text: string, encoding?: string) => responseStart(Buffer.from(text), encoding);

describe('the start of a response', () => {
  it.each([
    ['keeps an ordinary message', '{"error":"order 4711 not found"}', '{"error":"order 4711 not found"}'],
    ['writes lines and control characters as blanks', ' a\r\n\tb\u0000\u202ec ', 'a b c'],
    ['leaves out numbers like those of cards', 'card 4242 4242-4242 4242 is unknown', 'card [number] is unknown'],
    ['leaves out signing secrets', 'expected whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', 'expected [secret]'],
    ['leaves out API keys', 'key sk_live_abcdef123456 is wrong', 'key [secret] is wrong'],
    ['leaves out credentials', 'got Bearer abcdefgh.ijkl', 'got [credential]'],
    [
      'leaves out signatures',
      `got sha256=${'ab'.repeat(32)} and v1,${'A'.repeat(43)}=`,
      'got [signature] and [signature]',
    ],
    ['leaves out tokens', 'eyJhbGciOi.eyJzdWIiOi.sig-nature', '[token]'],
  ])('%s', (_, text, expected) => expect(shown(text)).toBe(expected));

  it('ends after so many characters, and cuts none in half', () => {
    expect([...(shown('😀'.repeat(600)) ?? '')]).toHaveLength(MAX_RESPONSE_CHARACTERS);
    expect(responseStart(Buffer.from('é').subarray(0, 1))).toBeUndefined();
  });

  it('is missing where there is none to read', () => {
    expect([shown(''), shown(' \n '), shown('x', 'br')]).toEqual([undefined, undefined, undefined]);
    expect(shown('x', 'identity')).toBe('x');
  });
});
