import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { anchorOf } from '#lib/reference/prose.ts';

/** A fenced block. What follows the language, which no reader sees, says why a test cannot run it. */
export type Block = {
  readonly line: number;
  readonly language: string;
  readonly mark: string;
  readonly text: string;
  /** The line above, which may say what the block returns. */
  readonly lead: string;
};

const FENCE = /^```(\w*) ?(.*)\n([\s\S]*?)^```$/gm;

/** Every document of the project, by its path. */
export const DOCUMENTS: readonly string[] = globSync([
  '*.md',
  'client/*/*.md',
  'docs/**/*.md',
  'examples/**/*.md',
]).sort();

export function blocksOf(document: string): readonly Block[] {
  const text = readFileSync(document, 'utf8');
  return [...text.matchAll(FENCE)].map(({ index, 1: language = '', 2: mark = '', 3: body = '' }) => {
    const before = text.slice(0, index).trimEnd().split('\n');
    return { line: text.slice(0, index).split('\n').length, language, mark, text: body, lead: before.at(-1) ?? '' };
  });
}

/** The same block for a host on other ports. */
export const onPorts = (text: string, first: number): string =>
  text.replaceAll(/127\.0\.0\.1:400([0-3])/g, (_, n: string) => `127.0.0.1:${first + Number(n)}`);

/** Whether a relative link leads to a file, and to a heading of it if it names one. */
export function leadsSomewhere(document: string, target: string): boolean {
  const [path = '', anchor] = target.split('#');
  const file = path === '' ? document : join(dirname(document), path);
  if (!existsSync(file)) return false;
  if (anchor === undefined) return true;
  const headings = [...readFileSync(file, 'utf8').matchAll(/^#+ (.+)$/gm)].map(([, text = '']) => anchorOf(text));
  return headings.includes(anchor);
}
