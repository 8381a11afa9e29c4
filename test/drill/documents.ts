import { randomBytes } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { type Block, blocksOf } from '#test/documents/document-blocks.ts';
import type { Drill } from '#test/drill/drill.prepare.ts';
import { environment, FOLDER, ROOT } from '#test/drill/drill.settings.ts';
import { tryRun } from '#test/drill/programs.ts';
import type { StageClient } from '#test/drill/stage-client.ts';

const DOCUMENT = 'docs/aws.md';
/** Marks the blocks of the document that the emulator can run. */
const MARK = 'aws';

type Stages = { readonly sandbox: StageClient; readonly live: StageClient };

/** Runs the commands of docs/aws.md in their order, in one shell, as a reader does. Each block is a step. */
export async function followDocuments(drill: Drill, stages: Stages): Promise<void> {
  const { report, emulator } = drill;
  const blocks = blocksOf(`${ROOT}${DOCUMENT}`).filter(({ language, mark }) => language === 'sh' && mark === MARK);
  const script = `${FOLDER}/documents.sh`;
  writeFileSync(script, blocks.map((block) => traced(block, filledIn(block.text, drill, stages))).join('\n'));
  const path = [commandsOfReaders(drill), `${ROOT}node_modules/.bin`].join(':');
  const { out } = await tryRun('bash', [script], { cwd: ROOT, env: environment(emulator.url), path });
  for (const { line, text } of blocks)
    await report.step(`${DOCUMENT}:${line} ${text.trim().split('\n')[0]?.slice(0, 60)}`, () => {
      const [, said] = new RegExp(`^@@ ${line}\\n([\\s\\S]*?)^@@ end ${line}$`, 'm').exec(out) ?? [];
      if (said === undefined) throw new Error(`The shell ended before its end: ${out.slice(-300)}`);
      if (/^@@ failed/m.test(said)) throw new Error(said.slice(0, 600));
    });
}

/** A command that fails is told, and the next one goes on. */
const traced = ({ line }: Block, text: string): string =>
  [
    `set -uE -o pipefail; trap 'echo "@@ failed: $BASH_COMMAND"' ERR`,
    `echo "@@ ${line}"`,
    text,
    `echo; echo "@@ end ${line}"`,
  ].join('\n');

/** What a reader puts in place of `…`. */
function filledIn(text: string, { around }: Drill, { sandbox, live }: Stages): string {
  const secret = (prefix: string) => `${prefix}${randomBytes(24).toString('hex')}`;
  const credentials = { secret_key: secret('sk_test_'), webhook_secret: secret('whsec_') };
  around.simulators.registerAccount('stripe', credentials, 'Shop Ltd');
  return text
    .replaceAll('sk_sandbox_…', sandbox.key)
    .replaceAll(/org_01jc[0-9a-z]{22}/g, live.org)
    .replaceAll('sk_test_…', credentials.secret_key)
    .replaceAll('whsec_…', credentials.webhook_secret);
}

/** The programs of a reader: `cdk` with the drill's release, `curl` to the emulator, and packages that are installed. */
function commandsOfReaders({ port, programs, first }: Drill): string {
  const folder = `${FOLDER}/reader`;
  mkdirSync(folder, { recursive: true });
  const cdk = `${ROOT}node_modules/.bin/cdk "$@" --app ${first.assembly} --require-approval never`;
  const scripts = {
    aws: `exec ${programs}/aws "$@"`,
    npm: `[ "$1" = ci ] && exit 0\nPATH=\${PATH#*:} exec npm "$@"`,
    npx: `[ "$1" = cdk ] || exit 1\nshift\n[ "$1" = destroy ] && set -- "$@" --force\nexec ${cdk}`,
    curl: [
      'for each in "$@"; do set -- "$@" "$(printf %s "$each" | sed s,https://,http://,)"; shift; done',
      `PATH=\${PATH#*:} exec curl --fail-with-body --connect-to ::127.0.0.1:${port} "$@"`,
    ].join('\n'),
  };
  for (const [name, script] of Object.entries(scripts))
    writeFileSync(`${folder}/${name}`, `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  return folder;
}
