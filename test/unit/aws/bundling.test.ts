import { build, type Metafile } from 'esbuild';
import { beforeAll, describe, expect, it } from 'vitest';
import { ROUTES } from '#functions/route-table.ts';
import { bundledFunctions, bundlingOf } from '#lib/aws/bundling.ts';
import { FUNCTIONS, type FunctionName } from '#lib/aws/function-table.ts';
import { QUEUES } from '#shared/ports/queue.port.ts';

const NAMES = bundledFunctions();

it('there is a function for every group of routes, every queue and the stream', () => {
  expect(NAMES).toEqual([...Object.keys(ROUTES), ...QUEUES, 'relay', 'projector'].sort());
});

describe.each(NAMES)('the bundle of %s', (name) => {
  const bundle = () => bundles.get(name)!;

  it('has a handler, and needs only Node', () => {
    const { exports, imports } = bundle();
    expect(exports).toEqual(['handler']);
    expect(imports.filter(({ kind, path }) => kind !== 'dynamic-import' && !path.startsWith('node:'))).toEqual([]);
    const late = imports.map(({ path }) => path).filter((path) => !path.startsWith('node:'));
    expect(late.filter((path) => !/^@(aws-sdk|smithy)\/credential-provider-/.test(path))).toEqual([]);
  });

  it('has a mail client only if its table entry allows mail', () => {
    const sends = Object.keys(bundle().inputs).some((file) => file.includes('client-sesv2'));
    expect(sends).toBe(FUNCTIONS[name as FunctionName].mails ?? false);
  });

  it('contains nothing of the local host', () => {
    expect(
      Object.keys(bundle().inputs).filter((file) => /^lib\/|^shared\/local\/|sqlite|simulator/.test(file)),
    ).toEqual([]);
  });
});

/** All of them at once, because otherwise each would parse the same packages again. */
let bundles: ReadonlyMap<string, Metafile['outputs'][string]>;
beforeAll(async () => {
  const { entryPoints: _, outfile: __, ...usual } = bundlingOf('', '');
  const entryPoints = NAMES.map((name) => ({ in: bundlingOf(name, '').entryPoints[0] ?? '', out: name }));
  const { metafile } = await build({ ...usual, entryPoints, outdir: 'out', write: false, metafile: true });
  bundles = new Map(NAMES.map((name) => [name, metafile.outputs[`out/${name}.js`]!]));
});
