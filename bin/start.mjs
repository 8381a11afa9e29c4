// What `npm start` runs first, in plain JavaScript: any Node.js reads it, and it needs no package. Older versions, or a
// folder without its packages, would end with a stack of Node's own.
import { existsSync } from 'node:fs';
import module from 'node:module';
import { fileURLToPath } from 'node:url';

/** The first 24 with long-term support. Earlier ones bind the parameters of SQL statements differently. */
const REQUIRED = { major: 24, minor: 11 };

function isNewEnough() {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  return major > REQUIRED.major || (major === REQUIRED.major && minor >= REQUIRED.minor);
}

function problem() {
  if (!existsSync(new URL('../node_modules/hono', import.meta.url)))
    return 'The packages are not installed. Run: npm ci';
  if (isNewEnough()) return undefined;
  const tooOld = `This is Node.js ${process.versions.node}.`;
  if (existsSync(new URL('../node_modules/.bin/node', import.meta.url)))
    return `${tooOld} Use npm start: it runs the Node.js ${REQUIRED.major} that npm ci installs.`;
  const platform = `${process.platform}-${process.arch}`;
  return `${tooOld} npm ci has installed no other for ${platform}. Install Node.js ${REQUIRED.major} (${REQUIRED.major}.${REQUIRED.minor} or newer), and repeat npm start.`;
}

/** Compiled code is kept, which halves the time of the next start. Where nothing can be kept, it is compiled each time. */
async function start() {
  const { directory } = module.enableCompileCache(
    fileURLToPath(new URL('../node_modules/.cache/compiled', import.meta.url)),
  );
  // biome-ignore lint/style/noProcessEnv: threads that the host starts take it from there.
  if (directory !== undefined) process.env.NODE_COMPILE_CACHE ??= directory;
  await import('./local.ts');
  module.flushCompileCache();
}

const found = problem();
if (found === undefined) await start();
else {
  process.stderr.write(`${found}\n`);
  process.exitCode = 1;
}
