import { writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { AssetHashType, DockerImage } from 'aws-cdk-lib';
import { Code } from 'aws-cdk-lib/aws-lambda';
import { buildSync } from 'esbuild';
import { bundledFunctions, bundlingOf } from '#lib/aws/bundling.ts';
import type { FunctionName } from '#lib/aws/function-table.ts';

let bundles: ReadonlyMap<string, Uint8Array> | undefined;

/**
 * A function's entry point with everything it imports, bundled in this process. Nothing is bundled where CDK asks for
 * no code. CDK expects bundling to run in a container, so an image is named that is never fetched. The command
 * distinguishes the functions' bundles.
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

/** Bundles all functions in one run: they share nearly all of their sources, which are then read once. */
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
