import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { clientFiles } from '#lib/client/client-files.ts';

const FOLDER = fileURLToPath(new URL('../client/typescript/src/generated/', import.meta.url));

const args = process.argv.slice(2);
if (args.some((argument) => argument !== '--check')) {
  process.stderr.write("npm run client writes the client's types. npm run client -- --check only compares them.\n");
  process.exit(1);
}

const files = await clientFiles();
mkdirSync(FOLDER, { recursive: true });
const known = new Map(readdirSync(FOLDER).map((name) => [name, readFileSync(FOLDER + name, 'utf8')]));
if (args.length === 0) writeAll();
else if (known.size !== files.size || [...files].some(([name, text]) => known.get(name) !== text)) {
  process.stderr.write('client/typescript/src/generated is not what the route table says. Run: npm run client\n');
  process.exit(1);
}

function writeAll(): void {
  for (const name of known.keys()) if (!files.has(name)) rmSync(FOLDER + name);
  for (const [name, text] of files) if (known.get(name) !== text) writeFileSync(FOLDER + name, text);
}
