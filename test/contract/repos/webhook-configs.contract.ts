import { describe, expect, it } from 'vitest';
import { startOrJoin } from '#shared/domain/webhooks/bulk-replay.rules.ts';
import { configuredEntry, disabledEntry } from '#shared/domain/webhooks/webhook-audit.rules.ts';
import type { WebhookConfig } from '#shared/domain/webhooks/webhook-config.model.ts';
import { applyConfig, newConfig, withNewSecret } from '#shared/domain/webhooks/webhook-config.rules.ts';
import { disableConfig } from '#shared/domain/webhooks/webhook-health.rules.ts';
import { DAY } from '#shared/kernel/clock.ts';
import { WebhookConfigRepo } from '#shared/store/repos/webhooks/webhook-config.repo.ts';
import { memoryStore } from '#test/support/memory-store.ts';
import { ORG } from '#test/support/payment.builder.ts';
import { later, START } from '#test/support/stopped-clock.ts';

const INPUT = { url: 'https://shop.example/hook', events: ['*'], enabled: true };
const BY = { actorId: null, credentialId: 'key_1', auditId: 'act_1' };
const first = applyConfig(newConfig(ORG, 'sealed', START), INPUT, START);

/** A stored webhook config, and ways to change it. */
async function aWebhookConfig() {
  const configs = new WebhookConfigRepo(memoryStore().table);
  const audited = (before: WebhookConfig | undefined, after: WebhookConfig) =>
    configs.save(after, configuredEntry(before, after, BY, START), after.enabled);
  expect(await audited(undefined, first)).toBe(true);
  const stored = async (): Promise<WebhookConfig> => (await configs.get(ORG))!;
  const entries = async () => (await configs.audit(ORG, 100, 200)).map(({ id, action }) => `${id} ${action}`);
  const disable = (config: WebhookConfig, reason: 'gone' | 'failing') => {
    const off = disableConfig(config, reason, later(DAY));
    return configs.disable(off, disabledEntry(config, off, reason, 'act_2', later(DAY)));
  };
  return { configs, audited, stored, entries, disable };
}

export function webhookConfigs(): void {
  describe('WebhookConfigRepo', () => {
    it('stores a config as it was saved, with its audit entry', async () => {
      const { stored, entries } = await aWebhookConfig();
      expect([await stored(), await entries()]).toEqual([first, ['1 webhook.configured']]);
    });

    it('creates a config once, and changes each version once', async () => {
      const { audited, stored, entries } = await aWebhookConfig();
      const [mine, theirs] = ['mine', 'theirs'].map((path) =>
        applyConfig(first, { ...INPUT, url: `https://shop.example/${path}` }, later(1)),
      );
      expect(await audited(undefined, { ...first, sealed_secret: 'another' })).toBe(false);
      expect(await Promise.all([audited(first, mine!), audited(first, theirs!)])).toEqual([true, false]);
      expect([await stored(), await entries()]).toEqual([mine, ['2 webhook.configured', '1 webhook.configured']]);
    });

    it('removes the fields that a newer version does not have', async () => {
      const { audited, stored } = await aWebhookConfig();
      const off = applyConfig(first, { ...INPUT, enabled: false }, later(1));
      await audited(first, off);
      const on = applyConfig(await stored(), INPUT, later(2));
      await audited(off, on);
      expect(await stored()).toEqual(on);
    });

    it('records the first failure once, and only on the version that was read', async () => {
      const { configs, audited, stored } = await aWebhookConfig();
      await configs.recordFailing(first, 'failing_since', later(1));
      await configs.recordFailing(first, 'failing_since', later(2));
      expect(await stored()).toEqual({ ...first, failing_since: later(1).toISOString() });
      const saved = applyConfig(await stored(), { ...INPUT, events: ['invoice.paid'] }, later(3));
      await audited(first, saved);
      await configs.recordFailing(first, 'failing_since', later(4));
      expect(await stored()).toEqual(saved);
    });

    it('records recovery only for a reader that knows when the failures began', async () => {
      const { configs, stored } = await aWebhookConfig();
      await configs.recordFailing(first, 'failing_since', later(1));
      await configs.recordRecovery({ ...first, failing_since: later(0).toISOString() });
      expect((await stored()).failing_since).toBe(later(1).toISOString());
      await configs.recordRecovery(await stored());
      expect(await stored()).toEqual(first);
    });

    it('records failing replays beside failing deliveries, and the recovery of both at once', async () => {
      const { configs, stored } = await aWebhookConfig();
      await configs.recordFailing(first, 'replays_failing_since', later(1));
      await configs.recordFailing(first, 'failing_since', later(2));
      await configs.recordFailing(first, 'replays_failing_since', later(3));
      expect(await stored()).toEqual({
        ...first,
        failing_since: later(2).toISOString(),
        replays_failing_since: later(1).toISOString(),
      });
      await configs.recordRecovery(await stored());
      expect(await stored()).toEqual(first);
    });

    it('records neither failure nor recovery without a config', async () => {
      const { configs } = await aWebhookConfig();
      const nobody = { ...first, org_id: 'org_nobody' };
      await configs.recordFailing(nobody, 'failing_since', later(1));
      await configs.recordFailing({ ...nobody, version: 2 }, 'failing_since', later(1));
      await configs.recordRecovery({ ...nobody, failing_since: later(1).toISOString() });
      expect(await configs.get('org_nobody')).toBeUndefined();
    });

    it('keeps a recovery that happened between the read and the save of another change', async () => {
      const { configs, stored } = await aWebhookConfig();
      await configs.recordFailing(first, 'failing_since', later(1));
      const read = await stored();
      await configs.recordRecovery(read);
      expect(await configs.save(withNewSecret(read, 'another', false, later(2)))).toBe(true);
      expect((await stored()).failing_since).toBeUndefined();
    });

    it.each([
      ['a rotation', (read: WebhookConfig) => withNewSecret(read, 'another', false, later(2)), later(1).toISOString()],
      [
        'disabling it',
        (read: WebhookConfig) => applyConfig(read, { ...INPUT, enabled: false }, later(2)),
        later(1).toISOString(),
      ],
      [
        'saving it enabled',
        (read: WebhookConfig) => applyConfig(read, { ...INPUT, events: ['invoice.paid'] }, later(2)),
        undefined,
      ],
    ])('keeps or clears a failure that was recorded meanwhile, after %s', async (_, change, since) => {
      const { configs, audited, stored } = await aWebhookConfig();
      await configs.recordFailing(first, 'failing_since', later(1));
      const after = change(first);
      expect(await (after.sealed_secret === first.sealed_secret ? audited(first, after) : configs.save(after))).toBe(
        true,
      );
      expect((await stored()).failing_since).toBe(since);
    });

    it('is disabled once, with one audit entry', async () => {
      const { configs, stored, entries, disable } = await aWebhookConfig();
      await configs.recordFailing(first, 'failing_since', later(1));
      const read = await stored();
      expect(await Promise.all([disable(read, 'failing'), disable(read, 'failing'), disable(read, 'gone')])).toEqual([
        true,
        false,
        false,
      ]);
      expect(await stored()).toMatchObject({ enabled: false, disabled_reason: 'failing', version: 2, audits: 2 });
      expect(await entries()).toEqual(['2 webhook.disabled', '1 webhook.configured']);
    });

    it.each([
      ['is not disabled for failing', 'failing', false],
      ['is disabled for being gone', 'gone', true],
    ] as const)('that recovered in the meantime %s', async (_, reason, done) => {
      const { configs, stored, entries, disable } = await aWebhookConfig();
      await configs.recordFailing(first, 'failing_since', later(1));
      const read = await stored();
      await configs.recordRecovery(read);
      expect(await disable(read, reason)).toBe(done);
      expect([(await stored()).enabled, (await entries()).length]).toEqual(done ? [false, 2] : [true, 1]);
    });

    it('is not disabled if someone changed it meanwhile', async () => {
      const { audited, stored, disable } = await aWebhookConfig();
      const changed = applyConfig(first, { ...INPUT, url: 'https://shop.example/new' }, later(1));
      await audited(first, changed);
      expect([await disable(first, 'gone'), await stored()]).toEqual([false, changed]);
    });

    it('stores the replay of failed events on the version that was read, beside the config', async () => {
      const { configs, stored } = await aWebhookConfig();
      const replay = startOrJoin(
        undefined,
        { since: START.toISOString(), until: later(DAY).toISOString() },
        { orgId: ORG, id: 'req_1', at: START },
      );
      expect([await configs.bulkReplay(ORG), await configs.saveBulkReplay(replay)]).toEqual([undefined, true]);
      const next = { ...replay, step: 1, version: 2 };
      expect(await Promise.all([configs.saveBulkReplay(replay), configs.saveBulkReplay(next)])).toEqual([false, true]);
      expect([await configs.saveBulkReplay(next), await configs.bulkReplay(ORG)]).toEqual([false, next]);
      expect(await stored()).toEqual(first);
    });
  });
}
