import type { Emulator } from '#test/drill/emulator.ts';

type Groups = { readonly logGroups?: readonly { readonly logGroupName: string }[]; readonly nextToken?: string };
type Events = { readonly events?: readonly { readonly message: string }[]; readonly nextToken?: string };

/** The log groups of one stage's functions, by the end of their names. */
export async function logGroups({ call }: Emulator): Promise<readonly string[]> {
  const names: string[] = [];
  let nextToken: string | undefined;
  do {
    const page = (await call('logs', 'Logs_20140328.DescribeLogGroups', { nextToken })) as Groups;
    names.push(...(page.logGroups ?? []).map(({ logGroupName }) => logGroupName));
    nextToken = page.nextToken;
  } while (nextToken !== undefined);
  return names;
}

export async function linesOf(
  { call }: Emulator,
  logGroupName: string,
  filterPattern?: string,
): Promise<readonly string[]> {
  const lines: string[] = [];
  let nextToken: string | undefined;
  do {
    const asked = { logGroupName, filterPattern, nextToken, startTime: 0 };
    const page = (await call('logs', 'Logs_20140328.FilterLogEvents', asked)) as Events;
    lines.push(...(page.events ?? []).map(({ message }) => message));
    nextToken = page.nextToken;
  } while (nextToken !== undefined);
  return lines;
}
