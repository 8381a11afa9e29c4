import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { openApiText } from '#functions/openapi/describe-api.ts';

const FILE = fileURLToPath(new URL('../openapi.json', import.meta.url));

const text = await openApiText();
if (!process.argv.includes('--check')) writeFileSync(FILE, text);
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
