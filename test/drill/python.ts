import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { run } from '#test/drill/programs.ts';

/** The oldest that the packages take. */
const OLDEST = [3, 11] as const;

const HOW = `Install Python ${OLDEST.join('.')} or newer with its module venv (Debian: apt-get install python3-venv).`;

/**
 * A folder with these Python packages, exactly as pinned. Installed once; again when a pin changes.
 * Returns the folder of its programs.
 */
export async function pythonPackages(folder: string, requirements: string): Promise<string> {
  const programs = `${folder}/bin`;
  const stamp = `${folder}/installed.txt`;
  const wanted = readFileSync(requirements, 'utf8');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return programs;
  await assertPython();
  mkdirSync(folder, { recursive: true });
  await run('python3', ['-m', 'venv', '--clear', folder]).catch((error: unknown) => {
    throw new Error(`Python has no module venv. ${HOW}`, { cause: error });
  });
  // Python compiles what it loads: most of what is installed is never loaded.
  const how = ['--quiet', '--disable-pip-version-check', '--no-compile'];
  await run(`${programs}/pip`, ['install', ...how, '-r', requirements]);
  writeFileSync(stamp, wanted);
  return programs;
}

async function assertPython(): Promise<void> {
  const version = await run('python3', ['-c', 'import sys; print(*sys.version_info[:2])']).catch(() => undefined);
  if (version === undefined) throw new Error(`There is no python3. ${HOW}`);
  const [major = 0, minor = 0] = version.trim().split(' ').map(Number);
  if (major < OLDEST[0] || (major === OLDEST[0] && minor < OLDEST[1]))
    throw new Error(`This Python is ${major}.${minor}. ${HOW}`);
}
