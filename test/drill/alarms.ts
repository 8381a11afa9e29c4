import { resourceNames, STACK_NAMES } from '#lib/aws/stack-names.ts';
import type { Drill } from '#test/drill/drill.prepare.ts';
import { ACCOUNT, REGION } from '#test/drill/drill.settings.ts';
import { CARD } from '#test/drill/journeys/payments.journey.ts';
import type { StageClient } from '#test/drill/stage-client.ts';

type Alarm = { readonly AlarmName: string; readonly StateValue: string; readonly AlarmActions: readonly string[] };
type Alarms = { readonly MetricAlarms: readonly Alarm[] };
type Received = { readonly Messages?: readonly { readonly Body: string }[] };
type Notice = { readonly alarm: string; readonly topic: string };

/** Failures of one function that its alarm takes for repeated, and callbacks without a valid signature. */
const FAILURES = 4;
const FORGED = 40;
/** Metrics and alarms of the emulator are looked at every three seconds. */
const RINGS_WITHIN_S = 40;

/**
 * Rings every alarm of the sandbox. Those of what the drill can cause ring by themselves: log line, metric, alarm, topic.
 * The others are set, so that at least the way to their topic is tried.
 */
export async function ringAlarms(drill: Drill, stage: StageClient): Promise<void> {
  const { report } = drill;
  const queue = await report.step('somebody subscribes to the topics', () => subscribe(drill));
  if (queue === undefined) return;
  const early = (await alarmsOf(drill)).filter(({ StateValue }) => StateValue === 'ALARM');
  await report.step('things go wrong on purpose', () => cause(drill, stage));
  const expected = /deadletters|timersfailing|paymentsinreview/i;
  await stage.until('alarms ring by what happened', RINGS_WITHIN_S, async () => {
    const ringing = (await alarmsOf(drill)).filter(({ StateValue }) => StateValue === 'ALARM');
    return ringing.filter(({ AlarmName }) => expected.test(AlarmName)).length >= 6;
  });
  const all = await alarmsOf(drill);
  const silent = all.filter(({ StateValue }) => StateValue !== 'ALARM');
  const names = (alarms: readonly Alarm[]) => alarms.map(({ AlarmName }) => short(AlarmName)).join(', ');
  report.fact(`Rang by what happened: ${names(all.filter((each) => !silent.includes(each)))}.`);
  report.fact(`Rang by their state alone: ${names(silent)}.`);
  await report.step('the other alarms are set', async () => {
    // What rang before anybody subscribed has to ring again.
    await setAll(drill, early, 'OK');
    await setAll(drill, [...early, ...silent], 'ALARM');
  });
  const notices: Notice[] = [];
  const reached = ({ AlarmName, AlarmActions }: Alarm) =>
    notices.some(({ alarm, topic }) => alarm === AlarmName && AlarmActions.includes(topic));
  await stage.until('each alarm notifies the topic that it names', RINGS_WITHIN_S, async () => {
    notices.push(...(await receive(drill, queue)));
    return all.every(reached);
  });
  const unheard = all.filter((alarm) => !reached(alarm));
  await drill.emulator.call('sqs', 'AmazonSQS.DeleteQueue', { QueueUrl: queue });
  if (unheard.length > 0) report.fact(`Nobody heard of: ${names(unheard)}.`);
}

const short = (name: string): string => /-Alarms?(.+?)[0-9A-F]{8}-/.exec(name)?.[1] ?? name;

const CLOUDWATCH = 'GraniteServiceVersion20100801';

async function alarmsOf({ emulator }: Drill): Promise<readonly Alarm[]> {
  const { MetricAlarms } = (await emulator.call('monitoring', `${CLOUDWATCH}.DescribeAlarms`)) as Alarms;
  return MetricAlarms.filter(({ AlarmName }) => AlarmName.startsWith(STACK_NAMES.sandbox));
}

/** A queue that takes what both topics publish. */
async function subscribe({ cloud, emulator }: Drill): Promise<string> {
  const { PageTopicArn = '', LookTopicArn = '' } = await cloud.outputs(STACK_NAMES.sandbox);
  const topics = [PageTopicArn, LookTopicArn];
  const QueueName = 'on-duty';
  const arn = `arn:aws:sqs:${REGION}:${ACCOUNT}:${QueueName}`;
  const mayPublish = {
    Effect: 'Allow',
    Principal: { Service: 'sns.amazonaws.com' },
    Action: 'sqs:SendMessage',
    Resource: arn,
    Condition: { ArnEquals: { 'aws:SourceArn': topics } },
  };
  const Attributes = { Policy: JSON.stringify({ Version: '2012-10-17', Statement: [mayPublish] }) };
  const { QueueUrl } = await emulator.call('sqs', 'AmazonSQS.CreateQueue', { QueueName, Attributes });
  for (const topic of topics)
    await cloud.aws('sns', 'subscribe', '--topic-arn', topic, '--protocol', 'sqs', '--notification-endpoint', arn);
  return String(QueueUrl);
}

async function cause({ around, emulator }: Drill, stage: StageClient): Promise<void> {
  const names = resourceNames(STACK_NAMES.sandbox);
  const { QueueUrls } = (await emulator.call('sqs', 'AmazonSQS.ListQueues')) as {
    readonly QueueUrls: readonly string[];
  };
  for (const QueueUrl of QueueUrls.filter((url) => url.includes(STACK_NAMES.sandbox) && url.endsWith('dead-letters')))
    await emulator.call('sqs', 'AmazonSQS.SendMessage', { QueueUrl, MessageBody: '{"drill":true}' });
  for (let n = 0; n < FAILURES; n += 1) await invoke(emulator.url, names.function('timers'), { schedule: 'no such' });
  around.simulators.setScenario({ provider: 'stripe', behaviour: 'wrong_amount' });
  await stage.send('POST', '/v1/payments', { amount: 3_300, currency: 'EUR', payment_method: CARD });
  const headers = { 'stripe-signature': 't=1,v1=00' };
  for (let n = 0; n < FORGED; n += 1) await stage.send('POST', '/webhooks/stripe', '{}', { as: 'nobody', headers });
}

/** As the schedule does it. The answer does not matter. */
async function invoke(emulator: string, name: string, event: object): Promise<void> {
  const authorization = 'AWS4-HMAC-SHA256 Credential=test/20260101/eu-central-1/lambda/aws4_request, Signature=none';
  const url = `${emulator}/2015-03-31/functions/${name}:current/invocations`;
  await fetch(url, { method: 'POST', headers: { authorization }, body: JSON.stringify(event) });
}

async function setAll({ emulator }: Drill, alarms: readonly Alarm[], StateValue: 'ALARM' | 'OK'): Promise<void> {
  for (const { AlarmName } of alarms) {
    const state = { AlarmName, StateValue, StateReason: 'Drill' };
    await emulator.call('monitoring', `${CLOUDWATCH}.SetAlarmState`, state);
  }
}

async function receive({ emulator }: Drill, QueueUrl: string): Promise<readonly Notice[]> {
  const asked = { QueueUrl, MaxNumberOfMessages: 10, VisibilityTimeout: 600 };
  const { Messages = [] } = (await emulator.call('sqs', 'AmazonSQS.ReceiveMessage', asked)) as Received;
  return Messages.map(({ Body }) => {
    const { TopicArn, Message } = JSON.parse(Body);
    return { alarm: parsed(Message).AlarmName ?? '', topic: TopicArn };
  });
}

/** Topics carry other notices too, which are no JSON. */
function parsed(text: string): { readonly AlarmName?: string } {
  try {
    return JSON.parse(text);
  } catch {
    return {};
  }
}
