import { expect, it } from 'vitest';
import { faultOfMail } from '#shared/domain/reference/mail.rules.ts';
import type { TurnedOff } from '#shared/domain/webhooks/receiver-health.rules.ts';
import { disabledMail } from '#shared/services/webhooks/disabled-mail.service.ts';
import { START } from '#test/support/stopped-clock.ts';

const at = START.toISOString();
const OFF: TurnedOff = {
  org_id: 'org_1',
  url: 'https://hooks.shop.example:8443/secret-path?token=secret',
  events: ['*'],
  enabled: false,
  sealed_secret: 'sealed secret',
  disabled_at: at,
  disabled_reason: 'failing',
  version: 2,
  audits: 2,
  created_at: at,
  updated_at: at,
};
const mailAbout = (more: Partial<TurnedOff>) =>
  disabledMail('owner@shop.example', { ...OFF, ...more }, { stage: 'live', apiUrl: 'https://api.example' });

it('names the receiver by its host and port, and tells none of its secrets', () => {
  const { subject, text } = mailAbout({});
  expect(subject).toBe('Webhooks to hooks.shop.example:8443 are turned off');
  expect([
    text.includes('the live webhooks'),
    text.includes('They went to hooks.shop.example:8443,'),
    text.includes('secret-path'),
  ]).toEqual([true, true, false]);
  expect(text).not.toMatch(/token|sealed/);
});

it('has a subject that mailers take, however long the host is', () => {
  const { to, subject } = mailAbout({ url: `https://${'a-long-label.'.repeat(40)}example/hook` });
  expect([faultOfMail({ to, subject }), subject.endsWith('… are turned off')]).toEqual([undefined, true]);
});

it.each([
  ['since when it fails', { failing_since: '2026-01-26T10:30:00.000Z' }, 'or not at all, since 2026-01-26 10:30 UTC.'],
  ['only that it fails, where a late success took the time away', {}, 'or not at all, for days.'],
  ['that it is gone', { disabled_reason: 'gone' }, 'answered 410 Gone'],
] as const)('says %s', (_, more, words) => expect(mailAbout(more).text).toContain(words));
