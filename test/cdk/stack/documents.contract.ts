import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { FUNCTIONS } from '#lib/aws/function-table.ts';
import { CAPACITY, CAPACITY_PROFILES } from '#lib/aws/stages.ts';
import { QUEUES } from '#shared/ports/queue.port.ts';
import { usd } from '#test/bench/cost/prices.ts';
import { idOf, type Properties, type Synthesized } from '#test/cdk/synthesized.support.ts';

const AWS = readFileSync('docs/aws.md', 'utf8');

/** AWS gives each account so many metrics of alarms. */
const FREE_ALARM_METRICS = 10;

/** The names that a placeholder in the table of alarms stands for. */
const STANDS_FOR: Readonly<Record<string, readonly string[]>> = {
  '<function>': Object.keys(FUNCTIONS),
  '<queue>': QUEUES,
};

function namesOf(written: string): readonly string[] {
  const [mark = '', stands = ['']] = Object.entries(STANDS_FOR).find(([name]) => written.startsWith(name)) ?? [];
  return stands.map((each) => written.replace(mark, each));
}

/** Documented alarms with their topics. A line about named functions overrides the line about all the others. */
function documented(): ReadonlyMap<string, string> {
  const rows = [...AWS.matchAll(/^\| (`.+`) \| (page|look) \|/gm)].map(([, names = '', topic = '']) => ({
    names: [...names.matchAll(/`([^`]+)`/g)],
    topic,
  }));
  const pairs = rows.flatMap(({ names, topic }) =>
    names.flatMap(([, name = '']) => namesOf(name).map((each) => [each.replaceAll('-', ''), topic] as const)),
  );
  return new Map(pairs.toReversed());
}

export function documentsContract(stack: () => Synthesized): void {
  const alarms = (): readonly (readonly [id: string, alarm: Properties])[] =>
    Object.entries(stack().of('AWS::CloudWatch::Alarm')).map(([id, { Properties: p }]) => [
      /^Alarms(.+)[0-9A-F]{8}$/.exec(id)?.[1] ?? id,
      p,
    ]);
  const topicOf = ({ AlarmActions }: Properties) => (idOf(AlarmActions[0]).startsWith('Alarmspage') ? 'page' : 'look');

  describe('docs/aws.md', () => {
    it('lists every alarm with its topic and what to do', () => {
      expect(documented()).toEqual(new Map(alarms().map(([id, alarm]) => [id, topicOf(alarm)])));
    });

    it('states the number of alarms, of their metrics and of resources in the template', () => {
      const metrics = alarms().map(([, { Metrics }]) =>
        Metrics ? Metrics.filter(({ MetricStat }: Properties) => MetricStat).length : 1,
      );
      const sum = metrics.reduce((all: number, each: number) => all + each, 0);
      expect(AWS).toContain(`There are ${alarms().length} alarms.`);
      const [all, billed] = [sum, sum - FREE_ALARM_METRICS].map((n) => (n * usd('alarm', 1)).toFixed(2));
      expect(AWS).toMatch(
        new RegExp(`^\\| ${alarms().length} alarms on ${sum} metrics: [^|]+ \\| ${all} \\| ${billed} \\|$`, 'm'),
      );
      const resources = Object.keys(stack().template.toJSON().Resources).length;
      // To the next hundred, so that an endpoint more changes no document. Both stages are said in one sentence.
      expect(AWS).toContain(`have fewer than ${Math.ceil(resources / 100) * 100} resources each`);
      expect(resources).toBeLessThan(500);
    });

    it('adds up what a stage at rest costs, which is under ten dollars a month', () => {
      const table = AWS.slice(AWS.indexOf('## Cost at rest'));
      const rows = [...table.matchAll(/^\| ([^|]+) \| \**([\d.]+)\** \| \**([\d.]+)\** \|$/gm)];
      const [total, ...lines] = rows.toReversed();
      for (const column of [2, 3]) {
        const sum = lines.reduce((all, row) => all + Number(row[column]), 0);
        expect(sum.toFixed(2)).toBe(total?.[column]);
      }
      expect(Number(total?.[3])).toBeLessThan(10);
      const dashboard = lines.find(([, of]) => of?.startsWith('a dashboard'))?.[2];
      expect(dashboard).toBe(usd('dashboard', 1).toFixed(2));
      expect(table).toContain(`the first column is ${(Number(total?.[2]) - Number(dashboard)).toFixed(2)} USD`);
      const keys = Object.keys(stack().state.of('AWS::KMS::Key')).length;
      expect(lines.find(([, of]) => of?.includes('KMS keys'))?.[2]).toBe((keys * usd('key', 1)).toFixed(2));
    });

    it.each(CAPACITY_PROFILES)('states what the profile %s reserves, and its maximum for queues', (profile) => {
      const { paymentsPerSecond, throttle, reserved, queueConcurrency } = CAPACITY[profile];
      const cell = (row: string) =>
        AWS.split('\n')
          .find((line) => line.startsWith(row))
          ?.split('|')
          [CAPACITY_PROFILES.indexOf(profile) + 2]?.replaceAll('*', '')
          .trim();
      const text = (n = 0) => n.toLocaleString('en');
      const used = QUEUES.map((queue) => queueConcurrency[queue]);
      const sum = (numbers: readonly number[]) => numbers.reduce((all, each) => all + each, 0);
      expect(cell('| payments a second')).toBe(text(paymentsPerSecond));
      expect(cell('| requests a second')).toBe(text(throttle.rateLimit));
      expect(cell('| reserved for `payments`')).toBe(text(reserved.payments));
      expect(cell('| reserved for callbacks')).toBe(text(reserved['psp-webhooks']));
      expect(cell('| reserved for sign-in')).toBe(text(reserved.auth));
      expect(cell('| reserved for pages')).toBe(text(reserved['hosted-pages']));
      expect(cell('| maximum for queues')).toBe(`${used.map(text).join(' + ')} = ${text(sum(used))}`);
      expect(AWS).toContain('`webhook-delivery`, `slow-deliveries`, `timers`, `renewals`, `workflow-runs` |');
      expect(cell('| **together**')).toBe(text(sum(used) + sum(Object.values(reserved))));
    });
  });
}
