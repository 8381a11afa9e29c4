import { packedDashboard } from '#shared/adapters/dashboard/packed-dashboard.adapter.ts';
import { packedReference } from '#shared/adapters/reference/packed-reference.adapter.ts';
import * as awsParts from '#shared/container/aws-parts.ts';
import * as pspParts from '#shared/container/aws-psp-parts.ts';
import { kmsContainer } from '#shared/container/kms.container.ts';
import * as storeParts from '#shared/container/store-parts.ts';
import { awsEnv } from '#shared/env.ts';
import type { Deps } from '#shared/ports/deps.ts';
import type { LogPort } from '#shared/ports/log.port.ts';

const SILENT: LogPort = { info: () => undefined, warn: () => undefined, error: () => undefined };

/** All dependencies over AWS, as no single function has them. Mail cannot be sent, and neither dashboard nor reference was built. */
export const awsDeps = (): Promise<Deps> =>
  kmsContainer({
    ...storeParts,
    ...awsParts,
    ...pspParts,
    mail: awsParts.noMail,
    dashboardFiles: () => packedDashboard('none'),
    referenceFiles: () => packedReference('none', {}),
  })(awsEnv(), SILENT)();
