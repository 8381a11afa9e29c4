import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { keyText, parseKey } from '#shared/domain/accounts/api-key.model.ts';

const orgId = 'org_01jzzzzzzzfz0a1b2c3d4e5f6g';

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
      const text = keyText({ stage, kind, orgId }, randomBytes(32));
      expect(text).toMatch(new RegExp(`^${prefix}01jzzzzzzzfz0a1b2c3d4e5f6g[A-Za-z0-9]{32}$`));
      expect(parseKey(text)).toEqual({ stage, kind, orgId });
    },
  );

  it('is the same for the same bytes and different for others', () => {
    const parts = { stage: 'sandbox', kind: 'service', orgId } as const;
    expect(keyText(parts, Buffer.alloc(32, 1))).toBe(keyText(parts, Buffer.alloc(32, 1)));
    expect(keyText(parts, Buffer.alloc(32, 1))).not.toBe(keyText(parts, Buffer.alloc(32, 2)));
    expect(parseKey(keyText(parts, Buffer.alloc(32, 0)))).toBeDefined();
  });
});
