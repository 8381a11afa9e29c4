import { resourceNames, STACK_NAMES } from '#lib/aws/stack-names.ts';
import type { Emulator } from '#test/drill/emulator.ts';
import { CARD } from '#test/drill/journeys/payments.journey.ts';
import type { Shop } from '#test/drill/journeys/settings.journey.ts';
import { linesOf, logGroups } from '#test/drill/logs.ts';
import { listOf, type StageClient } from '#test/drill/stage-client.ts';
import type { Surroundings } from '#test/drill/surroundings.ts';

const EVENTS = [
  'payment.created',
  'payment.succeeded',
  'payment.failed',
  'payment.refunded',
  'payment.canceled',
  'subscription.created',
  'invoice.paid',
];

/** What comes of the requests by itself: events, callbacks, workflow, totals. */
export async function comesByItself(stage: StageClient, around: Surroundings, { test }: Shop): Promise<void> {
  const { receivers, callbacks } = around;
  const received = (type: string) =>
    receivers.deliveries('hooks').some(({ raw_body }) => JSON.parse(raw_body).type === type);
  for (const type of EVENTS) await stage.until(`${type} is delivered`, 30, () => received(type));
  await stage.until('callbacks of the provider get through the function URL', 20, () =>
    callbacks.some(({ status }) => status === 200),
  );
  const forged = '{"id":"evt_x","object":"event","type":"x","data":{"object":{}}}';
  await stage.call([200, 400, 401], 'POST', '/webhooks/stripe', forged, {
    as: 'nobody',
    headers: { 'stripe-signature': 't=1,v1=00' },
  });
  await stage.until('the workflow asks the CRM', 30, () => receivers.deliveries('crm').length > 0);
  await stage.until('the workflow ends well', 40, async () =>
    listOf(await stage.send('GET', '/v1/workflows/executions')).some(({ status }) =>
      /^(succeeded|completed|done)$/.test(status),
    ),
  );
  await stage.until('the totals count the payments', 40, async () =>
    JSON.stringify((await stage.send('GET', '/v1/payments/stats')).json).match(/[1-9]/),
  );
  await stage.call(200, 'GET', `/v1/routing/ab-tests/${test}/results`);
  await stage.call(200, 'POST', `/v1/routing/ab-tests/${test}/complete`);
}

const TOLD = ['delivery_tried', 'payment_settled', 'psp_called', 'request_completed'];

/** What the saved query `request` of the sandbox looks for: lines of all of its logs, by the id that the caller got. */
export async function followsRequest(stage: StageClient, emulator: Emulator): Promise<void> {
  const paid = await stage.call(201, 'POST', '/v1/payments', { amount: 900, currency: 'EUR', payment_method: CARD });
  const id = paid.headers['x-request-id'];
  const { accessLog } = resourceNames(STACK_NAMES.sandbox);
  await stage.until('its X-Request-Id finds it from the access log to the delivery of its events', 40, async () => {
    const groups = (await logGroups(emulator)).filter(
      (name) => name === accessLog || name.startsWith('/ServiceSandbox/'),
    );
    const found = await Promise.all(groups.map((group) => linesOf(emulator, group, `{ $.request_id = "${id}" }`)));
    const lines = found.flat().map((line) => JSON.parse(line));
    const isInAccessLog = lines.some(
      ({ routeKey, status }) => routeKey === 'POST /v1/payments' && `${status}` === '201',
    );
    return isInAccessLog && TOLD.every((message) => lines.some((line) => line.message === message));
  });
}

/** A receiver that fails: its deliveries are tried again by the queue. */
export async function receiverFails(stage: StageClient, { receivers }: Surroundings): Promise<void> {
  const failed = () => receivers.deliveries('hooks').filter(({ status }) => status === 500).length;
  receivers.set('hooks', { status: 500 });
  await stage.call([200, 202], 'POST', '/v1/webhooks/test');
  await stage.until('a delivery fails', 20, () => failed() > 0);
  await stage.until('the queue tries it again', 40, () => failed() > 1);
}

/** An endpoint that has failed for a minute gets a queue of its own. A 410 turns it off. Then replays. */
export async function receiverIsGone(
  stage: StageClient,
  { receivers }: Surroundings,
  slowLane: () => Promise<boolean>,
): Promise<void> {
  await stage.until('an endpoint that goes on failing moves to the queue of slow ones', 150, slowLane);
  receivers.set('hooks', { status: 410 });
  // Tries that failed come again only in minutes.
  await stage.call([200, 202], 'POST', '/v1/webhooks/test');
  await stage.until('an endpoint that is gone is turned off', 120, async () => {
    const { json } = await stage.send('GET', '/v1/webhooks/config');
    return json.enabled === false;
  });
  receivers.set('hooks', { status: 200 });
  await stage.call(200, 'POST', '/v1/webhooks/config', { url: 'https://hooks.shop.example/hook', events: ['*'] });
  await stage.call(200, 'POST', '/v1/webhooks/config/rotate-secret', {});
  const events = await stage.call(200, 'GET', '/v1/webhooks/events');
  const event = listOf(events).find(({ type }) => type === 'payment.succeeded');
  await stage.call([200, 202], 'POST', `/v1/webhooks/events/${event?.id}/replay`);
  const since = new Date(Date.now() - 3_600_000).toISOString();
  await stage.call([200, 202], 'POST', '/v1/webhooks/events/replay', { since });
}
