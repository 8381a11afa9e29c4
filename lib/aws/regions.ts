import { isOpen, type PayforkSettings } from '#lib/aws/payfork-settings.ts';
import { resourceNames } from '#lib/aws/stack-names.ts';

/** Throws if two lines of a deployment have one name and are not one stage in two regions, of which one is open. */
export function assertOwnNames(deployment: readonly PayforkSettings[]): void {
  const firsts = deployment.filter(({ standby }) => !standby);
  // CDK would say it of a construct, and not which line of the deployment is meant.
  const names = firsts.flatMap(({ name }) => [name, resourceNames(name).stateStack]);
  const twice = names.find((name, n) => names.indexOf(name) < n);
  if (twice) throw new Error(`Two stacks are called ${twice}. Give each stage of the deployment a name of its own.`);
  for (const second of deployment.filter(({ standby }) => standby)) assertFits(second, deployment);
}

function assertFits(second: PayforkSettings, deployment: readonly PayforkSettings[]): void {
  const { name, standby, env } = second;
  const same = deployment.filter((line) => line !== second && line.name === name);
  const first = same.find((line) => !line.standby && line.env?.region === standby?.of);
  const faults =
    first === undefined
      ? [`no line deploys ${name} in ${standby?.of}, of which it is the standby`]
      : [
          ...(same.length > 1 ? ['it has more than two lines'] : []),
          ...differences(first, second),
          ...(first.tableOptions?.replicas?.some(({ region }) => region === env?.region)
            ? []
            : [`the line of ${standby?.of} lacks tableOptions.replicas for ${env?.region}`]),
          ...(isOpen(first) && isOpen(second) ? [BOTH_OPEN] : takeOverFaults(first, second)),
        ];
  if (faults.length > 0) throw new Error(`${name} in ${env?.region} cannot be deployed: ${faults.join('; ')}.`);
}

const BOTH_OPEN =
  "both regions are open, and would charge twice what comes to both. Give one of them service: 'closed' and deploy " +
  'that one first';

/** The consumers of the region that opens would relay and count once more what the other one did in the last day. */
function takeOverFaults(first: PayforkSettings, second: PayforkSettings): readonly string[] {
  const [open, other] = isOpen(second) ? [second, first] : [first, second];
  const wasChanged = open === second || other.takenOverAt !== undefined;
  if (!isOpen(open) || !wasChanged) return [];
  const { takenOverAt, env } = open;
  if (takenOverAt === undefined) return [`the line of ${env?.region} is open and lacks takenOverAt`];
  return other.takenOverAt !== undefined && Date.parse(takenOverAt) <= Date.parse(other.takenOverAt)
    ? [`takenOverAt of ${env?.region}, which is open, must be later than that of ${other.env?.region}`]
    : [];
}

/**
 * The line whose service must be deployed before this one's: of a stage that changes regions, the one that is closed.
 * Else a deployment of all stacks could open one region before the other is closed.
 */
export function closedBefore(
  line: PayforkSettings,
  deployment: readonly PayforkSettings[],
): PayforkSettings | undefined {
  const other = deployment.find((each) => each !== line && each.name === line.name);
  return other && isOpen(line) && line.takenOverAt !== undefined && !isOpen(other) ? other : undefined;
}

/** Both work on the same records, under the same hashes. */
function differences(first: PayforkSettings, second: PayforkSettings): readonly string[] {
  const said = {
    stage: [first.stage, second.stage],
    'env.account': [first.env?.account, second.env?.account],
    hashVersions: [first.hashVersions, second.hashVersions].map((versions) => JSON.stringify(versions)),
  };
  return Object.entries(said).flatMap(([setting, [one, other]]) =>
    one === other ? [] : [`${setting} must be the same in both regions`],
  );
}
