import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { openApiTexts } from '#functions/openapi/describe-api.ts';

const args = process.argv.slice(2);
if (args.some((argument) => argument !== '--check')) {
  process.stderr.write('npm run openapi writes the API documents. npm run openapi -- --check only compares them.\n');
  process.exit(1);
}

for (const [name, text] of Object.entries(await openApiTexts())) {
  const file = fileURLToPath(new URL(`../${name}.json`, import.meta.url));
  if (args.length === 0) writeFileSync(file, text);
  else if (!existsSync(file) || readFileSync(file, 'utf8') !== text) {
    process.stderr.write(`${name}.json is not what the route table says. Run: npm run openapi\n`);
    process.exitCode = 1;
  }
}
