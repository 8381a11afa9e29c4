import { describe, expect, it } from 'vitest';
import { auditOfConfiguring, auditOfTurningOff } from '#shared/domain/webhooks/receiver-audit.rules.ts';
import type { ReceiverConfig } from '#shared/domain/webhooks/receiver-config.model.ts';
import { configured, rotated, unconfigured } from '#shared/domain/webhooks/receiver-config.rules.ts';
import { turnedOff } from '#shared/domain/webhooks/receiver-health.rules.ts';
import { DAY } from '#shared/kernel/clock.ts';
import { ReceiverRepo } from '#shared/store/repos/receiver.repo.ts';
import { memoryStore } from '#test/support/memory-store.ts';
import { ORG } from '#test/support/payment.builder.ts';
import { later, START } from '#test/support/stopped-clock.ts';

const WISH = { url: 'https://shop.example/hook', events: ['*'], enabled: true };
const BY = { actorId: null, credentialId: 'key_1', actId: 'act_1' };
const first = configured(unconfigured(ORG, 'sealed', START), WISH, START);

/** A receiver that was configured, and whoever changes it. */
async function aReceiver() {
  const receivers = new ReceiverRepo(memoryStore().table);
  const audited = (before: ReceiverConfig | undefined, after: ReceiverConfig) =>
    receivers.save(after, auditOfConfiguring(before, after, BY, START), after.enabled);
  expect(await audited(undefined, first)).toBe(true);
  const stored = async (): Promise<ReceiverConfig> => (await receivers.get(ORG))!;
  const entries = async () => (await receivers.audit(ORG, 100, 200)).map(({ id, action }) => `${id} ${action}`);
  const turnOff = (config: ReceiverConfig, reason: 'gone' | 'failing') => {
    const off = turnedOff(config, reason, later(DAY));
    return receivers.turnOff(off, auditOfTurningOff(config, off, reason, 'act_2', later(DAY)));
  };
  return { receivers, audited, stored, entries, turnOff };
}

export function receivers(): void {
  describe('a receiver', () => {
    it('is kept as it was saved', async () => {
      const { stored, entries } = await aReceiver();
      expect([await stored(), await entries()]).toEqual([first, ['1 webhook.configured']]);
    });

    it('is made once, and changed once a version', async () => {
      const { audited, stored, entries } = await aReceiver();
      const [mine, theirs] = ['mine', 'theirs'].map((path) =>
        configured(first, { ...WISH, url: `https://shop.example/${path}` }, later(1)),
      );
      expect(await audited(undefined, { ...first, sealed_secret: 'another' })).toBe(false);
      expect(await Promise.all([audited(first, mine!), audited(first, theirs!)])).toEqual([true, false]);
      expect([await stored(), await entries()]).toEqual([mine, ['2 webhook.configured', '1 webhook.configured']]);
    });

    it('loses what a later version has not', async () => {
      const { audited, stored } = await aReceiver();
      const off = configured(first, { ...WISH, enabled: false }, later(1));
      await audited(first, off);
      const on = configured(await stored(), WISH, later(2));
      await audited(off, on);
      expect(await stored()).toEqual(on);
    });

    it('is noted to fail once, by those who have read the version that it has', async () => {
      const { receivers, audited, stored } = await aReceiver();
      await receivers.noteFailing(first, 'failing_since', later(1));
      await receivers.noteFailing(first, 'failing_since', later(2));
      expect(await stored()).toEqual({ ...first, failing_since: later(1).toISOString() });
      const saved = configured(await stored(), { ...WISH, events: ['invoice.paid'] }, later(3));
      await audited(first, saved);
      await receivers.noteFailing(first, 'failing_since', later(4));
      expect(await stored()).toEqual(saved);
    });

    it('is noted to be back by those who have read when it began to fail', async () => {
      const { receivers, stored } = await aReceiver();
      await receivers.noteFailing(first, 'failing_since', later(1));
      await receivers.noteBack({ ...first, failing_since: later(0).toISOString() });
      expect((await stored()).failing_since).toBe(later(1).toISOString());
      await receivers.noteBack(await stored());
      expect(await stored()).toEqual(first);
    });

    it('is noted to fail replays beside planned tries, and to be back from both at once', async () => {
      const { receivers, stored } = await aReceiver();
      await receivers.noteFailing(first, 'replays_failing_since', later(1));
      await receivers.noteFailing(first, 'failing_since', later(2));
      await receivers.noteFailing(first, 'replays_failing_since', later(3));
      expect(await stored()).toEqual({
        ...first,
        failing_since: later(2).toISOString(),
        replays_failing_since: later(1).toISOString(),
      });
      await receivers.noteBack(await stored());
      expect(await stored()).toEqual(first);
    });

    it('is never noted where there is none', async () => {
      const { receivers } = await aReceiver();
      const nobody = { ...first, org_id: 'org_nobody' };
      await receivers.noteFailing(nobody, 'failing_since', later(1));
      await receivers.noteFailing({ ...nobody, version: 2 }, 'failing_since', later(1));
      await receivers.noteBack({ ...nobody, failing_since: later(1).toISOString() });
      expect(await receivers.get('org_nobody')).toBeUndefined();
    });

    it('does not begin to fail again by a save that read it before it was back', async () => {
      const { receivers, stored } = await aReceiver();
      await receivers.noteFailing(first, 'failing_since', later(1));
      const read = await stored();
      await receivers.noteBack(read);
      expect(await receivers.save(rotated(read, 'another', false, later(2)))).toBe(true);
      expect((await stored()).failing_since).toBeUndefined();
    });

    it.each([
      ['a rotation', (read: ReceiverConfig) => rotated(read, 'another', false, later(2)), later(1).toISOString()],
      [
        'turning it off',
        (read: ReceiverConfig) => configured(read, { ...WISH, enabled: false }, later(2)),
        later(1).toISOString(),
      ],
      [
        'saving it as it should be',
        (read: ReceiverConfig) => configured(read, { ...WISH, events: ['invoice.paid'] }, later(2)),
        undefined,
      ],
    ])('that began to fail meanwhile is known to, or not, after %s', async (_, change, since) => {
      const { receivers, audited, stored } = await aReceiver();
      await receivers.noteFailing(first, 'failing_since', later(1));
      const after = change(first);
      expect(await (after.sealed_secret === first.sealed_secret ? audited(first, after) : receivers.save(after))).toBe(
        true,
      );
      expect((await stored()).failing_since).toBe(since);
    });

    it('is turned off with its entry, once', async () => {
      const { receivers, stored, entries, turnOff } = await aReceiver();
      await receivers.noteFailing(first, 'failing_since', later(1));
      const read = await stored();
      expect(await Promise.all([turnOff(read, 'failing'), turnOff(read, 'failing'), turnOff(read, 'gone')])).toEqual([
        true,
        false,
        false,
      ]);
      expect(await stored()).toMatchObject({ enabled: false, disabled_reason: 'failing', version: 2, audits: 2 });
      expect(await entries()).toEqual(['2 webhook.disabled', '1 webhook.configured']);
    });

    it.each([
      ['is not turned off for failing', 'failing', false],
      ['is turned off for being gone', 'gone', true],
    ] as const)('that was back meanwhile %s', async (_, reason, done) => {
      const { receivers, stored, entries, turnOff } = await aReceiver();
      await receivers.noteFailing(first, 'failing_since', later(1));
      const read = await stored();
      await receivers.noteBack(read);
      expect(await turnOff(read, reason)).toBe(done);
      expect([(await stored()).enabled, (await entries()).length]).toEqual(done ? [false, 2] : [true, 1]);
    });

    it('is not turned off where people have changed it meanwhile', async () => {
      const { audited, stored, turnOff } = await aReceiver();
      const changed = configured(first, { ...WISH, url: 'https://shop.example/new' }, later(1));
      await audited(first, changed);
      expect([await turnOff(first, 'gone'), await stored()]).toEqual([false, changed]);
    });
  });
}
