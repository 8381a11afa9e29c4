import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { FUNCTIONS } from '#lib/aws/function-table.ts';
import { STAGES } from '#lib/aws/stages.ts';
import { QUEUES } from '#shared/ports/queue.port.ts';
import { idOf, type Properties, type Synthesized } from '#test/cdk/synthesized.support.ts';

const AWS = readFileSync('docs/aws.md', 'utf8');

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
      const operations = 7;
      const metrics = alarms().map(([, { Metrics }]) =>
        Metrics ? Metrics.filter(({ MetricStat }: Properties) => MetricStat).length || operations : 1,
      );
      const sum = metrics.reduce((all: number, each: number) => all + each, 0);
      expect(AWS).toContain(`There are ${alarms().length} alarms.`);
      expect(AWS).toMatch(
        new RegExp(`^\\| ${alarms().length} alarms on ${sum} metrics: [^|]+ \\| ${(sum / 10).toFixed(2)} \\|$`, 'm'),
      );
      const resources = Object.keys(stack().template.toJSON().Resources).length;
      // To the next fifty, so that an endpoint more changes no document.
      expect(AWS).toContain(`have about ${Math.round(resources / 50) * 50} resources each`);
      expect(resources).toBeLessThan(500);
    });

    it('states the reserved concurrency and the maximum for queues of each stage', () => {
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
      expect(cell('| reserved for `payments`')).toBe(String(reserved.payments));
      expect(cell('| reserved for callbacks')).toBe(String(reserved['psp-webhooks']));
      expect(cell('| reserved for sign-in')).toBe(String(reserved.auth));
      expect(cell('| reserved for pages')).toBe(String(reserved['hosted-pages']));
      expect(cell('| maximum for queues')).toBe(`${used.join(' + ')} = ${total}`);
      expect(AWS).toContain('`webhook-delivery`, `slow-deliveries`, `timers`, `renewals`, `workflow-runs` |');
      expect(AWS.slice(AWS.indexOf('| maximum for queues'))).toMatch(
        new RegExp(
          `^.*\n\\| \\*\\*together.*\\b${total + Object.values(reserved).reduce((all, each) => all + each, 0)}\\b`,
        ),
      );
    });
  });
}
