import { mkdirSync, writeFileSync } from 'node:fs';
import { type Account, account, type Release, synthesize, synthesizeNext } from '#test/drill/deployment.ts';
import { FOLDER, ROOT } from '#test/drill/drill.settings.ts';
import { type Emulator, startEmulator } from '#test/drill/emulator.ts';
import { pythonPackages } from '#test/drill/python.ts';
import { Report } from '#test/drill/report.ts';
import { type Surroundings, startSurroundings } from '#test/drill/surroundings.ts';
import { fourFreePorts } from '#test/support/free-ports.ts';

export type Drill = {
  readonly report: Report;
  readonly port: number;
  readonly programs: string;
  readonly emulator: Emulator;
  readonly around: Surroundings;
  readonly cloud: Account;
  readonly first: Release;
  /** Synthesized when it is first asked for. */
  readonly next: () => Promise<Release>;
  readonly close: () => Promise<void>;
};

/** Everything that a drill needs, or an error that says what to install. */
export async function prepare(): Promise<Drill> {
  const report = new Report();
  mkdirSync(FOLDER, { recursive: true });
  const python = await report.must('the emulator and the AWS CLI are installed', () =>
    pythonPackages(`${FOLDER}/python`, `${ROOT}test/drill/requirements.txt`),
  );
  const programs = commandLine(python);
  const first = await report.must('the release is synthesized', () => synthesize('first'));
  const port = await fourFreePorts();
  const internet = port + 1;
  const emulator = await report.must('the emulator starts', () =>
    startEmulator({ port, internet, python, node: `${ROOT}node_modules/.bin` }),
  );
  const around = await startSurroundings(internet, port);
  let next: Promise<Release> | undefined;
  return {
    report,
    port,
    programs,
    emulator,
    around,
    cloud: account(emulator.url, programs, python),
    first,
    next: () => (next ??= synthesizeNext()),
    close: () => around.close().finally(emulator.stop),
  };
}

/**
 * The AWS CLI of the packages, which takes no address for SQS from its environment. Returns the folder to look for
 * programs in.
 */
function commandLine(python: string): string {
  const folder = `${FOLDER}/programs`;
  mkdirSync(folder, { recursive: true });
  const script = `#!/bin/sh\nexec ${python}/aws --endpoint-url "$AWS_ENDPOINT_URL" "$@"\n`;
  writeFileSync(`${folder}/aws`, script, { mode: 0o755 });
  return folder;
}
