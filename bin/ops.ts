import { explainOpsError, openAwsOps } from '#lib/ops/aws-ops.ts';
import { openLocalOps } from '#lib/ops/local-ops.ts';
import type { OpsHost, OpsResult } from '#lib/ops/ops-host.ts';
import { OPS_USAGE, type OpsOptions, opsOptions } from '#lib/ops/ops-options.ts';
import { runCommand } from '#lib/ops/run-command.ts';
import { hashVersionsEnv, localEnv } from '#shared/env.ts';

const args = process.argv.slice(2);
if (args.includes('--help') || args.includes('-h')) {
  process.stdout.write(`${OPS_USAGE}\n`);
  process.exit(0);
}

try {
  const options = opsOptions(args);
  const { text, data } = await run(options);
  process.stdout.write(options.json ? `${JSON.stringify(data, undefined, 2)}\n` : text);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}

async function run(options: OpsOptions): Promise<OpsResult> {
  const { target } = options;
  if (target.kind === 'local') return runAndClose(options, await openLocalOps(target.stage, localEnv()));
  try {
    return await runAndClose(options, await openAwsOps(target, hashVersionsEnv()));
  } catch (error) {
    throw explainOpsError(error, target);
  }
}

async function runAndClose(options: OpsOptions, host: OpsHost): Promise<OpsResult> {
  try {
    return await runCommand(options, host);
  } finally {
    await host.close();
  }
}
