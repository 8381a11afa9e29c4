import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { keyText, parseKey } from '#shared/domain/accounts/api-key.model.ts';
import { hasTag } from '#shared/kernel/ids.ts';

const orgId = 'org_01jzzzzzzzfz0a1b2c3d4e5f6g';
const SECRET = 'a hash secret';

describe('the text of an API key', () => {
  it.each([
    ['sandbox', 'service', 'pfk_test_'],
    ['sandbox', 'secret', 'sk_sandbox_'],
    ['sandbox', 'public', 'pk_sandbox_'],
    ['live', 'service', 'pfk_live_'],
    ['live', 'secret', 'sk_live_'],
    ['live', 'public', 'pk_live_'],
  ] as const)(
    'on the %s stage with the kind %s begins with %s and contains the organization',
    (stage, kind, prefix) => {
      const text = keyText({ stage, kind, orgId }, randomBytes(32), SECRET);
      expect(text).toMatch(new RegExp(`^${prefix}01jzzzzzzzfz0a1b2c3d4e5f6g[A-Za-z0-9]{32}$`));
      expect(parseKey(text)).toEqual({ stage, kind, orgId });
    },
  );

  it('is the same for the same bytes and different for others', () => {
    const parts = { stage: 'sandbox', kind: 'service', orgId } as const;
    expect(keyText(parts, Buffer.alloc(32, 1), SECRET)).toBe(keyText(parts, Buffer.alloc(32, 1), SECRET));
    expect(keyText(parts, Buffer.alloc(32, 1), SECRET)).not.toBe(keyText(parts, Buffer.alloc(32, 2), SECRET));
    expect(parseKey(keyText(parts, Buffer.alloc(32, 0), SECRET))).toBeDefined();
  });

  it('has a tag that no changed text, other stage or other service has', () => {
    const text = keyText({ stage: 'sandbox', kind: 'secret', orgId }, randomBytes(32), SECRET);
    expect(hasTag(text, SECRET)).toBe(true);
    const changed = Array.from(text, (char, n) => `${text.slice(0, n)}${char === 'a' ? 'b' : 'a'}${text.slice(n + 1)}`);
    expect(changed.filter((each) => hasTag(each, SECRET))).toEqual([]);
    expect([hasTag(text, 'another secret'), hasTag('', SECRET), hasTag('short', SECRET)]).toEqual([
      false,
      false,
      false,
    ]);
  });
});
