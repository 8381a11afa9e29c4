import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { EventRecord } from '#shared/domain/reference/events.catalog.ts';
import {
  abandonStep,
  cancelExecution,
  completeExecution,
  failExecution,
  hasEnded,
  isBeyondStarts,
  leaseExecution,
  recordStep,
  type StepAttempt,
  type StepOutcome,
  yieldExecution,
} from '#shared/domain/workflows/execution.machine.ts';
import type { Execution } from '#shared/domain/workflows/execution.model.ts';
import {
  executionDueAt,
  factsOf,
  limitToPlan,
  matchingRules,
  messageDelay,
  newExecution,
  refusedExecution,
  resourceIdsOf,
  retryStartAt,
  viewExecution,
} from '#shared/domain/workflows/execution.rules.ts';
import { MAX_STEPS, type Step, type WorkflowRule } from '#shared/domain/workflows/workflow.model.ts';
import { branchOf, faultsInSteps, nextOf } from '#shared/domain/workflows/workflow-steps.rules.ts';
import { DAY, HOUR, MINUTE, plus, SECOND } from '#shared/kernel/clock.ts';
import { isId } from '#shared/kernel/ids.ts';
import { later, START } from '#test/support/stopped-clock.ts';

const EVENT: EventRecord = {
  id: 'evt_01jqeh2s00e8x9v3k5t7w2m4np',
  org_id: 'org_01jqeh2s00e8x9v3k5t7w2m4np',
  type: 'payment.succeeded',
  created_at: START.toISOString(),
  data: { id: 'pay_1', amount: 5_000, metadata: { tier: 'gold' } },
  status: 'pending',
  attempts: [],
  tries: 0,
  next_attempt_at: null,
};

const A: Step = { id: 'a', type: 'http_request', integration_id: 'wfi_1' };
const B: Step = { id: 'b', type: 'cancel_payment' };
const LEASE = 65 * SECOND;
const ERROR = { code: 'request_failed', message: 'The server responded with 500.' };
const AGAIN: StepOutcome = { kind: 'again', error: ERROR, output: { status_code: 500 } };
const GIVEN_UP = {
  code: 'internal_error',
  message: 'The step a could not be carried out: it was started 10 times, and its outcome was never recorded.',
};
const FAILED: StepOutcome = { kind: 'failed', error: ERROR };
const DONE: StepOutcome = { kind: 'done', output: { status_code: 200 } };

const started = (steps: readonly Step[] = [A, B]): Execution =>
  newExecution(EVENT, { id: 'wft_1', version: 3, steps }, { rule_id: 'wfr_1' });
const leased = (execution = started(), at = START): Execution => leaseExecution(execution, at) as Execution;
const tried = (outcome: StepOutcome, about: Partial<StepAttempt> = {}): StepAttempt => ({
  step: A,
  began: START.toISOString(),
  following: B,
  outcome,
  ...about,
});
const record = (execution: Execution, outcome: StepOutcome, at = START, about: Partial<StepAttempt> = {}): Execution =>
  recordStep(execution, tried(outcome, about), at) as Execution;

describe('a new execution', () => {
  it('has an id that is derived from its event and its rule or connection', () => {
    const other = newExecution(EVENT, { id: 'wft_1', version: 3, steps: [A] }, { rule_id: 'wfr_2' });
    const ofConnection = newExecution(EVENT, { id: 'wft_1', version: 3, steps: [A] }, { connection_id: 'wfr_1' });
    expect(started()).toEqual(started());
    expect(new Set([started().id, other.id, ofConnection.id]).size).toBe(3);
    expect(isId('execution', started().id)).toBe(true);
  });

  it('starts at the first step of the template version of that time', () => {
    expect(started()).toMatchObject({
      status: 'pending',
      at_step: 'a',
      template_version: 3,
      created_at: EVENT.created_at,
      steps: [],
      starts: 0,
    });
  });

  it('does not show internal fields', () => {
    const told: StepOutcome = { ...AGAIN, mailResults: { mark: 'mailed' } };
    const shown = viewExecution(leased({ ...record(leased(), told), used_before: 3 }, later(HOUR)));
    expect(shown.steps).toMatchObject([{ id: 'a', output: { status_code: 500 } }]);
    expect(shown.steps[0]).not.toHaveProperty('told');
    for (const field of [
      'version',
      'used_before',
      'at_step',
      'at_type',
      'at_since',
      'leased_until',
      'starts',
      'last_acts',
    ])
      expect(shown).not.toHaveProperty(field);
    expect(shown).toMatchObject({ id: started().id, template_version: 3, status: 'running', next_step_at: null });
  });

  it('that is refused has ended, shows the reason and is never due', () => {
    const refused = refusedExecution(
      started(),
      { code: 'plan_limit_reached', message: 'Full.', details: { used: '50' } },
      later(5),
    );
    expect(refused).toMatchObject({
      status: 'refused',
      error: { code: 'plan_limit_reached', details: { used: '50' } },
      ended_at: later(5).toISOString(),
    });
    expect([hasEnded(refused), executionDueAt(refused), leaseExecution(refused, later(HOUR))]).toEqual([
      true,
      undefined,
      undefined,
    ]);
  });
});

describe('the lease of a worker', () => {
  it('lasts 65 seconds', () => {
    const mine = leased();
    expect(mine).toMatchObject({
      status: 'running',
      leased_until: later(LEASE).toISOString(),
      starts: 1,
      started_at: START.toISOString(),
    });
    expect(leaseExecution(mine, later(LEASE - 1))).toBeUndefined();
    expect(leaseExecution(mine, later(LEASE))).toMatchObject({
      leased_until: later(3 * LEASE).toISOString(),
      starts: 2,
      started_at: START.toISOString(),
    });
  });

  it('is not granted before a waiting execution is due', () => {
    const waiting = record(leased(), { kind: 'wait', until: later(DAY) });
    expect(leaseExecution(waiting, later(DAY - 1))).toBeUndefined();
    expect(leaseExecution(waiting, later(DAY))).toMatchObject({ status: 'running', next_step_at: null, at_step: 'b' });
  });

  it('is granted ten times without progress, over some hours', () => {
    let [execution, at] = [started(), START];
    const leases: number[] = [];
    for (let n = 0; n < 10; n += 1) {
      execution = leased(execution, at);
      leases.push((Date.parse(String(execution.leased_until)) - at.getTime()) / LEASE);
      at = new Date(String(execution.leased_until));
    }
    expect([leases, execution.status, execution.starts]).toEqual([[1, 2, 4, 8, 16, 32, 64, 64, 64, 64], 'running', 10]);
    expect(at.getTime() - START.getTime()).toBeGreaterThan(5 * HOUR);
    expect(isBeyondStarts(execution)).toBe(false);
    const eleventh = leased(execution, at);
    expect([eleventh.status, isBeyondStarts(eleventh)]).toEqual(['running', true]);
  });

  it.each<[string, Step['on_error'], Partial<Execution>]>([
    ['ends the execution', undefined, { status: 'failed', at_step: 'a', error: GIVEN_UP }],
    [
      'continues with the next step if the step says on_error: continue',
      'continue',
      { status: 'running', at_step: 'b', error: null, starts: 0 },
    ],
  ])('after ten without progress fails the step without another attempt, and %s', (_, on_error, left) => {
    const step = { ...A, on_error };
    const given = abandonStep(
      leased({ ...started([step, B]), starts: 10 }, later(5)),
      { step, following: B },
      later(7),
    );
    expect(given).toMatchObject(left);
    expect(viewExecution(given).steps[0]).toEqual({
      id: 'a',
      type: 'http_request',
      status: 'failed',
      tries: 1,
      started_at: later(5).toISOString(),
      ended_at: later(7).toISOString(),
      output: {},
      error: GIVEN_UP,
    });
  });

  it('is the last one if the worker crashes on that as well', () => {
    const given = leased({ ...started(), starts: 11 }, later(5));
    expect(given).toMatchObject({ status: 'failed', error: GIVEN_UP, steps: [], starts: 11 });
    const during = leased({ ...leased(), starts: 11 }, later(LEASE));
    expect(during).toMatchObject({
      status: 'failed',
      error: GIVEN_UP,
      steps: [{ id: 'a', status: 'failed', error: GIVEN_UP }],
    });
    expect(during.leased_until).toBeUndefined();
  });

  it('is counted from one again after progress', () =>
    expect(record(leased(leased(), later(LEASE)), DONE)).toMatchObject({ starts: 0, at_step: 'b' }));

  it('that ends without a template records a step that may have been running', () => {
    expect(failExecution(leased(), ERROR, START)).toMatchObject({ status: 'failed', error: ERROR, steps: [] });
    const begunBefore = failExecution(leased(leased(), later(LEASE)), ERROR, later(HOUR));
    expect(begunBefore).toMatchObject({
      error: ERROR,
      steps: [{ id: 'a', status: 'failed', error: { code: 'outcome_unknown' } }],
    });
  });

  it('is passed on at once when the worker runs out of time', () => {
    const handed = yieldExecution(leased(), later(10));
    expect([handed.status, handed.leased_until, messageDelay(handed)]).toEqual(['waiting', undefined, 0]);
    expect(leaseExecution(handed, later(10))).toMatchObject({ status: 'running', at_step: 'a' });
  });

  it('that expired records nothing once another worker has continued', () => {
    const gone = record(leased(), DONE);
    expect(recordStep(gone, tried(AGAIN), later(1))).toBeUndefined();
  });
});

describe('a step', () => {
  it('leads to the next one when it succeeds, and the last one to the end', () => {
    const first = record(leased(), DONE, later(7));
    expect(first).toMatchObject({ status: 'running', at_step: 'b', leased_until: later(LEASE).toISOString() });
    expect(first.steps).toEqual([
      {
        id: 'a',
        type: 'http_request',
        status: 'succeeded',
        tries: 1,
        started_at: START.toISOString(),
        ended_at: later(7).toISOString(),
        output: { status_code: 200 },
        error: null,
      },
    ]);
    const last = record(first, DONE, later(8), { step: B, began: later(7).toISOString(), following: null });
    expect(last).toMatchObject({
      status: 'succeeded',
      at_step: null,
      error: null,
      ended_at: later(8).toISOString(),
      steps: [{ id: 'a' }, { id: 'b', started_at: later(7).toISOString() }],
    });
    expect(last.leased_until).toBeUndefined();
  });

  it('that can be retried is retried after 5 s, 1 m, 5 m, 30 m and 2 h, and then fails', () => {
    let [execution, at] = [started(), START];
    const waits: number[] = [];
    for (let n = 1; n <= 5; n += 1) {
      execution = record(leased(execution, at), AGAIN, at);
      expect(execution).toMatchObject({
        status: 'waiting',
        at_step: 'a',
        error: null,
        steps: [{ status: 'running', tries: n, ended_at: null, error: ERROR }],
      });
      waits.push(Date.parse(String(execution.next_step_at)) - at.getTime());
      at = new Date(String(execution.next_step_at));
    }
    expect(waits).toEqual([5 * SECOND, MINUTE, 5 * MINUTE, 30 * MINUTE, 2 * HOUR]);
    const over = record(leased(execution, at), AGAIN, at);
    expect(over).toMatchObject({
      status: 'failed',
      error: ERROR,
      steps: [{ status: 'failed', tries: 6, ended_at: at.toISOString() }],
    });
  });

  it.each([
    ['before the schedule is retried on schedule', 2, 5 * SECOND],
    ['after the schedule is retried at that time', 90, 90 * SECOND],
    ['in more than a day is retried after a day', 40 * 24 * 3_600, DAY],
  ])('with a Retry-After %s', (_, afterSeconds, wait) => {
    expect(record(leased(), { ...AGAIN, afterSeconds } as StepOutcome).next_step_at).toBe(later(wait).toISOString());
  });

  it('that fails ends the execution', () => {
    expect(record(leased(), FAILED)).toMatchObject({
      status: 'failed',
      error: ERROR,
      at_step: 'a',
      steps: [{ status: 'failed' }],
    });
  });

  it.each<[string, StepOutcome, number]>([
    ['cannot be retried', FAILED, 0],
    ['has used all its attempts', AGAIN, 5],
  ])('that %s lets the execution continue if the step says on_error: continue', (_, outcome, before) => {
    const step: Step = { ...A, on_error: 'continue' };
    let [execution, at] = [leased(started([step, B])), START];
    for (let n = 0; n < before; n += 1) {
      execution = record(execution, outcome, at, { step });
      at = new Date(String(execution.next_step_at));
      execution = leased(execution, at);
    }
    expect(record(execution, outcome, at, { step })).toMatchObject({
      status: 'running',
      at_step: 'b',
      error: null,
      steps: [{ status: 'failed', error: ERROR }],
    });
  });

  it('that is retried gets the mail results of earlier attempts, until it has ended', () => {
    const told = { mark: 'mailed' } as const;
    const again = record(leased(), { ...AGAIN, mailResults: told });
    const still = record(leased(again, later(5_000)), AGAIN, later(5_000));
    expect([again.steps[0]?.mail_results, still.steps[0]?.mail_results]).toEqual([told, told]);
    const ends = [
      record(leased(still, later(HOUR)), DONE),
      record(leased(still, later(HOUR)), FAILED),
      cancelExecution(still, 'act_1', START) as Execution,
    ];
    for (const { steps } of ends) expect(steps[0]).not.toHaveProperty('told');
  });

  it('keeps the time at which it started through retries', () => {
    const first = leased(started(), later(3));
    const since = (execution: Execution) => execution.at_since;
    expect(since(first)).toBe(later(3).toISOString());
    expect(since(leased(first, later(LEASE + 3)))).toBe(since(first));
    expect(since(leased(record(first, AGAIN, later(4)), later(HOUR)))).toBe(since(first));
    expect(since(leased(yieldExecution(first, later(9)), later(10)))).toBe(since(first));
    expect(since(record(first, DONE, later(4)))).toBe(later(4).toISOString());
  });

  it('after a delay starts when the delay is over', () => {
    const waiting = record(leased(), { kind: 'wait', until: later(DAY) });
    expect(waiting.at_since).toBeUndefined();
    expect(leased(waiting, later(DAY + 7)).at_since).toBe(later(DAY + 7).toISOString());
  });

  it('that started before that time was recorded has none', () => {
    const { at_since: _, ...old } = leased();
    expect(leased(old, later(LEASE)).at_since).toBeUndefined();
    const { at_since: __, ...waiting } = record(leased(), AGAIN);
    expect(leased(waiting, later(HOUR)).at_since).toBeUndefined();
    const { at_since: ___, ...gone } = record(leased(), DONE);
    expect(leased(gone, later(LEASE)).at_since).toBeUndefined();
  });

  it('that succeeds after retries has no error', () => {
    const again = record(leased(), AGAIN);
    const done = record(leased(again, later(5_000)), DONE, later(5_000));
    expect(done.steps).toMatchObject([
      {
        status: 'succeeded',
        tries: 2,
        error: null,
        started_at: START.toISOString(),
        ended_at: later(5_000).toISOString(),
      },
    ]);
  });

  it('can be read by later expressions', () => {
    expect(factsOf(EVENT, record(leased(), DONE))).toEqual({
      event: { id: EVENT.id, type: EVENT.type, created_at: EVENT.created_at },
      data: EVENT.data,
      execution: { id: started().id },
      steps: { a: { status_code: 200, status: 'succeeded' } },
    });
  });
});

describe('a running step', () => {
  const underWay = { id: 'a', type: 'http_request', status: 'running', ended_at: null };
  const shownSteps = (execution: Execution) => viewExecution(execution).steps;

  it('is shown with the time at which its worker started', () => {
    expect(shownSteps(started())).toEqual([]);
    expect(shownSteps(leased(started(), later(5)))).toEqual([
      { ...underWay, tries: 1, started_at: later(5).toISOString(), output: {}, error: null },
    ]);
    const next = { id: 'b', type: 'cancel_payment', status: 'running', started_at: later(7).toISOString() };
    expect(shownSteps(record(leased(), DONE, later(7)))).toMatchObject([{ id: 'a', status: 'succeeded' }, next]);
  });

  it('is shown with the error of the last attempt and the number of the current one', () => {
    const again = record(leased(), AGAIN, later(3));
    expect(shownSteps(again)).toMatchObject([{ ...underWay, tries: 1, error: ERROR }]);
    const retried = shownSteps(leased(again, later(HOUR)));
    expect(retried).toMatchObject([{ ...underWay, tries: 2, error: ERROR, started_at: START.toISOString() }]);
    expect(retried).toHaveLength(1);
  });

  it('is not shown for an execution that was stored before steps were recorded at their start', () => {
    const { at_type: _, ...old } = leased();
    expect(shownSteps(old)).toEqual([]);
    expect(shownSteps(cancelExecution(old, 'act_1', later(3)) as Execution)).toEqual([]);
  });
});

describe('a delay', () => {
  const D: Step = { id: 'd', type: 'delay', for: '1h' };
  const waiting = (ms: number, about: Partial<StepAttempt> = {}) =>
    record(leased(started([D, B])), { kind: 'wait', until: later(ms) }, START, { step: D, ...about });
  const run = { id: 'd', type: 'delay', tries: 1, started_at: START.toISOString(), output: {}, error: null };

  it('is running until a worker continues with the next step', () => {
    expect(waiting(HOUR)).toMatchObject({ status: 'waiting', at_step: 'b', next_step_at: later(HOUR).toISOString() });
    expect(waiting(HOUR).steps).toEqual([{ ...run, status: 'running', ended_at: null }]);
    expect(leased(waiting(HOUR), later(HOUR + 2)).steps).toEqual([
      { ...run, status: 'succeeded', ended_at: later(HOUR + 2).toISOString() },
    ]);
  });

  it('is waited for when it is the last step', () => {
    const last = waiting(HOUR, { following: null });
    expect(last).toMatchObject({ status: 'waiting', at_step: null });
    const [delay] = completeExecution(leased(last, later(HOUR)), later(HOUR)).steps;
    expect(delay).toEqual({ ...run, status: 'succeeded', ended_at: later(HOUR).toISOString() });
  });

  it('has succeeded for expressions in later steps', () => {
    expect(factsOf(EVENT, leased(waiting(HOUR), later(HOUR))).steps).toEqual({ d: { status: 'succeeded' } });
  });

  it('is canceled together with its execution', () => {
    const over = [{ ...run, status: 'canceled', ended_at: later(3).toISOString() }];
    expect((cancelExecution(waiting(HOUR), 'act_1', later(3)) as Execution).steps).toEqual(over);
    const canceled = cancelExecution(leased(started([D, B])), 'act_1', later(2)) as Execution;
    expect(record(canceled, { kind: 'wait', until: later(HOUR) }, later(3), { step: D }).steps).toEqual(over);
  });

  it('of an older execution is unchanged', () => {
    const old = {
      ...waiting(HOUR),
      steps: [{ ...run, status: 'succeeded', ended_at: START.toISOString() }],
    } as Execution;
    expect(leased(old, later(HOUR)).steps).toEqual(old.steps);
    expect((cancelExecution(old, 'act_1', later(3)) as Execution).steps).toEqual(old.steps);
  });

  it.each([
    ['of a minute waits in the queue', MINUTE, 60, 2 * MINUTE],
    ['of 15 minutes waits in the queue', 15 * MINUTE, 900, 16 * MINUTE],
    ['of a fraction of a second never ends early', 1_500, 2, 1_500 + MINUTE],
    ['of more than 15 minutes waits in the due index', 15 * MINUTE + 1, undefined, 15 * MINUTE + 1],
    ['of 30 days waits in the due index', 30 * DAY, undefined, 30 * DAY],
  ])('%s', (_, ms, delay, due) => {
    expect([messageDelay(waiting(ms)), executionDueAt(waiting(ms))]).toEqual([delay, later(due).toISOString()]);
  });
});

describe('the sweep', () => {
  it.each<[string, Execution, number | undefined]>([
    ['finds an execution without a worker after a minute', started(), MINUTE],
    ['finds an execution whose worker crashed when its lease expires', leased(), LEASE],
    [
      'finds an execution that waits for a retry a minute after the retry is due',
      record(leased(), AGAIN),
      5 * SECOND + MINUTE,
    ],
    ['ignores an execution that succeeded', completeExecution(leased(), START), undefined],
    ['ignores an execution that failed', failExecution(leased(), ERROR, START), undefined],
    ['ignores an execution that was canceled', cancelExecution(leased(), 'act_1', START) as Execution, undefined],
  ])('%s', (_, execution, ms) => expect(executionDueAt(execution)).toBe(ms && later(ms).toISOString()));

  it.each([
    ['fifteen minutes later at first', 0, 15 * MINUTE],
    ['fifteen minutes later while it is not pending for longer', 15 * MINUTE, 15 * MINUTE],
    ['then after as long as it has been pending', 2 * HOUR, 2 * HOUR],
    ['daily in the end', 100 * DAY, DAY],
  ])('retries a pending start %s', (_, owedFor, wait) => {
    expect(retryStartAt({ since: START.toISOString() }, later(owedFor))).toEqual(later(owedFor + wait));
  });
});

describe('a cancel', () => {
  it.each<[string, Execution]>([
    ['is pending', started()],
    ['is running', leased()],
    ['waits', record(leased(), { kind: 'wait', until: later(DAY) })],
  ])('ends an execution that %s', (_, execution) => {
    const canceled = cancelExecution(execution, 'act_1', later(3)) as Execution;
    expect(canceled).toMatchObject({
      status: 'canceled',
      error: null,
      next_step_at: null,
      ended_at: later(3).toISOString(),
    });
    expect(leaseExecution(canceled, later(2 * DAY))).toBeUndefined();
  });

  it('by the same request changes nothing, and by another one is refused', () => {
    const canceled = cancelExecution(started(), 'act_1', START) as Execution;
    expect(cancelExecution(canceled, 'act_1', later(1))).toBeUndefined();
    expect(() => cancelExecution(canceled, 'act_2', later(1))).toThrow(
      expect.objectContaining({ code: 'workflow_execution_over' }),
    );
  });

  it.each([
    ['succeeded', 'it succeeded'],
    ['failed', 'it failed'],
    ['canceled', 'it was canceled'],
    ['refused', 'it was refused and never ran'],
  ] as const)('of an execution that is %s is refused', (status, words) => {
    const over = { ...started(), status };
    expect(() => cancelExecution(over, 'act_1', START)).toThrow(`This execution has ended: ${words}.`);
  });

  it('during a step marks the step as failed with an unknown outcome', () => {
    const canceled = cancelExecution(leased(started(), later(2)), 'act_1', later(3)) as Execution;
    const unnoted = {
      code: 'outcome_unknown',
      message: 'The step was running when the execution ended, and its outcome is not known.',
    };
    const run = { id: 'a', type: 'http_request', tries: 1, started_at: later(2).toISOString() };
    expect(viewExecution(canceled).steps).toEqual([
      { ...run, status: 'failed', ended_at: later(3).toISOString(), output: {}, error: unnoted },
    ]);
    const noted = record(canceled, DONE, later(9));
    expect(noted).toMatchObject({
      status: 'canceled',
      updated_at: later(9).toISOString(),
      ended_at: later(3).toISOString(),
    });
    expect(viewExecution(noted).steps).toEqual([
      { ...run, status: 'succeeded', ended_at: later(9).toISOString(), output: { status_code: 200 }, error: null },
    ]);
  });

  it('during a retry counts that attempt once', () => {
    const again = leased(record(leased(), AGAIN), later(5 * SECOND));
    const canceled = cancelExecution(again, 'act_1', later(6 * SECOND)) as Execution;
    expect(canceled.steps).toMatchObject([
      { status: 'failed', tries: 2, output: { status_code: 500 }, error: { code: 'outcome_unknown' } },
    ]);
    expect(record(canceled, FAILED, later(9 * SECOND)).steps).toMatchObject([
      { status: 'failed', tries: 2, error: ERROR },
    ]);
  });

  it('is not changed by a late worker whose step was recorded', () => {
    const canceled = cancelExecution(record(leased(), DONE), 'act_1', later(3)) as Execution;
    expect(recordStep(canceled, tried(FAILED), later(4))).toBeUndefined();
  });

  it('during a step lets the worker record its result, and starts no other step', () => {
    const canceled = cancelExecution(leased(), 'act_1', later(3)) as Execution;
    const noted = record(canceled, DONE, later(4));
    expect(noted).toMatchObject({
      status: 'canceled',
      ended_at: later(3).toISOString(),
      steps: [{ id: 'a', status: 'succeeded', ended_at: later(4).toISOString() }],
    });
    expect(record(canceled, { kind: 'wait', until: later(DAY) })).toMatchObject({
      status: 'canceled',
      next_step_at: null,
    });
  });

  it('fails a step that waits for a retry', () => {
    const over = { status: 'failed', ended_at: later(3).toISOString(), error: ERROR };
    expect((cancelExecution(record(leased(), AGAIN), 'act_1', later(3)) as Execution).steps).toMatchObject([over]);
    expect(record(cancelExecution(leased(), 'act_1', later(2)) as Execution, AGAIN, later(3)).steps).toMatchObject([
      over,
    ]);
  });
});

describe('the rules of an event', () => {
  const aRule = (about: Partial<WorkflowRule>): WorkflowRule => ({
    id: 'wfr_1',
    org_id: EVENT.org_id,
    name: 'a rule',
    event: 'payment.succeeded',
    condition: null,
    template_id: 'wft_1',
    enabled: true,
    priority: 0,
    created_at: later(-DAY).toISOString(),
    updated_at: later(DAY).toISOString(),
    version: 1,
    counts_since: later(-DAY).toISOString(),
    ...about,
  });
  const run = (about: Partial<WorkflowRule>): boolean => matchingRules(EVENT, [aRule(about)]).length === 1;

  it.each<[string, boolean, Partial<WorkflowRule>]>([
    ['run for events of their type', true, {}],
    ['do not run for events of another type', false, { event: 'payment.failed' }],
    ['do not run while they are disabled', false, { enabled: false }],
    ['run if their condition is true', true, { condition: 'data.amount >= 5000 && data.metadata.tier == "gold"' }],
    ['do not run if their condition is false', false, { condition: 'data.amount > 5000' }],
    ['do not run if their condition has no value', false, { condition: 'data.metadata.color == "red"' }],
    ['can check whether a value exists', true, { condition: '!has(data.metadata.color)' }],
    [
      'do not run if they were created, enabled or changed after the event',
      false,
      { counts_since: later(1).toISOString() },
    ],
    ['run if they were created at the time of the event', true, { counts_since: START.toISOString() }],
  ])('%s', (_, expected, about) => expect(run(about)).toBe(expected));

  it('are sorted by priority, then by age', () => {
    const rules = [
      aRule({ id: 'wfr_3' }),
      aRule({ id: 'wfr_1', priority: -5 }),
      aRule({ id: 'wfr_2' }),
      aRule({ id: 'wfr_4', priority: 9 }),
    ];
    expect(matchingRules(EVENT, rules).map(({ id }) => id)).toEqual(['wfr_4', 'wfr_2', 'wfr_3', 'wfr_1']);
  });
});

describe('a plan with three executions left', () => {
  const full = { code: 'plan_limit_reached', message: 'Full.' };
  const missing = { code: 'not_found', message: 'There is no such template.' };
  const room = { used: 47, refusalAt: (used: number) => (used >= 50 ? { ...full, details: { used } } : undefined) };

  it.each([
    [
      'accepts the first ones and refuses the rest',
      [undefined, undefined, undefined, undefined, undefined],
      ['pending', 'pending', 'pending', 50, 50],
    ],
    [
      'does not count executions that cannot run',
      [undefined, missing, undefined, undefined, undefined],
      ['pending', 'not_found', 'pending', 'pending', 50],
    ],
    ['accepts fewer than three', [undefined, undefined], ['pending', 'pending']],
  ])('%s', (_, refusals, expected) => {
    const wanted = refusals.map((refusal) => ({ execution: started(), ...(refusal && { refusal }) }));
    const decided = limitToPlan(wanted, room, later(1));
    expect(decided.map(({ status, error }) => error?.details?.used ?? error?.code ?? status)).toEqual(expected);
  });
});

describe('the subject of an event', () => {
  it.each<[EventRecord['type'], Record<string, unknown>, ReturnType<typeof resourceIdsOf>]>([
    ['payment.failed', { id: 'pay_1', invoice_id: 'inv_1' }, { payment: 'pay_1', invoice: 'inv_1' }],
    ['payment.created', { id: 'pay_1' }, { payment: 'pay_1' }],
    ['subscription.updated', { id: 'sub_1' }, { subscription: 'sub_1' }],
    [
      'invoice.failed',
      { id: 'inv_1', payment_id: 'pay_1', subscription_id: 'sub_1' },
      { payment: 'pay_1', subscription: 'sub_1' },
    ],
    ['invoice.created', { id: 'inv_1', payment_id: null, subscription_id: 'sub_1' }, { subscription: 'sub_1' }],
    ['payment_link.paid', { id: 'plink_1', payment_id: 'pay_1' }, { payment: 'pay_1' }],
  ])('%s', (type, data, expected) => expect(resourceIdsOf({ type, data })).toEqual(expected));
});

describe('any template without loops', () => {
  const id = (n: number) => `s${n}`;
  /** A later step, the end, or the next step by default. */
  const target = (n: number) =>
    fc.integer({ min: n + 1, max: MAX_STEPS + 5 }).map((to) => {
      if (to < MAX_STEPS) return id(to);
      return to % 2 ? null : undefined;
    });
  const onError = fc.constantFrom('stop' as const, 'continue' as const, undefined);
  const aStep = (n: number): fc.Arbitrary<Step> =>
    fc.oneof(
      fc.record({ next: target(n) }).map((more) => ({ id: id(n), type: 'delay', for: '1h', ...more }) as Step),
      fc
        .record({ next: target(n), on_error: onError })
        .map((more) => ({ id: id(n), type: 'cancel_payment', ...more }) as Step),
      fc
        // biome-ignore lint/suspicious/noThenProperty: it is a step's name, or null.
        .record({ then: target(n), else: target(n), on_error: onError })
        .map((more) => ({ id: id(n), type: 'condition', if: 'true', ...more }) as Step),
    );
  const inOrder = fc
    .tuple(...Array.from({ length: MAX_STEPS }, (_, n) => aStep(n)))
    .map((steps) =>
      steps.map((step) => Object.fromEntries(Object.entries(step).filter(([, value]) => value !== undefined)) as Step),
    );
  /** The order of steps is shuffled without changing where they lead. */
  const outspoken = (steps: readonly Step[]): readonly Step[] =>
    steps.map((step) =>
      step.type === 'condition'
        ? // biome-ignore lint/suspicious/noThenProperty: as above.
          { ...step, then: branchOf(step, true, steps), else: branchOf(step, false, steps) }
        : { ...step, next: nextOf(step, steps) },
    );
  const inAnyOrder = inOrder.chain((steps) => {
    const [first, ...others] = outspoken(steps);
    return fc.shuffledSubarray(others, { minLength: others.length }).map((shuffled) => [first as Step, ...shuffled]);
  });
  const template = fc.oneof(inOrder, inAnyOrder);

  /** `lost`: the worker crashes before its result is recorded; `cut`: its invocation times out. */
  const happening = fc.constantFrom('done', 'again', 'failed', 'lost', 'cut', 'holds');
  const outcomes: Readonly<Record<string, (at: Date) => StepOutcome>> = {
    done: () => DONE,
    holds: () => DONE,
    wait: (at) => ({ kind: 'wait', until: plus(at, HOUR) }),
    again: () => AGAIN,
    failed: () => FAILED,
  };
  const tryOf = (step: Step, happens: string, steps: readonly Step[], at: Date): StepAttempt => ({
    step,
    began: at.toISOString(),
    following:
      steps.find(
        ({ id: each }) =>
          each === (step.type === 'condition' ? branchOf(step, happens === 'holds', steps) : nextOf(step, steps)),
      ) ?? null,
    outcome: outcomes[step.type === 'delay' ? 'wait' : happens]!(at),
  });

  /** Runs the execution as the worker does, with these disturbances. Returns the completed steps in order. */
  function walk(
    steps: readonly Step[],
    happenings: readonly string[],
  ): { readonly execution: Execution; readonly ended: readonly string[] } {
    let [execution, at] = [started(steps), START];
    const [ended, left] = [[] as string[], [...happenings]];
    for (let turns = 0; !hasEnded(execution); turns += 1) {
      expect(turns).toBeLessThan(happenings.length + 7 * steps.length);
      at = new Date(Math.max(at.getTime(), Date.parse(execution.leased_until ?? execution.next_step_at ?? '') || 0));
      execution = leaseExecution(execution, at) ?? execution;
      while (execution.status === 'running') {
        const step = steps.find((each) => each.id === execution.at_step);
        const happens = left.pop() ?? 'done';
        if (!step) execution = completeExecution(execution, at);
        else if (isBeyondStarts(execution)) {
          execution = abandonStep(execution, tryOf(step, 'failed', steps, at), at);
          ended.push(step.id);
        } else if (happens === 'lost') break;
        else if (happens === 'cut') execution = yieldExecution(execution, at);
        else {
          execution = recordStep(execution, tryOf(step, happens, steps, at), at) as Execution;
          if (execution.at_step !== step.id || hasEnded(execution)) ended.push(step.id);
        }
      }
    }
    return { execution, ended };
  }

  it('ends, and completes no step twice', () => {
    fc.assert(
      fc.property(template, fc.array(happening, { maxLength: 60 }), (steps, happenings) => {
        expect(faultsInSteps(steps).filter(({ message }) => message.includes('back to it'))).toEqual([]);
        const { execution, ended } = walk(steps, happenings);
        expect(new Set(ended).size).toBe(ended.length);
        expect(executionDueAt(execution)).toBeUndefined();
        expect(execution.steps.map((run) => run.id)).toEqual(ended);
        expect(execution.steps.every(({ status, ended_at }) => status !== 'running' && ended_at !== null)).toBe(true);
        expect(execution.steps.every(({ type, status }) => type !== 'delay' || status === 'succeeded')).toBe(true);
        expect(execution.status).toBe(execution.error ? 'failed' : 'succeeded');
      }),
      { numRuns: 500 },
    );
  });
});
