import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { openApiText } from '#functions/openapi/describe-api.ts';

const FILE = fileURLToPath(new URL('../openapi.json', import.meta.url));

const args = process.argv.slice(2);
if (args.some((argument) => argument !== '--check')) {
  process.stderr.write('npm run openapi writes openapi.json. npm run openapi -- --check only compares it.\n');
  process.exit(1);
}

const text = await openApiText();
if (args.length === 0) writeFileSync(FILE, text);
else if (textOf(FILE) !== text) {
  process.stderr.write('openapi.json is not what the route table says. Run: npm run openapi\n');
  process.exit(1);
}

function textOf(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}
