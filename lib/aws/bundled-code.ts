import { AssetHashType, DockerImage } from 'aws-cdk-lib';
import { Code } from 'aws-cdk-lib/aws-lambda';
import { buildSync } from 'esbuild';
import { bundlingOf } from '#lib/aws/bundling.ts';
import type { FunctionName } from '#lib/aws/function-table.ts';
import { packDashboard } from '#lib/dashboard/pack-dashboard.ts';
import { packReference } from '#lib/reference/pack-reference.ts';

/**
 * A function's entry point with everything it imports, bundled in this process. Nothing is bundled where CDK asks for
 * no code. CDK expects bundling to run in a container, so an image is named that is never fetched. The command
 * distinguishes the functions' bundles.
 */
export function bundledCode(name: FunctionName): Code {
  const tryBundle = (folder: string): boolean => {
    buildSync(bundlingOf(name, folder));
    if (name === 'dashboard') packDashboard(folder);
    if (name === 'reference') packReference(folder);
    return true;
  };
  return Code.fromAsset(import.meta.dirname, {
    assetHashType: AssetHashType.OUTPUT,
    bundling: { image: DockerImage.fromRegistry('none'), command: [name], local: { tryBundle } },
  });
}
