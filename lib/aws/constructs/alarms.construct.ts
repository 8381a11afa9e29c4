import { Annotations, Aws, Duration } from 'aws-cdk-lib';
import {
  Alarm,
  AnomalyDetectionAlarm,
  ComparisonOperator,
  type IAlarmAction,
  type IMetric,
  TreatMissingData,
} from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import { type EventPattern, Rule } from 'aws-cdk-lib/aws-events';
import { SnsTopic } from 'aws-cdk-lib/aws-events-targets';
import { ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { type ITopic, Subscription, SubscriptionProtocol, Topic } from 'aws-cdk-lib/aws-sns';
import { Construct } from 'constructs';
import { acceptFinding } from '#lib/aws/checks.ts';
import { recordOf } from '#lib/aws/function-table.ts';
import type { PayforkSettings } from '#lib/aws/payfork-settings.ts';

export const ALARM_PERIOD = Duration.minutes(5);

/** `page` wakes somebody: money or customers are waiting. `look` can wait until the next working day. */
export const SEVERITIES = ['page', 'look'] as const;
export type Severity = (typeof SEVERITIES)[number];

type Notice = {
  readonly severity: Severity;
  /** What it means, and what to look at first. */
  readonly description: string;
};

type AlarmBasics = Notice & {
  readonly metric: IMetric;
  /**
   * Alarms when this many of the last periods were bad, so that a short disturbance wakes nobody. Default: one of one.
   */
  readonly lasting?: { readonly bad: number; readonly of: number };
  /** A roll-out that is under way while it rings is taken back. At most ten: CodeDeploy takes no more. */
  readonly rollsBack?: boolean;
};

export type AlarmProps = AlarmBasics & {
  readonly above?: number;
  /** Alarms when the metric is missing, for what must happen all the time. */
  readonly alarmsIfMissing?: boolean;
  /** For percentiles: a period with too few values to tell is not bad. */
  readonly ignoresFewSamples?: boolean;
  /** With `above`: a metric without data is as bad as one above it. */
  readonly missing?: 'breaching';
};

const FIRST_OCCURRENCE = { bad: 1, of: 1 };

const NOT_KEPT =
  'A notice that does not arrive is tried again for an hour and longer. In a queue nobody would read it: the alarm or ' +
  'the job that it is about can be seen in the console.';

/** What synth says of a stage whose alarms notify nobody. */
const noSubscribers = (severity: Severity) =>
  `Nobody is notified of this stage's alarms of the severity ${severity}. Name addresses or topics in the setting ` +
  `alarms: { ${severity}: [ … ] } in lib/aws/deployment.ts, or subscribe to the topic by hand.`;

/** So many standard deviations below what CloudWatch expects by the last two weeks. */
const BAND_WIDTH = 3;

/**
 * Each alarm notifies the topic of its severity, also when it is over. Who is notified is a setting; further people may
 * subscribe to the topics.
 */
export class ServiceAlarms extends Construct {
  readonly topics: Readonly<Record<Severity, Topic>>;
  readonly #others: Readonly<Record<Severity, readonly ITopic[]>>;
  readonly #isSubscribed = new Set<Severity>();
  readonly #rollBack: Alarm[] = [];
  readonly #isOpen: boolean;

  /** `isOpen`: a closed service notifies nobody, as its requests fail and its schedules are silent on purpose. */
  constructor(scope: Construct, id: string, subscribers: PayforkSettings['alarms'] = {}, isOpen = true) {
    super(scope, id);
    this.#isOpen = isOpen;
    this.topics = recordOf(SEVERITIES, (severity) => this.#topic(severity));
    this.#others = recordOf(SEVERITIES, (severity) => this.#subscribe(severity, subscribers[severity] ?? []));
  }

  /** The alarms that take a roll-out back. */
  get rollBack(): readonly Alarm[] {
    return this.#rollBack;
  }

  /**
   * For what can notify a single topic: ours, to which addresses subscribe, unless somebody else's is all that the
   * settings name. Nobody would hear of it on ours.
   */
  onlyTopic(severity: Severity): ITopic {
    const [theirs] = this.#others[severity];
    return theirs && !this.#isSubscribed.has(severity) ? theirs : this.topics[severity];
  }

  watch(
    id: string,
    {
      above = 0,
      alarmsIfMissing: silent = false,
      missing,
      ignoresFewSamples = false,
      lasting = FIRST_OCCURRENCE,
      ...alarm
    }: AlarmProps,
  ): void {
    this.#add(
      alarm,
      new Alarm(this, id, {
        ...basics(alarm, lasting),
        ...this.#muted(),
        ...(ignoresFewSamples && { evaluateLowSampleCountPercentile: 'ignore' }),
        threshold: silent ? 1 : above,
        comparisonOperator: silent ? ComparisonOperator.LESS_THAN_THRESHOLD : ComparisonOperator.GREATER_THAN_THRESHOLD,
        treatMissingData:
          this.#isOpen && (silent || missing) ? TreatMissingData.BREACHING : TreatMissingData.NOT_BREACHING,
      }),
    );
  }

  /** Alarms when the metric is lower than it usually is on this weekday at this hour. */
  watchUsual(id: string, { lasting = FIRST_OCCURRENCE, ...alarm }: AlarmBasics): void {
    this.#add(
      alarm,
      new AnomalyDetectionAlarm(this, id, {
        ...basics(alarm, lasting),
        ...this.#muted(),
        stdDevs: BAND_WIDTH,
        comparisonOperator: ComparisonOperator.LESS_THAN_LOWER_THRESHOLD,
        treatMissingData: TreatMissingData.NOT_BREACHING,
      }),
    );
  }

  /** Notifies of what AWS itself reports, as an event on the account's own bus. That costs nothing. */
  onEvent(id: string, { severity, description, pattern }: Notice & { readonly pattern: EventPattern }): void {
    const targets = [this.topics[severity], ...this.#others[severity]].map((topic) => new SnsTopic(topic));
    const rule = new Rule(this, id, { description, eventPattern: pattern, targets });
    // A topic of somebody else's is in this account and region, or its alarms do not reach it either.
    Annotations.of(rule).acknowledgeWarning('@aws-cdk/aws-events:ruleUnresolvedEnvironment');
    acceptFinding(rule, 'Serverless-EventBusDLQ', NOT_KEPT);
  }

  #muted(): { readonly actionsEnabled?: false } {
    return this.#isOpen ? {} : { actionsEnabled: false };
  }

  #add({ severity, rollsBack = false }: AlarmBasics, alarm: Alarm): void {
    const actions: readonly IAlarmAction[] = [this.topics[severity], ...this.#others[severity]].map(
      (topic) => new SnsAction(topic),
    );
    alarm.addAlarmAction(...actions);
    alarm.addOkAction(...actions);
    if (rollsBack) this.#rollBack.push(alarm);
  }

  #topic(severity: Severity): Topic {
    const topic = new Topic(this, severity, { enforceSSL: true });
    acceptFinding(
      topic,
      'PCI.DSS.321-SNSEncryptedKMS',
      'Its messages are names and numbers of alarms. A key of its own would cost more than all alarms of a small stage.',
    );
    // A topic policy replaces the default one, which lets every principal of the account publish.
    topic.grantPublish(
      new ServicePrincipal('cloudwatch.amazonaws.com', {
        conditions: { StringEquals: { 'aws:SourceAccount': Aws.ACCOUNT_ID } },
      }),
    );
    return topic;
  }

  /** Addresses subscribe to our topic. A topic of somebody else's is notified directly: its policy must allow that. */
  #subscribe(severity: Severity, subscribers: readonly string[]): readonly ITopic[] {
    const isTopic = (subscriber: string) => subscriber.startsWith('arn:');
    if (subscribers.length === 0)
      Annotations.of(this).addWarningV2(`payfork:no-subscribers-${severity}`, noSubscribers(severity));
    subscribers
      .filter((subscriber) => !isTopic(subscriber))
      .forEach((endpoint, n) => {
        const protocol = endpoint.startsWith('https:') ? SubscriptionProtocol.HTTPS : SubscriptionProtocol.EMAIL;
        const topic = this.topics[severity];
        const subscription = new Subscription(this, `${severity}-subscriber-${n}`, { topic, protocol, endpoint });
        acceptFinding(subscription, 'Serverless-SNSRedrivePolicy', NOT_KEPT);
        this.#isSubscribed.add(severity);
      });
    return subscribers.filter(isTopic).map((arn, n) => Topic.fromTopicArn(this, `${severity}-topic-${n}`, arn));
  }
}

const basics = (
  { metric, description }: Pick<AlarmBasics, 'metric' | 'description'>,
  lasting: NonNullable<AlarmBasics['lasting']>,
) => ({
  metric,
  alarmDescription: description,
  evaluationPeriods: lasting.of,
  datapointsToAlarm: lasting.bad,
});
