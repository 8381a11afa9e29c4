import { randomUUID } from 'node:crypto';
import { resourceNames, STACK_NAMES } from '#lib/aws/stack-names.ts';
import type { StandbySettings } from '#lib/aws/standby-settings.ts';
import { synthesize } from '#test/drill/deployment.ts';
import type { Drill } from '#test/drill/drill.prepare.ts';
import { REGION, SECOND_REGION } from '#test/drill/drill.settings.ts';
import type { Regions } from '#test/drill/drill.stages.ts';
import { CARD } from '#test/drill/journeys/payments.journey.ts';
import { StageClient } from '#test/drill/stage-client.ts';

const { live } = STACK_NAMES;
const names = resourceNames(live);
const inSecond = (stack: string): string => `${stack}-${SECOND_REGION}`;

type Parameters = { readonly Parameters: readonly { readonly Name: string; readonly Value: string }[] };
type Keys = Record<keyof StandbySettings['keys'], string>;

/** Live stands by in a second region, and changes over to it, by the steps of docs/recovery.md. */
export async function changeRegions(drill: Drill, stage: StageClient): Promise<void> {
  const { report, cloud } = drill;
  await report.step('cdk bootstrap in the second region', () => cloud.bootstrap(SECOND_REGION));
  const standby = await report.step('the ids of keys and the stream of the replica are read', () => standbyOf(drill));
  if (standby === undefined) return;
  await deploy(drill, 'standing-by', { first: {}, second: { standby } }, [inSecond(names.stateStack), inSecond(live)]);
  const second = await clientOf(drill, SECOND_REGION, stage.key);
  await second.call([429, 500, 502, 503], 'GET', '/health', undefined, { as: 'nobody' });
  const key = randomUUID();
  const order = { amount: 4_200, currency: 'EUR', payment_method: CARD };
  const paid = await stage.call(201, 'POST', '/v1/payments', order, { headers: { 'idempotency-key': key } });
  await stage.until('its event is delivered', 40, () => announced(drill, paid.json.id) === 1);
  await takeOver(drill, standby, stage);
  await goesOn(drill, second, { key, order, payment: paid.json.id });
  await fence(drill, second);
}

type Roles = readonly string[];

/**
 * A region that cannot be deployed to is closed by its roles, which are not the region's own. Tried on the second one,
 * which answers: a role that may do nothing opens no table.
 */
async function fence({ report, cloud }: Drill, second: StageClient): Promise<void> {
  const query = `Roles[?starts_with(RoleName, '${names.role('', SECOND_REGION)}')].RoleName`;
  const roles = ((await cloud.aws('iam', 'list-roles', '--query', query)) ?? []) as Roles;
  const policy = ['--policy-name', 'fence'];
  const denied = JSON.stringify({
    Version: '2012-10-17',
    Statement: [{ Effect: 'Deny', Action: '*', Resource: '*' }],
  });
  await report.step(`${roles.length} roles of a region are fenced off`, async () => {
    for (const role of roles)
      await cloud.aws('iam', 'put-role-policy', '--role-name', role, ...policy, '--policy-document', denied);
  });
  await second.call([500, 502, 503], 'GET', '/v1/payments?limit=1');
  await report.step('the fence is taken away', async () => {
    for (const role of roles) await cloud.aws('iam', 'delete-role-policy', '--role-name', role, ...policy);
  });
  await second.call(200, 'GET', '/v1/payments?limit=1');
}

/** What the line of the second region needs to know of the first one. */
async function standbyOf({ cloud }: Drill): Promise<StandbySettings> {
  const path = names.keyParameter('');
  const { Parameters } = (await cloud.aws('ssm', 'get-parameters-by-path', '--path', path.slice(0, -1))) as Parameters;
  const keys = Object.fromEntries(
    Parameters.map(({ Name, Value }) => [Name.slice(path.length), Value.split('/').at(-1) ?? '']),
  ) as Keys;
  const asked = ['--table-name', names.table, '--region', SECOND_REGION, '--query', 'Table.LatestStreamArn'];
  const streamArn = String(await cloud.aws('dynamodb', 'describe-table', ...asked));
  return { of: REGION, streamArn, keys };
}

async function deploy({ report, cloud }: Drill, name: string, regions: Regions, stacks: readonly string[]) {
  const release = await report.step(`the stacks of both regions are synthesized (${name})`, () =>
    synthesize(name, undefined, regions),
  );
  if (release === undefined) return;
  for (const stack of stacks) await report.step(`cdk deploy ${stack} (${name})`, () => cloud.deploy(release, stack));
}

const announced = ({ around }: Drill, payment: string): number =>
  around.receivers
    .deliveries('hooks')
    .map(({ raw_body }) => JSON.parse(raw_body))
    .filter(({ type, data }) => type === 'payment.succeeded' && data.id === payment).length;

async function clientOf({ cloud, port, report, around }: Drill, region: string, key: string): Promise<StageClient> {
  const { ApiUrl = '', CallbackUrl = '' } = await cloud.outputs(live, region);
  around.lead(CallbackUrl);
  return new StageClient(ApiUrl, port, key, report);
}

/** Close, copy what DynamoDB would replicate, open. */
async function takeOver(drill: Drill, standby: StandbySettings, stage: StageClient): Promise<void> {
  const { report, cloud } = drill;
  const closed = { first: { service: 'closed' }, second: { standby } } as const;
  await deploy(drill, 'closed', closed, [live]);
  await stage.call([429, 500, 502, 503], 'GET', '/health', undefined, { as: 'nobody' });
  const copied = await report.step('the items are copied, in place of replication', () =>
    cloud.script('copy_items.py', names.table, REGION, SECOND_REGION),
  );
  report.fact(`${copied?.trim()} items are in the second region.`);
  const takenOverAt = new Date(Date.now() + 1_000).toISOString();
  const opened = { ...closed, second: { standby, service: 'open', takenOverAt } } as const;
  await deploy(drill, 'taken-over', opened, [inSecond(live)]);
}

type Paid = { readonly key: string; readonly order: object; readonly payment: string };

/** The second region knows what the first one did, and goes on. */
async function goesOn(drill: Drill, second: StageClient, { key, order, payment }: Paid): Promise<void> {
  const { report, around } = drill;
  await second.until('the second region is healthy', 30, async () => {
    const { status } = await second.send('GET', '/health', undefined, { as: 'nobody' });
    return status === 200;
  });
  await second.call(200, 'GET', `/v1/payments/${payment}`);
  const again = await second.call(201, 'POST', '/v1/payments', order, { headers: { 'idempotency-key': key } });
  const fresh = await second.call(201, 'POST', '/v1/payments', order);
  await second.until('the event of a payment of the second region is delivered', 60, () =>
    announced(drill, fresh.json.id),
  );
  await report.step('a repeated key is charged once, and nothing of the first region is announced again', () => {
    const { charges } = around.simulators.calls({ provider: 'stripe' });
    const said = [
      again.json.id === payment,
      charges[payment]?.count,
      charges[fresh.json.id]?.count,
      announced(drill, payment),
    ];
    if (said.join() !== 'true,1,1,1') throw new Error(`Same payment, charges of both, notices: ${said.join()}`);
  });
}
