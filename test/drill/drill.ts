import { ringAlarms } from '#test/drill/alarms.ts';
import { assertAllDriven, assertKeysRefuse, assertNothingDenied, hasRun } from '#test/drill/coverage.ts';
import { followDocuments } from '#test/drill/documents.ts';
import { type Drill, prepare } from '#test/drill/drill.prepare.ts';
import {
  bootstrapProbe,
  deployStage,
  destroyStack,
  destroyStage,
  openStage,
  stacksOf,
  startProbe,
} from '#test/drill/drilled-stage.ts';
import {
  comesByItself,
  followsRequest,
  receiverFails,
  receiverIsGone,
} from '#test/drill/journeys/background.journey.ts';
import { bill, chargedBySweep } from '#test/drill/journeys/billing.journey.ts';
import { answerDisputes, automate, CARD, keepMethods, pay, payByLink } from '#test/drill/journeys/payments.journey.ts';
import { people } from '#test/drill/journeys/people.journey.ts';
import { setUp } from '#test/drill/journeys/settings.journey.ts';
import { deployWhilePaying } from '#test/drill/rollover.ts';
import { changeRegions } from '#test/drill/second-region.ts';
import type { StageClient } from '#test/drill/stage-client.ts';

/** Every group of routes, and what comes of it by itself. */
async function drive(drill: Drill, stage: StageClient): Promise<void> {
  const { emulator, around } = drill;
  const shop = await setUp(stage, around);
  await automate(stage);
  await pay(stage, shop);
  await payByLink(stage);
  await answerDisputes(stage, around);
  await keepMethods(stage);
  await startProbe(drill);
  const later = await bill(stage);
  await people(stage, emulator);
  await comesByItself(stage, around, shop);
  await followsRequest(stage, emulator);
  await receiverFails(stage, around);
  await chargedBySweep(stage, later);
}

async function pays(stage: StageClient): Promise<string> {
  const made = await stage.call(201, 'POST', '/v1/payments', { amount: 500, currency: 'EUR', payment_method: CARD });
  await stage.until('the payment has succeeded', 10, () => made.json.status === 'succeeded');
  return made.json.id;
}

/** Destroys a stage, compares with what was there before, deploys it again and pays. */
async function destroyAndDeployAgain(drill: Drill, before: ReadonlySet<string>): Promise<void> {
  const { report, cloud, around } = drill;
  await destroyStage(drill, 'sandbox');
  await report.step('the sandbox leaves nothing', async () => {
    const left = [...(await cloud.inventory())].filter((each) => !before.has(each));
    if (left.length > 0) throw new Error(left.join(', '));
  });
  await deployStage(drill, 'sandbox');
  const stage = await openStage(drill, 'sandbox');
  await setUp(stage, around);
  await pays(stage);
}

/** Live keeps its data when the service is destroyed: the next deployment goes on with it. */
async function liveLivesOn(drill: Drill): Promise<StageClient> {
  const { report, around } = drill;
  await deployStage(drill, 'live');
  const stage = await openStage(drill, 'live');
  await setUp(stage, around);
  const payment = await pays(stage);
  const [, service] = stacksOf('live');
  await destroyStack(drill, 'live', service);
  await report.step(`cdk deploy ${service} again`, () => drill.cloud.deploy(drill.first, service));
  const again = await openStage(drill, 'live', stage.key);
  await again.call(200, 'GET', `/v1/payments/${payment}`);
  await pays(again);
  return again;
}

const drill = await prepare();
const { report, cloud, emulator } = drill;
let failed = 1;
// The emulator is a process group of its own, which a signal from the terminal does not reach.
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => void drill.close().finally(() => process.exit(1)));
try {
  await report.phase('An account', async () => {
    await report.step('cdk bootstrap', () => cloud.bootstrap());
    await cloud.aws('sesv2', 'create-email-identity', '--email-identity', 'shop.example');
  });
  const before = await cloud.inventory();
  await report.phase('First deployment of the sandbox', () => deployStage(drill, 'sandbox'));
  const stage = await openStage(drill, 'sandbox');
  await bootstrapProbe(drill, 'sandbox');
  await report.phase('Every group of routes, every queue and schedule', () => drive(drill, stage));
  await report.phase('Every alarm', () => ringAlarms(drill, stage));
  await report.phase('An endpoint that stays broken', () =>
    receiverIsGone(stage, drill.around, () => hasRun(emulator, 'slow-deliveries')),
  );
  await report.phase('The next release, while payments run', () => deployWhilePaying(drill, stage));
  await report.phase('Everything was driven', async () => {
    await assertAllDriven(drill);
    await assertKeysRefuse(drill);
    await assertNothingDenied(drill);
  });
  await report.phase('Destroy, and deploy again', () => destroyAndDeployAgain(drill, before));
  const live = await report.phase('Live, whose data outlive the service', () => liveLivesOn(drill));
  const sandbox = await openStage(drill, 'sandbox');
  await report.phase('docs/aws.md, block by block', () => followDocuments(drill, { sandbox, live }));
  await report.phase('A second region, and the change to it', () => changeRegions(drill, live));
  await report.phase('The end', () => assertNothingDenied(drill));
} finally {
  await drill.close();
  failed = report.end();
}
process.stdout.write(`The emulator's log: ${emulator.log}\n`);
process.exitCode = failed === 0 ? 0 : 1;
