import { writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { AssetHashType, DockerImage } from 'aws-cdk-lib';
import { Code } from 'aws-cdk-lib/aws-lambda';
import { buildSync } from 'esbuild';
import { bundledFunctions, bundlingOf } from '#lib/aws/bundling.ts';
import type { FunctionName } from '#lib/aws/function-table.ts';

let bundles: ReadonlyMap<string, Uint8Array> | undefined;

/**
 * A function's entry point and all that it needs, bundled in this process, and not at all where CDK asks for no code.
 * CDK knows bundling as something a container does: the image stands there for form's sake and is never fetched; the
 * command tells one function's bundle from the next.
 */
export function bundledCode(name: FunctionName): Code {
  const tryBundle = (folder: string): boolean => {
    bundles ??= bundleAll();
    const code = bundles.get(name);
    if (code) writeFileSync(join(folder, 'index.mjs'), code);
    return code !== undefined;
  };
  return Code.fromAsset(import.meta.dirname, {
    assetHashType: AssetHashType.OUTPUT,
    bundling: { image: DockerImage.fromRegistry('none'), command: [name], local: { tryBundle } },
  });
}

/** All at once: nearly everything is in each of them, and is read but once. */
function bundleAll(): ReadonlyMap<string, Uint8Array> {
  const entryPoints = Object.fromEntries(
    bundledFunctions().map((name) => [name, `functions/${name}/${name}.lambda.ts`]),
  );
  const { outputFiles } = buildSync({
    ...bundlingOf('', ''),
    entryPoints,
    outfile: undefined,
    outdir: '/',
    write: false,
  });
  return new Map(outputFiles.map(({ path, contents }) => [basename(path, '.js'), contents]));
}
