import { bootstrapLocally } from '#lib/bootstrap/bootstrap-locally.ts';
import { bootstrapOnAws } from '#lib/bootstrap/bootstrap-on-aws.ts';
import { bootstrapOptions } from '#lib/bootstrap/bootstrap-options.ts';
import { formatReport } from '#lib/bootstrap/bootstrap-table.ts';
import { bootstrapEnv, localEnv } from '#shared/env.ts';

try {
  const options = bootstrapOptions(process.argv.slice(2), bootstrapEnv());
  process.stdout.write(
    formatReport(await (options.local ? bootstrapLocally(options, localEnv()) : bootstrapOnAws(options))),
  );
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
