import { bootstrapFolder } from '#lib/bootstrap/bootstrap-folder.ts';
import { bootstrapOptions } from '#lib/bootstrap/bootstrap-options.ts';
import { bootstrapStage } from '#lib/bootstrap/bootstrap-stage.ts';
import { report } from '#lib/bootstrap/report.ts';
import { bootstrapEnv, localEnv } from '#shared/env.ts';

try {
  const options = bootstrapOptions(process.argv.slice(2), bootstrapEnv());
  process.stdout.write(report(await (options.local ? bootstrapFolder(options, localEnv()) : bootstrapStage(options))));
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
