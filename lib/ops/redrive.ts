import { type Operator, recordCommand } from '#lib/ops/audit.ts';
import type { DeadLetters, OpsHost, OpsResult } from '#lib/ops/ops-host.ts';

type Redriven = {
  readonly name: string;
  readonly messages: number | null;
  readonly done: string | null;
  readonly failed?: true;
};

/** Sends dead letters back to the queues that they came from. Each message is checked anew, so that is harmless. */
export async function redrive(
  wanted: readonly string[],
  operator: Operator | undefined,
  { deadLetters, deps }: OpsHost,
): Promise<OpsResult> {
  const names = wanted.includes('all') ? deadLetters.names : wanted;
  const unknown = names.filter((name) => !deadLetters.names.includes(name));
  if (unknown.length > 0)
    throw new Error(`There are no dead letters of ${unknown.join(', ')}. There are: ${deadLetters.names.join(', ')}.`);
  if (operator) await recordCommand(operator, undefined, deps);
  const results: Redriven[] = [];
  for (const name of names) results.push(await redriveOne(name, operator !== undefined, deadLetters));
  const lines = results.map(({ name, messages, done }) =>
    `  ${name.padEnd(18)} ${messages ?? '?'}  ${done ?? ''}`.trimEnd(),
  );
  const text = ['Dead letters:', ...lines, ''].join('\n');
  if (results.some(({ failed }) => failed)) throw new Error(text);
  return { text, data: results };
}

/** One queue may be gone, or still be busy with the run before: that holds up none of the others. */
async function redriveOne(name: string, isReal: boolean, deadLetters: DeadLetters): Promise<Redriven> {
  let messages: number | null = null;
  try {
    messages = await deadLetters.count(name);
    const done = isReal && messages > 0 ? await deadLetters.redrive(name) : null;
    return { name, messages, done };
  } catch (error) {
    const done = `failed: ${error instanceof Error ? error.message : String(error)}`;
    return { name, messages, done, failed: true };
  }
}
