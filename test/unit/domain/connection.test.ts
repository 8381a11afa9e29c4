import { describe, expect, it } from 'vitest';
import type { Capabilities, Connection } from '#shared/domain/routing/connection.model.ts';
import {
  assertChangeAllowed,
  type ConnectionInput,
  mergeConnection,
  newConnection,
} from '#shared/domain/routing/connection.rules.ts';

const AT = new Date('2026-01-31T12:00:00.000Z');
const capabilities: Capabilities = {
  methods: ['card'],
  currencies: 'all',
  countries: 'all',
  refunds: true,
  partial_refunds: true,
  cancel: true,
  off_session: true,
};
const held = (mark: string) => ({ credentials_mark: mark, content_mark: mark, sealed_credentials: `sealed ${mark}` });
const SAME = held('same');
const unborn = newConnection({ id: 'main', org_id: 'org_1', provider: 'stripe', mode: 'sandbox', capabilities }, AT);
const stored: Connection = mergeConnection(unborn, {}, SAME, AT);

describe('a change of a connection', () => {
  it('creates an active first version of a new one', () =>
    expect(stored).toMatchObject({ version: 1, status: 'active', labels: [], capabilities }));

  it.each([
    [
      'keeps fields that are not sent',
      {},
      { ...stored, version: 2, audits: 2, updated_at: '2026-02-01T00:00:00.000Z' },
    ],
    [
      'overrides single capabilities',
      { capabilities: { refunds: false } },
      { capabilities: { ...capabilities, refunds: false } },
    ],
    [
      'keeps routing hints that are not sent',
      { routing_hints: { fallback_only: true } },
      { routing_hints: { country_preference: [], method_bias: {}, fallback_only: true } },
    ],
    ['replaces labels', { labels: ['eu'] }, { labels: ['eu'] }],
    ['sets a workflow', { workflow_id: 'wft_1' }, { workflow_id: 'wft_1' }],
    ['sets fees', { fee_structure: { percentage: 1.4 } }, { fee_structure: { percentage: 1.4 } }],
  ] as const)('%s', (_, wish: ConnectionInput, expected) => {
    expect(mergeConnection(stored, wish, SAME, new Date('2026-02-01T00:00:00.000Z'))).toMatchObject(expected);
  });

  it('clears a field that is sent as null', () => {
    const full = mergeConnection(stored, { workflow_id: 'wft_1', fee_structure: { fixed: 30 } }, SAME, AT);
    expect(mergeConnection(full, { workflow_id: null, fee_structure: null }, SAME, AT)).toMatchObject({
      workflow_id: null,
      fee_structure: null,
    });
  });

  it('keeps fees that are not sent', () => {
    const withFees = mergeConnection(stored, { fee_structure: { percentage: 1.4, fixed: 25 } }, SAME, AT);
    expect(mergeConnection(withFees, { fee_structure: { fixed: 30 } }, SAME, AT).fee_structure).toEqual({
      percentage: 1.4,
      fixed: 30,
    });
  });

  it('with new credentials clears the validation results of the old ones', () => {
    const valid: Connection = {
      ...stored,
      last_validation_status: 'valid',
      last_validated_at: AT.toISOString(),
      name_match_status: 'match',
    };
    const failing: Connection = {
      ...stored,
      last_validation_status: 'invalid',
      last_validation_error: 'No.',
      validation_failures: 3,
    };
    expect(mergeConnection(failing, {}, SAME, AT).validation_failures).toBe(3);
    expect(mergeConnection(failing, {}, held('other'), AT)).toMatchObject({
      last_validation_error: null,
      validation_failures: 0,
    });
    expect(mergeConnection(valid, {}, SAME, AT)).toMatchObject({
      last_validation_status: 'valid',
      name_match_status: 'match',
    });
    expect(mergeConnection(valid, {}, held('other'), AT)).toMatchObject({
      last_validation_status: 'never',
      last_validated_at: null,
      name_match_status: 'unknown',
    });
  });
});

describe('the changes that a connection refuses', () => {
  it.each([
    ['another provider', { provider: 'adyen' }, stored, 'sandbox', 'provider_immutable'],
    ['another mode', { mode: 'sandbox' }, { ...stored, mode: 'live' }, 'live', 'mode_immutable'],
    ['live mode in the sandbox', { mode: 'live' }, undefined, 'sandbox', 'mode_not_allowed'],
  ] as const)('%s', (_, wish, current, stage, code) =>
    expect(() => assertChangeAllowed(wish, current, stage)).toThrow(expect.objectContaining({ code })),
  );

  it('do not include unchanged fields', () =>
    expect(() => assertChangeAllowed({ provider: 'stripe', mode: 'sandbox' }, stored, 'sandbox')).not.toThrow());
});
