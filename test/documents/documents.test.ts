import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemClock } from '#shared/kernel/clock.ts';
import { type Block, blocksOf, DOCUMENTS, leadsSomewhere, onPorts } from '#test/documents/document-blocks.ts';
import { documentShell, type Run, runWithStandIns } from '#test/documents/document-shell.ts';
import { fourFreePorts } from '#test/support/free-ports.ts';
import { type Body, startHost } from '#test/support/host.ts';

/** Why a marked block is not run here. */
const REASONS: Readonly<Record<string, string>> = {
  aws: 'it needs an AWS account, and the drill runs it on an emulator',
  account: 'it needs a real AWS account: no emulator has what it uses',
  tests: 'it runs the tests themselves',
};
const LANGUAGES: Readonly<Record<string, string>> = {
  json: 'it shows a response',
  js: 'a test of its own runs it',
  ts: 'it shows settings, or is a program of a guide, which test/http/reference.test.ts runs',
};

const START = 'node_modules/.bin/node bin/local.ts';

const reasonFor = ({ language, mark }: Block): string | undefined => LANGUAGES[language] ?? REASONS[mark];
const startsHost = ({ text }: Block): boolean => text.includes('npm start');
const isRun = (block: Block): boolean => reasonFor(block) === undefined;

const ALL = DOCUMENTS.flatMap((document) => blocksOf(document).map((block) => ({ document, ...block })));

describe('the documents', () => {
  it('have no block without a language, or with a mark that says nothing', () => {
    const marks = ['', 'stopped', ...Object.keys(REASONS)];
    const unclear = ALL.filter(
      ({ language, mark }) => !['sh', ...Object.keys(LANGUAGES)].includes(language) || !marks.includes(mark),
    );
    expect(unclear.map(({ document, line }) => `${document}:${line}`)).toEqual([]);
  });

  it('say for each block that is not run here what it needs', () => {
    const left = ALL.filter((block) => !isRun(block));
    const reasons = left.map((block) => `${block.document}:${block.line} is not run, because ${reasonFor(block)}.`);
    process.stdout.write(`${reasons.join('\n')}\n`);
    const neverRun = left.filter(({ mark }) => mark !== 'aws');
    expect(neverRun.length).toBeLessThan(ALL.length / 3);
  });

  it('have no comment in a block: an interactive zsh would take it for arguments', () => {
    const commented = ALL.filter(({ language, text }) => language === 'sh' && /(^|\s)#\s/m.test(text));
    expect(commented.map(({ document, line }) => `${document}:${line}`)).toEqual([]);
  });
});

describe('blocks that need AWS', () => {
  const aws = DOCUMENTS.map((document) => ({
    document,
    text: blocksOf(document)
      .filter(({ mark }) => mark === 'aws')
      .map(({ text }) => text)
      .join('\n'),
  })).filter(({ text }) => text !== '');

  it.each(aws)('of $document run in order where aws and its like say yes to everything', ({ text }) => {
    const { code, complaints } = runWithStandIns(['aws', 'npx', 'npm', 'curl'], text);
    expect({ code, complaints }).toEqual({ code: 0, complaints: '' });
  });
});

const PATH_IN_CODE = /(?<=[`\s])((?:bin|docs|examples|functions|lib|shared|test)\/[\w/.-]*\w)(?=[`\s,])/g;

describe('references of the documents', () => {
  const links = DOCUMENTS.flatMap((document) =>
    [...readFileSync(document, 'utf8').matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = '']) => ({ document, target })),
  );

  it('lead to files and headings that exist', () => {
    const broken = links.filter(
      ({ document, target }) => !/^https?:/.test(target) && !leadsSomewhere(document, target),
    );
    expect(links.length).toBeGreaterThan(50);
    expect(broken).toEqual([]);
  });

  it('name only files and folders that exist', () => {
    const named = DOCUMENTS.filter((document) => document !== 'CHANGELOG.md').flatMap((document) =>
      [...readFileSync(document, 'utf8').matchAll(PATH_IN_CODE)].map(([, path = '']) => ({ document, path })),
    );
    // A provider that somebody may add is an example.
    const missing = named.filter(({ path }) => !path.includes('nuvei') && !existsSync(path));
    expect(named.length).toBeGreaterThan(50);
    expect(missing).toEqual([]);
  });

  it('name only npm scripts that exist', () => {
    const { scripts }: { scripts: object } = JSON.parse(readFileSync('package.json', 'utf8'));
    const named = DOCUMENTS.filter((document) => document !== 'CHANGELOG.md').flatMap((document) =>
      [...readFileSync(document, 'utf8').matchAll(/npm run (?:-s |--silent )?([\w:-]+)/g)].map(
        ([, script = '']) => script,
      ),
    );
    expect(named.filter((script) => !(script in scripts))).toEqual([]);
  });
});

/** The statuses that the line above promises: "Returns `succeeded`:". Later ones may only come in time. */
const promised = ({ lead }: Block): readonly string[] | undefined =>
  /^Returns?\b.*:$/.test(lead) ? [...lead.matchAll(/`(\w+)`/g)].map(([, status = '']) => status) : undefined;
/** The statuses of the responses themselves, not of what they contain. */
const returned = ({ out }: Run): readonly string[] =>
  [...out.matchAll(/^ {2}"status": "(\w+)"/gm)].map(([, status = '']) => status);

/** The execution that the block of docs/workflows.md lists, down to its last step. */
const RAN_ALL_STEPS =
  /"executions": \[\s+\{[\s\S]*"status": "succeeded"[\s\S]*"id": "mark",[\s\S]*"status": "succeeded"/;

function expectNoFault({ code, complaints, responses }: Run): void {
  expect({ code, complaints, failed: responses.filter((response) => !/^[23]/.test(response)) }).toEqual({
    code: 0,
    complaints: '',
    failed: [],
  });
}

const RUNNABLE = DOCUMENTS.map((document) => ({ document, blocks: blocksOf(document).filter(isRun) })).filter(
  ({ blocks }) => blocks.length > 0,
);

describe.each(RUNNABLE)('$document, pasted', ({ document, blocks }) => {
  let shell: Awaited<ReturnType<typeof documentShell>>;
  beforeAll(async () => {
    shell = await documentShell();
    if (!blocks.some(startsHost)) await shell.start(START);
  });
  afterAll(() => shell.close());

  it.each(blocks)('runs the block of line $line in a fresh shell', async (block) => {
    if (startsHost(block)) {
      expect(await shell.start(block.text)).toBe(`ready http://127.0.0.1:${shell.port}`);
      return;
    }
    if (block.mark === 'stopped') await shell.stop();
    const run = shell.run('bash', onPorts(block.text, shell.port));
    expectNoFault(run);
    expect(returned(run)).toEqual(promised(block)?.slice(0, Math.max(returned(run).length, 1)) ?? returned(run));
    if (document === 'docs/workflows.md') expect(run.out).toMatch(RAN_ALL_STEPS);
    expect(run.out.split('\n').filter((line) => line.startsWith('{') && line.length > 120)).toEqual([]);
    if (block.mark === 'stopped') await shell.start(START);
  });

  it('runs as one text in any POSIX shell, too', () => {
    const texts = blocks.filter((block) => block.mark === '' && !startsHost(block)).map(({ text }) => text);
    const run = shell.run('sh', onPorts(texts.join('\n'), shell.port));
    expectNoFault(run);
    expect(run.responses.length).toBeGreaterThanOrEqual(texts.length);
  });
});

describe('docs/webhooks.md', () => {
  it('has a receiver that takes what we sign, and nothing else', async () => {
    // The library compares with the system's clock.
    const host = await startHost({ realTime: systemClock });
    const [code = ''] = blocksOf('docs/webhooks.md').flatMap(({ language, text }) => (language === 'js' ? [text] : []));
    const port = await fourFreePorts();
    const url = `http://127.0.0.1:${port}/`;
    const { body: saved } = await host.call('POST', '/v1/webhooks/config', { url, events: ['*'] });
    const receiver = spawn(process.execPath, ['--input-type=module', '-e', code.replace('8080', String(port))], {
      env: { SIGNING_SECRET: saved.signing_secret },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    try {
      await expect
        .poll(() =>
          fetch(url, { method: 'POST', body: '{}' }).then(
            ({ status }) => status,
            () => 0,
          ),
        )
        .toBe(400);
      const { body: sent } = await host.call('POST', '/v1/webhooks/test', {});
      await host.control('POST', '/drain');
      const { body: event } = await host.call('GET', `/v1/webhooks/events/${sent.id ?? sent.event_id}`);
      expect(event.attempts.map(({ status_code }: Body) => status_code)).toEqual([204]);
    } finally {
      receiver.kill();
      await host.close();
    }
  });
});
