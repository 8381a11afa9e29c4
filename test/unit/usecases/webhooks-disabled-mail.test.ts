import { expect, it } from 'vitest';
import { emailFault } from '#shared/domain/reference/email.rules.ts';
import type { DisabledConfig } from '#shared/domain/webhooks/webhook-health.rules.ts';
import { disabledMail } from '#shared/services/webhooks/notify-disabled.service.ts';
import { START } from '#test/support/stopped-clock.ts';

const at = START.toISOString();
const OFF: DisabledConfig = {
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
const mailAbout = (more: Partial<DisabledConfig>) =>
  disabledMail('owner@shop.example', { ...OFF, ...more }, { stage: 'live', apiUrl: 'https://api.example' });

it('names the webhook endpoint by host and port, and shows none of its secrets', () => {
  const { subject, text } = mailAbout({});
  expect(subject).toBe('Webhooks to hooks.shop.example:8443 were disabled');
  expect([
    text.includes('the live webhooks'),
    text.includes('on hooks.shop.example:8443,'),
    text.includes('secret-path'),
  ]).toEqual([true, true, false]);
  expect(text).not.toMatch(/token|sealed/);
});

it('truncates a long host so that mailers accept the subject', () => {
  const { to, subject } = mailAbout({ url: `https://${'a-long-label.'.repeat(40)}example/hook` });
  expect([emailFault({ to, subject }), subject.endsWith('… were disabled')]).toEqual([undefined, true]);
});

it.each([
  [
    'since when the endpoint fails',
    { failing_since: '2026-01-26T10:30:00.000Z' },
    'failed every delivery since 2026-01-26 10:30 UTC.',
  ],
  ['only that the endpoint fails when a late success cleared the time', {}, 'failed every delivery for days.'],
  ['that the endpoint is gone', { disabled_reason: 'gone' }, 'responded with 410 Gone'],
] as const)('the mail about disabled webhooks says %s', (_, more, text) =>
  expect(mailAbout(more).text).toContain(text),
);
