import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { FUNCTIONS } from '#lib/aws/function-table.ts';
import { STAGES } from '#lib/aws/stages.ts';
import { QUEUES } from '#shared/ports/queue.port.ts';
import { idOf, type Properties, type Synthesized } from '#test/cdk/synthesized.support.ts';

const AWS = readFileSync('docs/aws.md', 'utf8');

/** What a name in the table of alarms may stand for. */
const STANDS_FOR: Readonly<Record<string, readonly string[]>> = {
  '<function>': Object.keys(FUNCTIONS),
  '<queue>': QUEUES,
};

function namesOf(written: string): readonly string[] {
  const [mark = '', stands = ['']] = Object.entries(STANDS_FOR).find(([name]) => written.startsWith(name)) ?? [];
  return stands.map((each) => written.replace(mark, each));
}

/** Alarms as they are documented, with their topics: a line about some functions comes before that about the others. */
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
    it('says of each alarm what to do, and where it rings', () => {
      expect(documented()).toEqual(new Map(alarms().map(([id, alarm]) => [id, topicOf(alarm)])));
    });

    it('counts alarms, their metrics and resources as they are', () => {
      const operations = 7;
      const metrics = alarms().map(([, { Metrics }]) =>
        Metrics ? Metrics.filter(({ MetricStat }: Properties) => MetricStat).length || operations : 1,
      );
      const sum = metrics.reduce((all: number, each: number) => all + each, 0);
      expect(AWS).toContain(`There are ${alarms().length}.`);
      expect(AWS).toContain(
        `| ${alarms().length} alarms, which are ${sum} metrics: one that computes is paid for by what it looks at | ${(sum / 10).toFixed(2)} |`,
      );
      const resources = Object.keys(stack().template.toJSON().Resources).length;
      expect(AWS).toContain(`have ${resources} resources each`);
      expect(resources).toBeLessThan(500);
    });

    it('counts what is set aside, and what queues use, as it is', () => {
      const { reserved, queueConcurrency } = STAGES[stack().stage];
      const column = stack().stage === 'sandbox' ? 1 : 2;
      const cell = (row: string) =>
        AWS.split('\n')
          .find((line) => line.startsWith(row))
          ?.split('|')
          [column + 1]?.replaceAll('*', '')
          .trim();
      const used = QUEUES.map((queue) => queueConcurrency[queue]);
      const total = used.reduce((all, each) => all + each, 0);
      expect(cell('| set aside for `payments`')).toBe(String(reserved.payments));
      expect(cell('| set aside for callbacks')).toBe(String(reserved['psp-webhooks']));
      expect(cell('| most that queues use')).toBe(`${used.join(' + ')} = ${total}`);
      expect(AWS).toContain('`webhook-delivery`, `slow-deliveries`, `timers`, `renewals`, `workflow-runs` |');
      expect(AWS.slice(AWS.indexOf('| most that queues use'))).toMatch(
        new RegExp(`^.*\n\\| \\*\\*together.*\\b${total + reserved.payments! + reserved['psp-webhooks']!}\\b`),
      );
    });
  });
}
