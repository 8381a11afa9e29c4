import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { ALIAS_NAME, resourceNames, STACK_NAMES } from '#lib/aws/stack-names.ts';
import type { Drill } from '#test/drill/drill.prepare.ts';
import { stacksOf } from '#test/drill/drilled-stage.ts';
import { CARD } from '#test/drill/journeys/payments.journey.ts';
import type { StageClient } from '#test/drill/stage-client.ts';

/** Shops that pay side by side. */
const SHOPS = 3;
/** A caller repeats an unclear payment with its key, as our documents tell him to. */
const MAX_TRIES = 30;
/** Between two payments of a shop: together they stay below the limits of a key. */
const PAUSE_MS = 400;
/** Payments go on this long after the deployment. */
const AFTER_MS = 3_000;

type Paid = { readonly id: string; readonly amount: number; readonly tries: number; readonly answer?: string };

/** Deploys the next release while payments run, and counts what became of each. */
export async function deployWhilePaying(drill: Drill, stage: StageClient): Promise<void> {
  const { report, cloud, around, next } = drill;
  const release = await report.step('the next release is synthesized', next);
  if (release === undefined) return;
  const versionOf = async () => {
    const asked = ['--function-name', resourceNames(STACK_NAMES.sandbox).function('payments'), '--name', ALIAS_NAME];
    return cloud.aws('lambda', 'get-alias', ...asked, '--query', 'FunctionVersion');
  };
  const before = await versionOf();
  let deploying = true;
  const paying = Promise.all(Array.from({ length: SHOPS }, () => payUntil(stage, () => !deploying)));
  for (const stack of stacksOf('sandbox'))
    await report.step(`cdk deploy ${stack} (${release.name} release), while payments run`, () =>
      cloud.deploy(release, stack),
    );
  await sleep(AFTER_MS);
  await stage.until('the alias leads to the next release', 10, async () => (await versionOf()) !== before);
  deploying = false;
  const paid = (await paying).flat();
  const again = paid.filter(({ tries }) => tries > 1).length;
  report.fact(`${paid.length} payments during the deployment, ${again} of them needed a repeat.`);
  await report.step('no payment is lost, and none is charged twice', () => assertCharged(drill, paid));
  await stage.until('each of these payments is announced', 90, () => {
    const announced = new Set(around.receivers.deliveries('hooks').map(({ raw_body }) => succeeded(raw_body)));
    return paid.every(({ id }) => announced.has(id));
  });
}

async function payUntil(stage: StageClient, isOver: () => boolean): Promise<readonly Paid[]> {
  const paid: Paid[] = [];
  while (!isOver()) {
    paid.push(await payOnce(stage));
    await sleep(PAUSE_MS);
  }
  return paid;
}

async function payOnce(stage: StageClient): Promise<Paid> {
  const amount = 1_000 + Math.trunc(performance.now() % 1_000);
  const headers = { 'idempotency-key': randomUUID() };
  let last = '';
  for (let tries = 1; tries <= MAX_TRIES; tries += 1) {
    const answer = await stage
      .send('POST', '/v1/payments', { amount, currency: 'EUR', payment_method: CARD }, { headers })
      .catch((error: unknown) => ({ status: 0, text: String(error), json: {} }));
    if (answer.status === 201) return { id: answer.json.id, amount, tries };
    last = `${answer.status} ${answer.text.slice(0, 300)}`;
    await sleep(1_000 * (answer.json.retry_after ?? 0.2));
  }
  return { id: 'none', amount, tries: MAX_TRIES, answer: last };
}

/** Compares what the callers were told with the money that the provider took. */
function assertCharged({ around }: Drill, paid: readonly Paid[]): void {
  const { charges } = around.simulators.calls({ provider: 'stripe' });
  for (const { id, amount, answer } of paid) {
    if (answer !== undefined) throw new Error(`A payment did not get through in ${MAX_TRIES} tries: ${answer}`);
    const charge = charges[id];
    if (charge?.count !== 1 || charge.amount !== amount)
      throw new Error(`${id} over ${amount} is charged ${charge?.count ?? 0} times, ${charge?.amount ?? 0}.`);
  }
  const twice = Object.entries(charges).filter(([, { count }]) => count > 1);
  if (twice.length > 0) throw new Error(`Charged twice: ${twice.map(([id]) => id).join(', ')}.`);
}

function succeeded(body: string): string | undefined {
  const { type, data } = JSON.parse(body);
  return type === 'payment.succeeded' ? data.id : undefined;
}
