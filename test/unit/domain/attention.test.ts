import { describe, expect, it } from 'vitest';
import type { Invoice } from '#shared/domain/billing/invoice.model.ts';
import type { Dispute } from '#shared/domain/disputes/dispute.model.ts';
import {
  connectionsToShow,
  disputesToShow,
  invoicesToShow,
  sectionOf,
  webhookState,
} from '#shared/domain/reporting/attention.rules.ts';
import type { Connection } from '#shared/domain/routing/connection.model.ts';
import type { CallTotals } from '#shared/domain/routing/health.rules.ts';
import { minuteName, minuteOf } from '#shared/domain/routing/health.rules.ts';
import type { WebhookConfig } from '#shared/domain/webhooks/webhook-config.model.ts';

const AT = new Date('2026-05-01T12:00:00.000Z');
const dispute = (id: string, respond_by: string | null) => ({ id, respond_by }) as Dispute;
const invoice = (id: string, next_retry_at: string | null) => ({ id, next_retry_at }) as Invoice;

describe('what waits for a person', () => {
  it('counts a hundred at most, shows five, and says that there is more', () => {
    const found = Array.from({ length: 120 }, (_, n) => n);
    expect(sectionOf(found, false)).toEqual({ count: 100, more: true, items: [0, 1, 2, 3, 4] });
    expect(sectionOf(found.slice(0, 3), true)).toEqual({ count: 3, more: true, items: [0, 1, 2] });
    expect(sectionOf([], false)).toEqual({ count: 0, more: false, items: [] });
  });

  it('puts disputes in the order of their deadlines, those without one last, and marks what is overdue', () => {
    const shown = disputesToShow(
      [
        dispute('never', null),
        dispute('later', '2026-05-09T00:00:00.000Z'),
        dispute('over', '2026-05-01T12:00:00.000Z'),
      ],
      AT,
    );
    expect(shown.map(({ id, overdue }) => [id, overdue])).toEqual([
      ['over', true],
      ['later', false],
      ['never', false],
    ]);
  });

  it('shows an open invoice only while another try is planned, the next try first', () => {
    const shown = invoicesToShow([
      invoice('running', null),
      invoice('next week', '2026-05-08T00:00:00.000Z'),
      invoice('tomorrow', '2026-05-02T00:00:00.000Z'),
    ]);
    expect(shown.map(({ id }) => id)).toEqual(['tomorrow', 'next week']);
  });

  it('puts connections that are down before degraded ones, and leaves out inactive and healthy ones', () => {
    const connection = (id: string, status: 'active' | 'inactive' = 'active') =>
      ({ id, provider: 'stripe', status }) as Connection;
    const calls = (good: number, bad: number): CallTotals => ({
      sums: { [minuteName('good', minuteOf(AT))]: good, [minuteName('bad', minuteOf(AT))]: bad },
      last_success_at: null,
      last_failure_at: null,
    });
    const totals = new Map([
      ['slow', calls(7, 3)],
      ['off', calls(0, 20)],
      ['fine', calls(20, 0)],
      ['dead', calls(0, 20)],
    ]);
    const all = [connection('slow'), connection('off', 'inactive'), connection('fine'), connection('dead')];
    expect(connectionsToShow(all, totals, AT).map(({ id, health_status }) => [id, health_status])).toEqual([
      ['dead', 'down'],
      ['slow', 'degraded'],
    ]);
  });

  it.each<[string, Partial<WebhookConfig> | undefined, string]>([
    ['are none without a configuration', undefined, 'none'],
    ['are disabled, whoever disabled them', { enabled: false }, 'disabled'],
    ['fail while every delivery does', { enabled: true, failing_since: AT.toISOString() }, 'failing'],
    ['are fine otherwise', { enabled: true }, 'ok'],
  ])('webhooks %s', (_, config, state) => expect(webhookState(config as WebhookConfig | undefined)).toBe(state));
});
