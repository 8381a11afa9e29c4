/**
 * What AWS charges, in USD at us-east-1 before any free tier: every price that a sum uses, and where it is from. None
 * could be read at AWS itself, whose pages load their figures by script, unless the source says so. A price that
 * changes is a line here; `npm run bench:cost` makes the document anew.
 */
export type Price = {
  /** What is bought, as a document says it. */
  readonly of: string;
  readonly usd: number;
  /** How many of the unit this price is for. */
  readonly per: number;
  readonly source: string;
  readonly seen: string;
};

const MILLION = 1_000_000;

export const PRICES = {
  wru: {
    of: 'a million write units, on demand',
    usd: 0.625,
    per: MILLION,
    source: 'airbyte.com/data-engineering-resources/dynamodb-pricing',
    seen: '2025-07',
  },
  rru: {
    of: 'a million read units, on demand',
    usd: 0.125,
    per: MILLION,
    source: 'airbyte.com/data-engineering-resources/dynamodb-pricing',
    seen: '2025-07',
  },
  wcuHour: {
    of: 'a write unit a second for an hour, provisioned',
    usd: 0.00065,
    per: 1,
    source: 'wring.co/blog/aws-dynamodb-pricing-guide',
    seen: '2026',
  },
  rcuHour: {
    of: 'a read unit a second for an hour, provisioned',
    usd: 0.00013,
    per: 1,
    source: 'wring.co/blog/aws-dynamodb-pricing-guide',
    seen: '2026',
  },
  tableGb: {
    of: 'a GB of table for a month',
    usd: 0.25,
    per: 1,
    source: 'wring.co/blog/aws-dynamodb-pricing-guide',
    seen: '2026',
  },
  backupGb: { of: 'a GB of continuous backup for a month', usd: 0.2, per: 1, source: 'not looked up', seen: '–' },
  gbSecond: {
    of: 'a GB-second of Lambda on arm64',
    usd: 0.0000133334,
    per: 1,
    source: 'cloudchipr.com/blog/aws-lambda-pricing',
    seen: '2024',
  },
  invocation: {
    of: 'a million invocations',
    usd: 0.2,
    per: MILLION,
    source: 'cloudchipr.com/blog/aws-lambda-pricing',
    seen: '2024',
  },
  httpRequest: {
    of: 'a million requests of an HTTP API; a function URL is free',
    usd: 1,
    per: MILLION,
    source: 'go-cloud.io/aws-api-gateway-pricing',
    seen: '2026',
  },
  busEvent: {
    of: 'a million events on a bus of ours',
    usd: 1,
    per: MILLION,
    source: 'cloudburn.io/blog/amazon-eventbridge-pricing',
    seen: '2026-03',
  },
  schedule: {
    of: 'a million calls of the Scheduler',
    usd: 1,
    per: MILLION,
    source: 'cloudburn.io/blog/amazon-eventbridge-pricing',
    seen: '2026-03',
  },
  queueRequest: {
    of: 'a million requests of a queue with message groups (0.40, and 0.10 for fair queues)',
    usd: 0.5,
    per: MILLION,
    source: 'cloudburn.io/blog/amazon-sqs-pricing',
    seen: '2026-03',
  },
  plainQueueRequest: {
    of: 'a million requests that find a queue empty',
    usd: 0.4,
    per: MILLION,
    source: 'cloudburn.io/blog/amazon-sqs-pricing',
    seen: '2026-03',
  },
  logGb: { of: 'a GB of logs', usd: 0.5, per: 1, source: 'factualminds.com, CloudWatch pricing', seen: '2026-06' },
  alarm: {
    of: 'a metric of an alarm for a month',
    usd: 0.1,
    per: 1,
    source: 'cloudburn.io/blog/amazon-cloudwatch-pricing',
    seen: '2026-02',
  },
  metric: {
    of: 'a metric of our own for a month',
    usd: 0.3,
    per: 1,
    source: 'signoz.io/guides/cloudwatch-pricing',
    seen: '2026-02',
  },
  dashboard: {
    of: 'a dashboard for a month; three with up to 50 metrics each are free',
    usd: 3,
    per: 1,
    source: 'aws.amazon.com/cloudwatch/pricing (the free ones), factualminds.com',
    seen: '2026-06',
  },
  key: { of: 'a KMS key for a month', usd: 1, per: 1, source: 'aws.amazon.com/kms/pricing', seen: '2026' },
  keyCall: {
    of: '10,000 calls of KMS',
    usd: 0.03,
    per: 10_000,
    source: 'wring.co/blog/aws-kms-pricing-guide',
    seen: '2026',
  },
  outGb: {
    of: 'a GB to the Internet',
    usd: 0.09,
    per: 1,
    source: 'amnic.com/blogs/aws-api-gateway-pricing',
    seen: '2026',
  },
} as const satisfies Readonly<Record<string, Price>>;

export type PriceName = keyof typeof PRICES;

export const usd = (name: PriceName, amount: number): number => (PRICES[name].usd * amount) / PRICES[name].per;

/**
 * Discounts for a commitment of a year: of provisioned capacity of the table (docs.archera.ai, 2026-03), and of
 * Lambda's GB-seconds by a savings plan (cloudchipr.com, 2024).
 */
export const COMMITTED = { table: 0.54, lambda: 0.17 };
/** How much of provisioned capacity is used on average: traffic is not even, and what is not used is paid too. */
export const USED_SHARE = 0.6;
