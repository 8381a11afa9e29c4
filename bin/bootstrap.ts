import { bootstrapOptions } from '#lib/bootstrap/bootstrap-options.ts';
import { bootstrapStage } from '#lib/bootstrap/bootstrap-stage.ts';
import { report } from '#lib/bootstrap/report.ts';
import { bootstrapEnv } from '#shared/env.ts';

try {
  const options = bootstrapOptions(process.argv.slice(2), bootstrapEnv());
  process.stdout.write(report(await bootstrapStage(options)));
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
