import { spawn } from 'node:child_process';
import { text as textFrom } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SAMPLE_KEY } from '#lib/reference/page.model.ts';
import { PLACEHOLDER } from '#lib/reference/placeholders.ts';
import { startHost, type TestHost } from '#test/support/host.ts';

/** Each language has a host of its own: both create the same things. */
const hosts = new Map<string, TestHost>();
beforeAll(async () => {
  for (const language of ['sh', 'ts']) hosts.set(language, await startHost());
});
afterAll(() => Promise.all([...hosts.values()].map((host) => host.close())));

const READS = { sh: /^(?!.* -d ')/s, ts: /payfork\.\w+\.(get|list)/ } as const;

/** Requests with a key and no other placeholder, as the pages of the API show them. What they read is written first. */
async function samplesIn(language: 'sh' | 'ts') {
  const host = hosts.get(language) ?? expect.fail('There is no host.');
  const load = async (path: string): Promise<string> => (await fetch(`${host.info.api}${path}`)).text();
  const pages = [...(await load('/llms.txt')).matchAll(/\/docs\/api\/[\w-]+\.md/g)];
  const texts = await Promise.all(pages.map(([page]) => load(page)));
  const samples = texts
    .flatMap((text) => [...text.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, 'gm'))])
    .map(([, code = '']) => code)
    .filter((code) => code.includes(SAMPLE_KEY))
    .map((code) => code.replaceAll(SAMPLE_KEY, host.info.keys.secret))
    .filter((code) => !code.includes(PLACEHOLDER))
    .toSorted((a, b) => Number(READS[language].test(a)) - Number(READS[language].test(b)));
  return { host, samples };
}

async function run(command: string, args: readonly string[]): Promise<{ out: string; complaints: string }> {
  const child = spawn(command, args);
  const [out, complaints] = await Promise.all([textFrom(child.stdout), textFrom(child.stderr)]);
  return { out, complaints };
}

describe('the samples of the documentation that have no placeholder but the key', () => {
  it('work in curl, as they are copied', async () => {
    const { samples } = await samplesIn('sh');
    expect(samples.filter((sample) => !READS.sh.test(sample)).length).toBeGreaterThan(12);
    const refused: string[] = [];
    for (const sample of samples) {
      const { out } = await run('bash', ['-c', sample.replace(/^curl/, "curl -s -w '\\n%{http_code}'")]);
      if (!/\n2\d\d$/.test(out)) refused.push(`${sample}\n${out}`);
    }
    expect(refused).toEqual([]);
  });

  it('work in the client, one after the other', async () => {
    const { samples } = await samplesIn('ts');
    expect(samples.length).toBeGreaterThan(30);
    const client = new URL('../../client/typescript/src/index.ts', import.meta.url).href;
    const steps = samples.map((sample) => `{\n${sample.replace(/^import .*\n/, '')}\n}`);
    const program = [`import { Payfork } from '${client}';`, ...steps].join('\n');
    const args = ['--disable-warning=ExperimentalWarning', '--input-type=module-typescript', '-e', program];
    expect((await run(process.execPath, args)).complaints).toBe('');
  });
});
