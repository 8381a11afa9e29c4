import { bootstrapLocally } from '#lib/bootstrap/bootstrap-locally.ts';
import { bootstrapOnAws } from '#lib/bootstrap/bootstrap-on-aws.ts';
import { bootstrapOptions, usage } from '#lib/bootstrap/bootstrap-options.ts';
import { bootstrapEnv, localEnv } from '#shared/env.ts';

const args = process.argv.slice(2);
if (args.includes('--help') || args.includes('-h')) {
  process.stdout.write(`${usage(undefined)}\n`);
  process.exit(0);
}

try {
  const options = bootstrapOptions(args, bootstrapEnv());
  process.stdout.write(await (options.local ? bootstrapLocally(options, localEnv()) : bootstrapOnAws(options)));
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
