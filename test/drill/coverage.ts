import { FUNCTIONS, type FunctionName, namesOf } from '#lib/aws/function-table.ts';
import { resourceNames, STACK_NAMES } from '#lib/aws/stack-names.ts';
import { QUEUES } from '#shared/ports/queue.port.ts';
import type { Drill } from '#test/drill/drill.prepare.ts';
import { REGION } from '#test/drill/drill.settings.ts';
import type { Emulator } from '#test/drill/emulator.ts';
import { linesOf, logGroups } from '#test/drill/logs.ts';

type Mappings = {
  readonly EventSourceMappings: readonly {
    readonly FunctionArn: string;
    readonly LastProcessingResult?: string;
  }[];
};

const DENIED = /AccessDenied|not authorized to perform/;

export async function hasRun(emulator: Emulator, name: FunctionName): Promise<boolean> {
  const lines = await linesOf(emulator, resourceNames(STACK_NAMES.sandbox).logGroup(name));
  return lines.some((line) => line.startsWith('START '));
}

/** Whether every function of the sandbox has run, and every queue and both consumers of the stream have taken something. */
export async function assertAllDriven({ report, emulator, cloud }: Drill): Promise<void> {
  for (const name of namesOf(FUNCTIONS))
    await report.step(`the function ${name} has run`, async () => {
      if (!(await hasRun(emulator, name))) throw new Error('Its log is empty.');
    });
  const { EventSourceMappings } = (await cloud.aws('lambda', 'list-event-source-mappings')) as Mappings;
  for (const name of [...QUEUES, 'relay', 'projector'])
    await report.step(`${name} has taken messages well`, () => {
      const mapping = EventSourceMappings.find(
        ({ FunctionArn }) =>
          FunctionArn.includes(`${STACK_NAMES.sandbox}-${name}:`) ||
          FunctionArn.endsWith(`${STACK_NAMES.sandbox}-${name}`),
      );
      if (!mapping?.LastProcessingResult?.startsWith('OK'))
        throw new Error(`It says ${mapping?.LastProcessingResult}.`);
    });
}

/** Lines in which a function was refused something. */
export async function assertNothingDenied({ report, emulator }: Drill): Promise<void> {
  let total = 0;
  const denied: string[] = [];
  for (const group of await logGroups(emulator)) {
    const lines = await linesOf(emulator, group);
    total += lines.length;
    denied.push(...lines.filter((line) => DENIED.test(line)).map((line) => `${group}: ${line.slice(0, 500)}`));
  }
  report.fact(`${total} log lines, ${denied.length} of them with AccessDenied.`);
  await report.step('no function was refused anything', () => {
    if (denied.length > 0) throw new Error(denied.slice(0, 5).join('\n'));
  });
}

/** What a function may not open, it cannot open: its own kind of secret, of an organization, and nothing else. */
export async function assertKeysRefuse({ report, cloud }: Drill): Promise<void> {
  await report.step('the keys open for webhook-delivery what it delivers with, and nothing else', async () => {
    const said = JSON.parse(await cloud.script('refusals.py', STACK_NAMES.sandbox, REGION));
    const wanted = { signing: 'opened', 'signing of a user': 'refused', integration: 'refused', psp: 'refused' };
    for (const [kind, outcome] of Object.entries(wanted))
      if (said[kind] !== outcome) throw new Error(`${kind} is ${said[kind] ?? JSON.stringify(said)}, not ${outcome}.`);
  });
}
