import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  ExpressionWithoutValue,
  type Facts,
  faultInCondition,
  faultInText,
  fillText,
  fillValue,
  isTrue,
} from '#shared/domain/workflows/expression.rules.ts';

const facts: Facts = {
  execution: { id: 'wfx_1' },
  event: { id: 'evt_1', type: 'payment.failed', created_at: '2026-03-01T12:00:00.000Z' },
  data: {
    id: 'pay_1',
    amount: 5_000,
    rate: 0.25,
    currency: 'EUR',
    country: null,
    created_at: '2026-02-27T12:00:00.000Z',
    failure: { code: 'card_declined', retryable: true },
    refunds: [
      { id: 're_1', amount: 100, status: 'succeeded' },
      { id: 're_2', amount: 200, status: 'failed' },
    ],
    metadata: { order: '7', seats: 3 },
  },
  steps: { ask: { status: 'succeeded', status_code: 200 } },
};

describe('a condition', () => {
  it.each([
    ['data.amount > 100', true],
    ['data.amount >= 5000 && data.currency == "EUR"', true],
    ['data.amount < 99.5', false],
    ['data.rate == 0.25 && data.amount / 2 == 2500', true],
    ['data.country == null', true],
    ['has(data.metadata.order) && !has(data.metadata.none)', true],
    ['"seats" in data.metadata && data.metadata["seats"] == 3', true],
    ['data.currency in ["EUR", "USD"]', true],
    ['data.failure.retryable', true],
    ['data.failure.code.startsWith("card_") ? data.amount > 1 : false', true],
    ['data.refunds.exists(refund, refund.status == "failed" && refund.amount in [100, 200])', true],
    ['data.refunds.all(refund, refund.amount > 100)', false],
    ['data.refunds.exists_one(refund, refund.status == "failed")', true],
    [
      `data.refunds.all(refund, ${Array(20).fill('refund.status != "lost"').join(' && ')} && refund.amount in [100, -1, 200])`,
      true,
    ],
    ['data.refunds.filter(refund, refund.amount > 100).map(refund, refund.id) == ["re_2"]', true],
    ['size(data.refunds) == 2 && data.id.size() == 5', true],
    ['timestamp(event.created_at) - timestamp(data.created_at) == duration("48h")', true],
    ['timestamp(event.created_at) > timestamp(data.created_at) + duration("1h30m")', true],
    [
      'timestamp(event.created_at).getDayOfWeek() == 0 && timestamp(event.created_at).getHours("Europe/Paris") == 13',
      true,
    ],
    ['steps.ask.status_code == 200 && steps.ask.status == "succeeded"', true],
    ['int(data.metadata.order) == 7 && string(data.amount) == "5000" && double("1.5") == 1.5', true],
    ['// of whom?\n data.id.contains("pay")', true],
  ])('%s is %s', (text, value) => {
    expect([faultInCondition(text), isTrue(text, facts)]).toEqual([undefined, value]);
  });

  it.each([
    ['data.nothing > 1', 'No such key: nothing.'],
    ['data.failure.nothing.deeper == 1', 'No such key: nothing.'],
    ['data.amount > "a"', 'no such overload: int > string.'],
    ['data.amount * 1.5 > 1.0', 'no such overload: int * double.'],
    ['data.amount / 0 == 1', 'division by zero.'],
    ['data.amount', 'The condition is neither true nor false.'],
    ['bool(data.currency)', 'The expression has no value.'],
    ['timestamp(data.id) > timestamp(event.created_at)', 'The expression has no value.'],
    ['int(data.currency) == 1', 'The expression has no value.'],
    ['timestamp(event.created_at).getHours(data.currency) == 1', 'The expression has no value.'],
  ])('%s has no value, with the reason', (text, why) => {
    expect(faultInCondition(text)).toBeUndefined();
    expect(() => isTrue(text, facts)).toThrow(new ExpressionWithoutValue(why));
  });

  it('does not reveal the data it read when it has no value', () => {
    const secret = 'kim@customer.example';
    const asked = { ...facts, data: { email: secret } };
    for (const text of [
      'bool(data.email)',
      'int(data.email) == 1',
      'double(data.email) == 1.0',
      'timestamp(data.email) == timestamp(data.email)',
      'data.email',
    ])
      expect(() => isTrue(text, asked)).toThrow(
        expect.objectContaining({ message: expect.not.stringContaining(secret) }),
      );
  });

  it.each([
    ['', 'Is not a CEL expression: '],
    ['data.', 'Is not a CEL expression: '],
    ['1 + 1', 'Must be true or false, but this is a int.'],
    ['"yes"', 'Must be true or false, but this is a string.'],
    ['amount > 1', 'Unknown name: amount.'],
    ['this.process', 'Unknown name: this.'],
    ['1 > "a"', 'Is not a CEL expression: no such overload'],
    ['data.amount > 1; true', 'Is not a CEL expression: '],
    [`data.id == "${'x'.repeat(1_000)}"`, 'Must have at most 1000 characters.'],
  ])('rejects %j', (text, begins) => {
    expect(faultInCondition(text)).toMatch(new RegExp(`^${begins.replace(/[.?(){}]/g, '\\$&')}`));
  });

  it.each([
    ['data.id.matches("(a+)+$")', 'matches()'],
    ['data.id.split("").join("") == ""', 'join()'],
    ['data.id.substring(1) == ""', 'substring()'],
    ['type(data.id) == string', 'type()'],
    ['dyn(data) == data', 'dyn()'],
    ['bytes(data.id).size() > 1', 'bytes()'],
    ['uint(1) == 1u', 'uint()'],
    ['optional.of(1).hasValue()', 'hasValue()'],
    ['cel.bind(x, data, x == x)', 'bind()'],
    ['int == int', 'Unknown name: int'],
    ['google.protobuf.Timestamp == google.protobuf.Timestamp', 'Unknown name: google'],
    ['data.a.all(x, data.b.all(y, x == y))', 'all()'],
    ['data.a.map(x, data.b.filter(y, x == y)).size() > 0', 'filter()'],
    ['data.a.all(data.x, true)', 'invalid predicate iteration variable'],
    ['data.a.all(x, x in data.b)', 'list of constants'],
    ['data.a.all(x, x in [data.b])', 'list of constants'],
    ['data.a.all(x, x + x == "")', '+ within a loop'],
    ['(data.a + data.a).all(x, x == 1)', 'result of +'],
    ['data.a.map(x, [x, x]).size() > 0', 'a list within a loop'],
    ['data.a.all(x, [x] == [x])', 'a list within a loop'],
    ['data.a.all(x, {"a": x} == x)', 'object'],
    ['data.a.map(x, x).map(x, x).all(x, x == 1)', 'at most 2 loops'],
    ['data.a.all(x, x == 1) && data.b.all(x, x == 1) && data.c.all(x, x == 1)', 'at most 2 loops'],
    [`data.a.all(x, ${Array(11).fill('x == data').join(' || ')})`, 'at most 10 comparisons'],
    [`data.a.all(x, ${Array(11).fill('x.contains(data.b)').join(' || ')})`, 'at most 10 comparisons'],
    ['data.a.all(x, timestamp(x).getHours("Europe/Paris") > 1)', 'time zone'],
    ['x in data.a.map(y, y)', 'Unknown name: x'],
    ['{"a": 1} == data', 'object'],
    ['[[1]] == data.a', 'a list within another'],
    ['duration(data.id) > duration("1s")', 'duration() must have a constant'],
    [`duration("${'1'.repeat(500)}") > duration("1s")`, 'duration() must have a constant'],
    [`${Array(12).fill('data.id').join(' + ')} == ""`, 'at most 10 sums'],
  ])('rejects %s', (text, says) => {
    expect(faultInCondition(text)).toContain(says);
    expect(() => isTrue(text, facts)).toThrow(ExpressionWithoutValue);
  });

  it('rejects the deepest nesting', () => {
    for (const text of [
      `${'('.repeat(400)}true${')'.repeat(400)}`,
      `${'!'.repeat(900)}true`,
      `${'['.repeat(400)}${']'.repeat(400)} == []`,
      `${'-'.repeat(900)}1 == 1`,
    ])
      expect(faultInCondition(text)).toMatch(/Exceeded max/);
  });

  it('can read any name, including those that objects inherit', () => {
    const names = ['constructor', 'toString', 'length', 'size', 'get', 'then'];
    const metadata = { ...Object.fromEntries(names.map((name) => [name, `my ${name}`])), plain: 1 };
    const asked = { ...facts, data: { metadata }, steps: { constructor: { status: 'failed' } } };
    for (const name of names) {
      expect(isTrue(`data.metadata.${name} == "my ${name}" && data.metadata["${name}"] == "my ${name}"`, asked)).toBe(
        true,
      );
      expect(
        isTrue(`has(data.metadata.${name}) && "${name}" in data.metadata && size(data.metadata) == 7`, asked),
      ).toBe(true);
    }
    expect(isTrue('data.metadata.plain == 1 && steps.constructor.status == "failed"', asked)).toBe(true);
    expect(JSON.parse(fillText('{{ data.metadata }}', asked))).toEqual(metadata);
    expect(
      isTrue(
        'data.metadata == data.metadata && data.metadata.exists(name, name == "then") && data.metadata.all(name, has(data.metadata.plain))',
        asked,
      ),
    ).toBe(true);
  });

  it.each([
    ['steps.ask.status_code == 200', false],
    ['steps.ask.status_code != null && steps.ask.status_code < 300', false],
    ['has(steps.ask.status_code)', true],
    ['steps.ask.status_code < 300', undefined],
  ])('for a request without a response evaluates %s as the documentation says', (text, says) => {
    const unreached: Facts = { ...facts, steps: { ask: { status: 'failed', status_code: null } } };
    if (says === undefined) expect(() => isTrue(text, unreached)).toThrow(ExpressionWithoutValue);
    else expect(isTrue(text, unreached)).toBe(says);
  });

  it('cannot reach a prototype', () => {
    for (const name of ['__proto__', 'constructor', 'prototype', 'toString', 'valueOf', 'hasOwnProperty']) {
      for (const of of ['data', 'event', 'steps', 'data.failure', 'data.refunds', 'data.refunds[0]', 'data.id']) {
        expect(() => isTrue(`${of}.${name} == ${of}.${name}`, facts)).toThrow(ExpressionWithoutValue);
        expect(() => isTrue(`${of}["${name}"] == ${of}["${name}"]`, facts)).toThrow(ExpressionWithoutValue);
      }
      expect(isTrue(`"${name}" in data`, facts)).toBe(false);
    }
    expect(({} as Readonly<Record<string, unknown>>).polluted).toBeUndefined();
  });
});

describe('a text with expressions', () => {
  it.each([
    ['Paid {{ data.amount }} {{data.currency}}.', 'Paid 5000 EUR.'],
    ['nothing to fill in, } and { aside', 'nothing to fill in, } and { aside'],
    ['{{ data.nothing }}{{ data.country }}', ''],
    ['{{ data.rate }} {{ data.failure.retryable }}', '0.25 true'],
    ['{{ data.metadata }}', '{"order":"7","seats":3}'],
    ['{{ data.refunds.map(refund, refund.amount) }}', '[100,200]'],
    ['{{ timestamp(event.created_at) }}', '2026-03-01T12:00:00.000Z'],
    ['{{ timestamp(event.created_at) + duration("24h") }}', '2026-03-02T12:00:00.000Z'],
    ['{{ duration("90s") }}', '90s'],
    ['{{ data.amount > 1 ? "much" : "little" }}', 'much'],
    ['{{\n  data.id\n}}', 'pay_1'],
    ['{{ [timestamp(event.created_at), null] }}', '["2026-03-01T12:00:00.000Z",null]'],
    ['{{ 1u }} {{ [1u, 2, 1.5] }}', '1 [1,2,1.5]'],
    ['{{ [duration("90m")] }} {{ data.refunds.map(refund, duration("1s")) }}', '["5400s"] ["1s","1s"]'],
    ['{{ b"paid" }} {{ [b"paid"] }}', 'paid ["paid"]'],
    ['{{ execution.id }}', 'wfx_1'],
  ])('%s becomes %s', (text, filled) => {
    expect([faultInText(text), fillText(text, facts)]).toEqual([undefined, filled]);
  });

  it.each([
    ['{{ data.amount }}', 5_000],
    ['{{data.rate}}', 0.25],
    ['{{ data.amount / 2 }}', 2_500],
    ['{{ 9007199254740993 }}', '9007199254740993'],
    ['{{ 1.0 / 0.0 }}', null],
    ['{{ data.failure.retryable }}', true],
    ['{{ data.country }}', null],
    ['{{ data.nothing }}', null],
    ['{{ data.currency }}', 'EUR'],
    ['{{ string(data.amount) }}', '5000'],
    ['{{ data.metadata }}', '{"order":"7","seats":3}'],
    [' {{ data.amount }}', ' 5000'],
    ['{{ data.amount }}{{ data.amount }}', '50005000'],
    ['5000', '5000'],
  ])('%s becomes %j as a single value', (text, value) => expect(fillValue(text, facts)).toBe(value));

  it('truncates long values', () => {
    const long = { ...facts, data: { text: 'x'.repeat(2_000), list: Array.from({ length: 1_000 }, (_, n) => n) } };
    expect(fillText('{{ data.text }}|', long)).toBe(`${'x'.repeat(500)}|`);
    expect(fillText('{{ data.list }}', long)).toHaveLength(500);
    expect(fillText('{{ data.list }}', long)).toMatch(/^\[0,1,2,/);
  });

  it('does not evaluate expressions within values', () => {
    expect(fillText('{{ data.text }}', { ...facts, data: { text: '{{ data.secret }}', secret: 'seen' } })).toBe(
      '{{ data.secret }}',
    );
  });

  it.each([
    ['{{ data.id', 'Has a {{ without its }}.'],
    ['{{ data.id }} and {{', 'Has a {{ without its }}.'],
    ['{{ }}', '{{  }}: Is not a CEL expression: '],
    ['fine {{ data.id }}, not {{ nothing }}', '{{ nothing }}: Unknown name: nothing.'],
    [`{{ data.id == "${'x'.repeat(1_000)}" }}`, '{{ data.id == '],
    ['{{1}}'.repeat(51), 'Must have at most 50 expressions.'],
  ])('rejects %s', (text, begins) => {
    expect(faultInText(text)?.startsWith(begins)).toBe(true);
  });
});

/** As large as a payment can be. */
const LARGE: Facts = {
  ...facts,
  data: {
    ...facts.data,
    a: 'a'.repeat(500),
    long: '1'.repeat(500),
    needle: `${'a'.repeat(250)}b`,
    refunds: Array.from({ length: 100 }, (_, n) => ({ id: `re_${n}`, amount: n, reason: 'a'.repeat(200) })),
    metadata: Object.fromEntries(Array.from({ length: 50 }, (_, n) => [`k${n}`, 'a'.repeat(500)])),
  },
};

/** Milliseconds; without the limits these expressions would take seconds. */
const BUDGET = 500;
/** The condition of a rule is evaluated for every event. */
const HOSTILE_BUDGET = 200;
/** CPU time, because the machine may be busy. */
const timeOf = (work: () => unknown): number => {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
};
const tried = (text: string) => () => {
  faultInCondition(text);
  try {
    isTrue(text, LARGE);
  } catch (error) {
    if (!(error instanceof ExpressionWithoutValue)) throw error;
  }
};
const times = (n: number, text: string, by: string) => Array(n).fill(text).join(by);

describe('any expression', () => {
  it.each([
    `duration("${'1'.repeat(900)}") > duration("1s")`,
    'duration(data.long + data.long + data.long + data.long) > duration("1s")',
    `data.refunds.all(r, !(${times(40, 'data.a', '+')}).contains(${times(10, 'data.a', '+')} + "b" + ${times(10, 'data.a', '+')}))`,
    `(${times(6, 'data.a', '+')}).contains(data.a + "b" + data.a)`,
    `data.refunds.all(r, ${times(25, '(r in data.refunds)', ' && ')})`,
    `data.refunds.all(r, ${times(15, '[data.refunds] == [data.refunds]', ' && ')})`,
    `data.metadata.all(k, data.metadata[k].lowerAscii().upperAscii().trim().size() > 0)`,
    `data.refunds.map(r, data.refunds) == data.refunds.map(r, data.refunds)`,
    `data.refunds.filter(r, true).filter(r, true).filter(r, true).map(r, r).size() > 0`,
    times(2, `data.metadata${'.map(k, [k, k, k, k, k])'.repeat(12)}`, ' == '),
    `data.metadata${'.map(k,[k,k,k,k,k])'.repeat(12)} in [data.metadata${'.map(k,[k,k,k,k,k])'.repeat(12)}]`,
    times(60, 'true', ' ? '),
    times(90, 'data.a == data.a', ' && ').slice(0, 1_000),
    `"${'\\u0041'.repeat(160)}" == data.a`,
    `${'a.'.repeat(499)}b`,
    '('.repeat(1_000),
    '"'.repeat(1_000),
    "'''".repeat(333),
    '1'.repeat(1_000),
    `${'9'.repeat(990)} > 1`,
    `1e${'9'.repeat(900)} > 1.0`,
  ])('is evaluated quickly: %.60s', (text) => {
    expect(timeOf(tried(text))).toBeLessThan(BUDGET);
  });

  it.each([
    ['{{'.repeat(16_000)],
    ['{{}}'.repeat(8_000)],
    [`{{${' '.repeat(32_000)}}}`],
    ['{{ data.refunds.map(r, data.refunds) }}'.repeat(50)],
    ['{{ data.metadata.map(k, data) }}'.repeat(50)],
    ['}}'.repeat(16_000)],
  ])('is filled in quickly: %.40s', (text) => {
    const work = () => faultInText(text) ?? fillText(text, LARGE);
    expect(timeOf(work)).toBeLessThan(BUDGET);
  });

  /** Expensive operations on each element `k` of a list. */
  const DEAR = [
    'k == k',
    'k == data',
    'data == data',
    'data.refunds == data.refunds',
    'data.metadata[k] == data.a',
    'data.metadata[k].contains(data.needle)',
    'data.metadata[k].contains("aaaaaaaaaaaaaaaaaaaaab")',
    'data.metadata[k].lowerAscii().upperAscii().trim() == ""',
    'data.none == 1',
    'has(data.none.none)',
    'int("x") == 1',
    'double(data.long) > 1.0',
    'timestamp("x") == timestamp(0)',
    'timestamp(event.created_at) > timestamp(0)',
    'string(timestamp(0)) == ""',
    'string(duration("1.5s")) == ""',
    'timestamp(0).getHours("Asia/Tokyo") > 30',
    'timestamp(0).getHours() > 30',
    'size(k) > 0',
    'k in data.refunds',
    'k in data.metadata',
    'k in [k, k, k]',
    'k in ["a", "b", "c"]',
    '[k, k, k] == [k, k, k]',
    '{"a": k} == {"a": k}',
    'k + k == k',
    'k.map(x, x) == k',
    'data.refunds.exists(x, x == k)',
  ];
  const LISTS = [
    'data.metadata',
    'data.refunds + data.refunds + data.refunds',
    '[data.a, data, 1]',
    'data.metadata.map(x, data)',
  ];
  const HELD = [
    'k',
    'data',
    'data.refunds',
    'data.metadata',
    'k == data',
    '[k]',
    '[k, k]',
    '[k, k, k, k, k]',
    '[[k, k], [k, k]]',
    '{"a": k, "b": k}',
    'k + k',
  ];
  const LOOKS = ['all', 'exists', 'map'];

  const isAccepted = (text: string): boolean => text.length <= 1_000 && faultInCondition(text) === undefined;
  const MANY = [60, 40, 30, 20, 12, 10, 6, 4, 2, 1];

  /** As many of them as are accepted. */
  function filled(textOf: (n: number) => string): readonly string[] {
    const most = isAccepted(textOf(1)) ? MANY.find((n) => isAccepted(textOf(n))) : undefined;
    return most === undefined ? [] : [textOf(most)];
  }

  function* repeated(): Generator<string> {
    for (const dear of DEAR) {
      for (const by of [' && ', ' || ', ' == ']) {
        const each = by === ' == ' ? `(${dear})` : dear;
        yield* filled((n) => times(n, each.replace(/\bk\b/g, '"k1"'), by));
        for (const list of LISTS) {
          for (const look of LOOKS) {
            const end = look === 'map' ? ').size() > 0' : ')';
            yield* filled((n) => `(${list}).${look}(k, ${times(n, each, by)}${end}`);
          }
        }
      }
    }
  }

  /** Comparisons of their results, chained for as long as that is accepted. */
  function* chained(): Generator<string> {
    for (const list of LISTS) {
      for (const held of HELD) {
        for (const look of ['map', 'filter']) {
          const step = `.${look}(k, ${held})`;
          for (const long of MANY.filter((n) => n <= 20 && isAccepted(`data in ${list}${step.repeat(n)}`))) {
            const chain = `(${list})${step.repeat(long)}`;
            const all = [
              `${chain} == ${chain}`,
              `${chain} in [${chain}]`,
              `[${chain}] == [${chain}]`,
              `${chain} != data.refunds`,
              `data in ${chain}`,
            ];
            yield* all.filter(isAccepted);
          }
        }
      }
    }
  }

  it.each([
    ['repeats', repeated],
    ['chains', chained],
  ])('is evaluated quickly if it is accepted and %s expensive operations', (_, hostile) => {
    const accepted = [...new Set(hostile())];
    expect(accepted.length).toBeGreaterThan(100);
    const slow = accepted.filter(
      (text) => timeOf(tried(text)) > HOSTILE_BUDGET && timeOf(tried(text)) > HOSTILE_BUDGET,
    );
    expect(slow).toEqual([]);
  });

  const word = fc.constantFrom(
    ...'data event steps data.refunds data.metadata data.a r k "x" 1 1.5 true null [ ] ( ) { } . , ? : + - * / % == != < > in && || ! size( has( all(r, map(r, filter(r, exists(r, duration( timestamp( getHours( contains( string( int('.split(
      ' ',
    ),
    '"\\',
    '\n',
    '//',
  );
  it('throws only ExpressionHasNoValue, and ends in time', () => {
    fc.assert(
      fc.property(fc.array(word, { maxLength: 60 }), fc.boolean(), (words, spaced) => {
        const text = words.join(spaced ? ' ' : '');
        expect(timeOf(tried(text))).toBeLessThan(BUDGET);
        expect(typeof fillText(`a {{${text}}} b`, LARGE)).toBe('string');
      }),
      { numRuns: 2_000 },
    );
  });

  /** Mostly well-formed, and about fields that exist. */
  const { expression } = fc.letrec<{ expression: string; list: string }>((tie) => {
    const [inner, list] = [tie('expression'), tie('list')];
    const look = fc
      .tuple(list, fc.constantFrom('all', 'exists', 'exists_one', 'filter', 'map'), inner)
      .map(([of, name, each]) => `${of}.${name}(r, ${each})`);
    return {
      list: fc.oneof(
        { maxDepth: 4 },
        fc.constantFrom('data.refunds', 'data.metadata', 'data', '[1, 2]', '["a", data.a]', 'steps'),
        look,
      ),
      expression: fc.oneof(
        { maxDepth: 5 },
        fc.constantFrom(
          'data.a',
          'data.amount',
          'data.rate',
          'event.created_at',
          'r',
          'r.amount',
          '"a"',
          '1',
          '-1',
          '2.5',
          'true',
          'null',
          'data.none',
        ),
        fc
          .tuple(inner, fc.constantFrom('+', '-', '*', '/', '%', '==', '!=', '<', '>=', '&&', '||', 'in'), inner)
          .map(([a, by, b]) => `(${a} ${by} ${b})`),
        fc
          .tuple(fc.constantFrom('size', 'string', 'int', 'double', 'bool', 'timestamp', 'has', 'duration'), inner)
          .map(([name, of]) => `${name}(${of})`),
        fc
          .tuple(inner, fc.constantFrom('contains', 'startsWith', 'getHours', 'trim'), inner)
          .map(([of, name, by]) => `${of}.${name}(${by})`),
        fc.tuple(inner, inner, inner).map(([a, b, c]) => `(${a} ? ${b} : ${c})`),
        fc.tuple(list, inner).map(([of, at]) => `${of}[${at}]`),
        look,
        list,
      ),
    };
  });
  it('throws only ExpressionHasNoValue if it is well-formed, and ends in time', () => {
    let accepted = 0;
    fc.assert(
      fc.property(expression, (text) => {
        accepted += Number(faultInCondition(`${text} == 1`) === undefined);
        expect(timeOf(tried(`${text} == 1`))).toBeLessThan(BUDGET);
        expect(typeof fillText(`{{${text}}}`, LARGE)).toBe('string');
      }),
      { numRuns: 3_000 },
    );
    expect(accepted).toBeGreaterThan(100);
  });

  it('throws only ExpressionHasNoValue for any text at all', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (text) => tried(text)()),
      { numRuns: 1_000 },
    );
  });
});
