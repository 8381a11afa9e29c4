// What `npm start` runs first, in plain JavaScript: any Node.js reads it, and it needs no package. Older versions, or a
// folder without its packages, would end with a stack of Node's own.
import { existsSync } from 'node:fs';

const REQUIRED_MAJOR = 24;

function problem() {
  if (!existsSync(new URL('../node_modules/hono', import.meta.url)))
    return 'The packages are not installed. Run: npm ci';
  if (Number.parseInt(process.versions.node, 10) >= REQUIRED_MAJOR) return undefined;
  return `This is Node.js ${process.versions.node}. Use npm start: it runs the Node.js ${REQUIRED_MAJOR} that npm ci installs.`;
}

const found = problem();
if (found === undefined) await import('./local.ts');
else {
  process.stderr.write(`${found}\n`);
  process.exitCode = 1;
}
