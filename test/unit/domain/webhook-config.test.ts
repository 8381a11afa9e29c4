import { describe, expect, it } from 'vitest';
import { configuredEntry, disabledEntry, rotatedEntry } from '#shared/domain/webhooks/webhook-audit.rules.ts';
import type { WebhookConfig } from '#shared/domain/webhooks/webhook-config.model.ts';
import {
  applyConfig,
  newConfig,
  validPreviousSecrets,
  withNewSecret,
} from '#shared/domain/webhooks/webhook-config.rules.ts';
import { disableConfig } from '#shared/domain/webhooks/webhook-health.rules.ts';
import { HOUR } from '#shared/kernel/clock.ts';
import { later, START } from '#test/support/stopped-clock.ts';

const WISH = { url: 'https://shop.example/hook', events: ['*'], enabled: true };
const first = applyConfig(newConfig('org_1', 'sealed 1', START), WISH, START);
const hour = (n: number): Date => later(n * HOUR);
/** A rotation at each of these hours. */
const rotatedAt = (...hours: readonly number[]): WebhookConfig =>
  hours.reduce((config, at, n) => withNewSecret(config, `sealed ${n + 2}`, false, hour(at)), first);
const formerOf = (config: WebhookConfig, at: Date): string[] =>
  validPreviousSecrets(config, at).map(({ sealed_secret }) => sealed_secret);
const BY = { actorId: 'ada', credentialId: 'key_1', auditId: 'act_1' };

describe('a webhook configuration', () => {
  it('is the first version, with the first audit entry', () =>
    expect(first).toEqual({
      ...WISH,
      org_id: 'org_1',
      sealed_secret: 'sealed 1',
      version: 1,
      audits: 1,
      created_at: START.toISOString(),
      updated_at: START.toISOString(),
    }));

  it('that is saved again is the next version, with the same secret and creation time', () =>
    expect(applyConfig(first, { ...WISH, url: 'https://shop.example/new' }, hour(1))).toEqual({
      ...first,
      url: 'https://shop.example/new',
      version: 2,
      audits: 2,
      updated_at: hour(1).toISOString(),
    }));

  it('shows since when a member disabled it, however often it is saved', () => {
    const off = applyConfig(first, { ...WISH, enabled: false }, hour(1));
    const still = applyConfig(off, { ...WISH, events: ['invoice.paid'], enabled: false }, hour(2));
    expect([off.disabled_at, still.disabled_at, applyConfig(still, WISH, hour(3)).disabled_at]).toEqual([
      hour(1).toISOString(),
      hour(1).toISOString(),
      undefined,
    ]);
  });

  const failing = disableConfig({ ...first, failing_since: START.toISOString() }, 'failing', hour(120));

  it('that is enabled again has no failures', () => {
    const { failing_since, disabled_at, disabled_reason } = applyConfig(failing, WISH, hour(121));
    expect([failing_since, disabled_at, disabled_reason]).toEqual([undefined, undefined, undefined]);
  });

  it('that was disabled automatically counts as disabled by a member once one disables it', () => {
    const { disabled_at, disabled_reason, failing_since } = applyConfig(
      failing,
      { ...WISH, enabled: false },
      hour(121),
    );
    expect([disabled_at, disabled_reason, failing_since]).toEqual([
      hour(120).toISOString(),
      undefined,
      START.toISOString(),
    ]);
  });

  it('keeps the valid previous secrets, and drops the others', () => {
    const twice = rotatedAt(0, 12);
    expect(applyConfig(twice, WISH, hour(13)).former).toEqual(twice.former);
    expect(applyConfig(twice, WISH, hour(30)).former).toEqual(twice.former?.slice(0, 1));
    expect('former' in applyConfig(twice, WISH, hour(48))).toBe(false);
  });
});

describe('a rotation', () => {
  it('keeps the previous secret for a day, to the millisecond', () => {
    const config = rotatedAt(1);
    expect([config.sealed_secret, config.former]).toEqual([
      'sealed 2',
      [{ sealed_secret: 'sealed 1', until: hour(25).toISOString() }],
    ]);
    expect([formerOf(config, later(25 * HOUR - 1)), formerOf(config, hour(25))]).toEqual([['sealed 1'], []]);
  });

  it('puts the newest previous secret first', () =>
    expect(formerOf(rotatedAt(0, 1, 2), hour(3))).toEqual(['sealed 3', 'sealed 2', 'sealed 1']));

  it('is refused with three previous secrets, until the oldest expires', () => {
    const config = rotatedAt(0, 1, 2);
    expect(() => withNewSecret(config, 'sealed 5', false, hour(3))).toThrow(
      expect.objectContaining({ code: 'secret_rotation_limit' }),
    );
    expect(() => withNewSecret(config, 'sealed 5', false, hour(3))).toThrow(hour(24).toISOString());
    expect(formerOf(withNewSecret(config, 'sealed 5', false, hour(24)), hour(24))).toEqual([
      'sealed 4',
      'sealed 3',
      'sealed 2',
    ]);
  });

  it('ends all previous secrets on request', () => {
    const config = withNewSecret(rotatedAt(0, 1, 2), 'sealed 5', true, hour(3));
    expect([config.sealed_secret, 'former' in config, config.version]).toEqual(['sealed 5', false, 5]);
  });
});

describe('an audit entry', () => {
  it('of a first configuration has all fields except the secret', () =>
    expect(configuredEntry(undefined, first, BY, START)).toEqual({
      id: 1,
      actor_id: 'ada',
      action: 'webhook.configured',
      metadata: {
        changes: {
          url: { from: null, to: WISH.url },
          events: { from: null, to: ['*'] },
          enabled: { from: null, to: true },
          signing_secret: { from: null, to: 'sealed' },
        },
        credential_id: 'key_1',
      },
      created_at: START.toISOString(),
      act_id: 'act_1',
    }));

  it('names the API key if no actor is named', () =>
    expect(configuredEntry(undefined, first, { ...BY, actorId: null }, START)?.actor_id).toBe('key_1'));

  it.each([
    ['does not exist for a change without effect', WISH, undefined],
    ['has only the changed fields', { ...WISH, enabled: false }, { enabled: { from: true, to: false } }],
  ])('%s', (_, wish, changes) =>
    expect(configuredEntry(first, applyConfig(first, wish, hour(1)), BY, hour(1))?.metadata.changes).toEqual(changes),
  );

  it('does not exist for a previous secret that expired', () => {
    const config = rotatedAt(0);
    expect(configuredEntry(config, applyConfig(config, WISH, hour(48)), BY, hour(48))).toBeUndefined();
  });

  it('of a rotation counts the valid secrets', () => {
    const [before, after] = [rotatedAt(0), rotatedAt(0, 1)];
    expect(rotatedEntry(before, after, BY, hour(1)).metadata.changes).toEqual({
      signing_secret: { from: 'replaced', to: 'sealed' },
      former_secrets: { from: 1, to: 2 },
    });
    expect(JSON.stringify(rotatedEntry(before, after, BY, hour(1)))).not.toMatch(/sealed \d/);
  });

  it('of an automatic change has a reason and no credential', () =>
    expect(disabledEntry(first, disableConfig(first, 'gone', hour(1)), 'gone', 'act_2', hour(1))).toEqual({
      id: 2,
      actor_id: 'system',
      action: 'webhook.disabled',
      metadata: {
        changes: { enabled: { from: true, to: false }, disabled_reason: { from: null, to: 'gone' } },
        credential_id: null,
        reason: 'gone',
      },
      created_at: hour(1).toISOString(),
      act_id: 'act_2',
    }));
});
