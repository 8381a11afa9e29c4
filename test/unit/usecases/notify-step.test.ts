import { describe, expect, it } from 'vitest';
import type { StepContext } from '#functions/workflow-runs/step-context.ts';
import { notifyStep } from '#functions/workflow-runs/steps/notify-step.ts';
import type { Organization } from '#shared/domain/accounts/organization.model.ts';
import type { EventRecord } from '#shared/domain/reference/events.catalog.ts';
import { leaseExecution, recordStep, type StepOutcome } from '#shared/domain/workflows/execution.machine.ts';
import type { Execution } from '#shared/domain/workflows/execution.model.ts';
import { factsOf, newExecution } from '#shared/domain/workflows/execution.rules.ts';
import type { NotifyStep, Template } from '#shared/domain/workflows/workflow.model.ts';
import type { Deps } from '#shared/ports/deps.ts';
import { MailError, type MailErrorKind } from '#shared/ports/mail.port.ts';
import { START } from '#test/support/stopped-clock.ts';

const TO = ['a@shop.example', 'b@shop.example', 'c@shop.example'];
const STEP: NotifyStep = { id: 'mail', type: 'notify', integration_id: 'wfi_1', message: 'Hello' };
const TEMPLATE: Template = {
  id: 'wft_1',
  org_id: 'org_01jqeh2s00e8x9v3k5t7w2m4np',
  name: 'A template',
  steps: [STEP],
  version: 1,
  created_at: START.toISOString(),
  updated_at: START.toISOString(),
};
const EVENT: EventRecord = {
  id: 'evt_1',
  org_id: TEMPLATE.org_id,
  type: 'payment.succeeded',
  created_at: START.toISOString(),
  data: {},
  status: 'pending',
  attempts: [],
  tries: 0,
  next_attempt_at: null,
};

type World = {
  readonly to?: readonly string[];
  readonly before?: StepOutcome;
  readonly kyc?: Organization['kyc'];
  readonly signedIn?: readonly string[];
};

/** A mailer that fails for some addresses. Runs the step once, after the result of an earlier attempt. */
async function notify(
  faults: Readonly<Record<string, MailErrorKind>>,
  { to = TO, before, kyc = 'approved', signedIn = [] }: World = {},
) {
  const mailed: string[] = [];
  const integration = { id: 'wfi_1', type: 'email', config: { to }, enabled: true, sealed_secrets: null };
  const deps = {
    config: { hashSecret: 'a secret' },
    workflows: { integration: async () => integration },
    organizations: { byId: async () => ({ kyc }) },
    members: {
      list: async () =>
        TO.map((email) => ({ email, joined_at: signedIn.includes(email) ? START.toISOString() : null })),
    },
    mail: {
      send: async ({ to }: { readonly to: string }) => {
        const fault = faults[to];
        if (fault) throw new MailError(fault, 'No.');
        mailed.push(to);
      },
    },
  } as unknown as Deps;
  const begun = leaseExecution(newExecution(EVENT, TEMPLATE, { rule_id: 'wfr_1' }), START) as Execution;
  const execution = before
    ? (recordStep(
        begun,
        { step: STEP, began: START.toISOString(), following: null, outcome: before },
        START,
      ) as Execution)
    : begun;
  const work: StepContext<NotifyStep> = {
    event: EVENT,
    template: TEMPLATE,
    step: STEP,
    id: `${execution.id}_mail`,
    execution,
    facts: factsOf(EVENT, execution),
  };
  return { outcome: await notifyStep(work, deps), mailed };
}

const ERROR = { code: 'mail_failed', message: 'The mail could not be sent to every address.' };

describe('a mail to several addresses', () => {
  it.each<MailErrorKind>(['throttled', 'unavailable'])(
    'that is %s for one of them continues there at the next attempt',
    async (kind) => {
      const first = await notify({ 'b@shop.example': kind });
      expect(first).toMatchObject({
        outcome: { kind: 'again', output: { mailed: 1, rejected: 0 }, error: ERROR },
        mailed: ['a@shop.example'],
      });
      const second = await notify({}, { before: first.outcome });
      expect(second).toEqual({
        outcome: { kind: 'done', output: { mailed: 3, rejected: 0 } },
        mailed: ['b@shop.example', 'c@shop.example'],
      });
    },
  );

  it('that is rejected for one of them is sent to the others, and fails the step', async () => {
    const { outcome, mailed } = await notify({ 'b@shop.example': 'rejected' });
    expect([outcome, mailed]).toEqual([
      { kind: 'failed', output: { mailed: 2, rejected: 1 }, error: ERROR },
      ['a@shop.example', 'c@shop.example'],
    ]);
  });

  it('keeps its count of rejected addresses when it continues', async () => {
    const first = await notify({ 'a@shop.example': 'rejected', 'c@shop.example': 'throttled' });
    expect(first.outcome).toMatchObject({ kind: 'again', output: { mailed: 1, rejected: 1 } });
    const second = await notify({}, { before: first.outcome });
    expect(second).toEqual({
      outcome: { kind: 'failed', output: { mailed: 2, rejected: 1 }, error: ERROR },
      mailed: ['c@shop.example'],
    });
  });

  it('that continues skips nobody and repeats nobody when the addresses have changed', async () => {
    const first = await notify({ 'b@shop.example': 'throttled' });
    const second = await notify({}, { before: first.outcome, to: ['b@shop.example', 'c@shop.example'] });
    expect(second).toEqual({
      outcome: { kind: 'done', output: { mailed: 3, rejected: 0 } },
      mailed: ['b@shop.example', 'c@shop.example'],
    });
    const third = await notify({}, { before: first.outcome, to: ['new@shop.example', ...TO] });
    expect(third.mailed).toEqual(['new@shop.example', 'b@shop.example', 'c@shop.example']);
  });

  it('remembers the addresses it was sent to even after an attempt that got less far', async () => {
    const first = await notify({ 'b@shop.example': 'throttled' });
    const second = await notify({ 'b@shop.example': 'throttled' }, { before: first.outcome });
    const third = await notify({}, { before: second.outcome });
    expect([second.mailed, third.mailed]).toEqual([[], ['b@shop.example', 'c@shop.example']]);
  });

  it('remembers addresses without storing them readably', async () => {
    const { outcome } = await notify({ 'c@shop.example': 'throttled' });
    const marks = Object.keys((outcome.kind === 'again' && outcome.mailResults) || {});
    expect(marks).toEqual([expect.stringMatching(/^[\w-]{12}$/), expect.stringMatching(/^[\w-]{12}$/)]);
    expect(new Set(marks).size).toBe(2);
    expect(JSON.stringify(outcome)).not.toContain('@');
  });
});

describe('a mail of an unverified organization', () => {
  const world = (...signedIn: readonly string[]): World => ({ kyc: 'pending', signedIn });

  it('skips members who have not signed in, and counts them', async () => {
    const { outcome, mailed } = await notify({}, world('a@shop.example', 'c@shop.example'));
    expect([outcome, mailed]).toEqual([
      { kind: 'done', output: { mailed: 2, rejected: 1 } },
      ['a@shop.example', 'c@shop.example'],
    ]);
  });

  it('fails if nobody is left', async () => {
    const { outcome, mailed } = await notify({}, world());
    expect([outcome, mailed]).toMatchObject([
      { kind: 'failed', output: { mailed: 0, rejected: 3 }, error: { code: 'mail_failed' } },
      [],
    ]);
  });

  it('skips a member who left between two attempts, and was sent to the others', async () => {
    const first = await notify({ 'b@shop.example': 'throttled' }, world(...TO));
    const second = await notify({}, { before: first.outcome, ...world('c@shop.example') });
    expect(second).toEqual({
      outcome: { kind: 'done', output: { mailed: 2, rejected: 1 } },
      mailed: ['c@shop.example'],
    });
  });
});
