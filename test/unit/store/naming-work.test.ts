import { describe, expect, it } from 'vitest';
import { newId } from '#shared/kernel/ids.ts';
import { dropCause, inLogContext, inTrace, logContext, noteCause, withTrace } from '#shared/kernel/operation.ts';
import { namingWork } from '#shared/store/versioned-repo.ts';

const AT = new Date('2026-03-01T00:00:00Z');
const traceOf = (digit: string) => digit.repeat(32);
const [first, second] = [newId('request', AT), newId('run', AT)];

type Stub = {
  readonly id: string;
  readonly type: string;
  readonly at: string;
  readonly was: object;
  readonly trace?: string;
};
type Record = { readonly outbox: readonly Stub[]; readonly trace?: string };

const stub = (id: string): Stub => ({ id, type: 'payment.created', at: AT.toISOString(), was: {} });
const by = <T>(request_id: string, digit: string, work: () => T, sampled = false): T =>
  inLogContext({ request_id, trace_id: traceOf(digit) }, work, sampled);
const created = (): Record => by(first, 'a', () => namingWork<Record>(undefined, { outbox: [stub('evt_1')] }));

describe('a record with events', () => {
  it('names the work that writes it, which covers its new events', () => {
    expect(created()).toEqual({ outbox: [stub('evt_1')], trace: `${first} ${traceOf('a')}` });
  });

  it('names another work that writes it, and leaves an event that waits to the work that made it', () => {
    const before = created();
    const after = { ...before, outbox: [...before.outbox, stub('evt_2')] };
    const written = by(second, 'b', () => namingWork(before, after), true);
    expect(written.trace).toBe(`${second} ${traceOf('b')}-01`);
    expect(written.outbox).toEqual([{ ...stub('evt_1'), trace: before.trace }, stub('evt_2')]);
    const third = by(first, 'c', () => namingWork(written, written));
    expect(third.outbox.map(({ trace }) => trace)).toEqual([before.trace, written.trace]);
  });

  it('does not grow by more than a few names, however many events wait', () => {
    const before = by(first, 'a', () =>
      namingWork<Record>(undefined, { outbox: Array.from({ length: 500 }, (_, n) => stub(`evt_${n}`)) }),
    );
    const written = by(second, 'b', () => namingWork(before, before));
    expect(JSON.stringify(written).length - JSON.stringify(before).length).toBeLessThan(1_024);
  });

  it('is not changed by a further write of the same work', () => {
    const before = created();
    expect(by(first, 'a', () => namingWork(before, before))).toBe(before);
  });

  it('names no work where there is none, rather than an earlier one', () => {
    const before = created();
    expect(namingWork(before, before)).toEqual({ outbox: [{ ...stub('evt_1'), trace: before.trace }] });
  });

  it('may be one that an earlier release has stored', () => {
    const before: Record = { outbox: [stub('evt_1')] };
    const written = by(second, 'b', () => namingWork(before, before));
    expect(written).toEqual({ outbox: [stub('evt_1')], trace: `${second} ${traceOf('b')}` });
  });
});

describe('what a message or a record carries', () => {
  it('is the request, its trace and whether it is recorded', () => {
    expect(inTrace(`${first} ${traceOf('a')}`, logContext)).toEqual({ request_id: first, trace_id: traceOf('a') });
    expect(inTrace(`${second} ${traceOf('b')}-01`, logContext)).toEqual({ request_id: second, trace_id: traceOf('b') });
  });

  it.each([
    ['that API Gateway has named', 'req_JKJaX-_vLHcESHA='],
    ['at the function URL', 'req_0b1e5a2c-93ad-4c55-8d0f-7a4b1f9be001'],
    ['that the release before has named', first],
  ])('is a request %s', (_, request_id) => {
    const carried = by(request_id, 'a', () => withTrace({}));
    expect(inTrace(carried.trace, logContext)).toEqual({ request_id, trace_id: traceOf('a') });
  });

  it.each([
    ['nothing, as of an earlier release', undefined],
    ['another type', 7],
    ['another kind of id', `pay_${first.slice(4)} ${traceOf('a')}`],
    ['an id that is none', `req_${'.'.repeat(16)} ${traceOf('a')}`],
    ['an id that is too long', `req_${'a'.repeat(65)} ${traceOf('a')}`],
    ['the id of a run that is none', `run_${'-'.repeat(26)} ${traceOf('a')}`],
    ['a text that goes on', `${first} ${traceOf('a')}\n{"level":"ERROR"}`],
  ])('leaves the log as it is if it is %s', (_, trace) => {
    expect(by(second, 'b', () => inTrace(trace, logContext))).toEqual({ request_id: second, trace_id: traceOf('b') });
  });
});

describe('for whom a work is done', () => {
  const traceIn = (...work: readonly (() => void)[]) =>
    by(first, 'a', () => {
      for (const each of work) each();
      return withTrace({}).trace;
    });
  const note = (cause: string) => () => noteCause(cause);
  const plain = `${first} ${traceOf('a')}`;

  it('ends its trace, the newest word alone', () => {
    expect(traceIn(note('key_1'))).toBe(`${plain} ~key_1`);
    expect(traceIn(note('key_1'), note('wfx_2'))).toBe(`${plain} ~wfx_2`);
  });

  it('is dropped where the record says it elsewhere', () => {
    expect(traceIn(note('key_1'), dropCause)).toBe(plain);
  });

  it('is handed on to what follows from the work, which names the same request', () => {
    const stored = `${plain}-01 c:order-7 ~key_1`;
    const handed = by(second, 'b', () => inTrace(stored, () => [withTrace({}).trace, logContext()]));
    expect(handed).toEqual([stored, { request_id: first, trace_id: traceOf('a'), client_request_id: 'order-7' }]);
  });

  it('changes nothing outside of any work', () => {
    noteCause('key_1');
    expect(withTrace({ id: 'evt_1' })).toEqual({ id: 'evt_1' });
  });
});
