import * as z from 'zod';
import type { KeyName } from '#lib/aws/constructs/keys.construct.ts';
import { resourceNames } from '#lib/aws/stack-names.ts';

export const REGION = /^[a-z]{2}(-[a-z]+)+-\d$/;
export const STREAM = /^arn:aws[\w-]*:dynamodb:([a-z0-9-]+):\d{12}:table\/([\w.-]+)\/stream\/.+$/;

const keyId = z
  .string('must be the id of a key: mrk-….')
  .regex(/^mrk-[0-9a-f]{32}$/, 'must be the id of a multi-Region key: mrk- and 32 characters.');

/** The second region of a stage, which has a replica of the first one's table and of its keys (ADR 61). */
export const Standby = z.strictObject({
  /** The region whose line of the deployment has the table and the keys that this one replicates. */
  of: z.string('must be a region, such as eu-central-1.').regex(REGION, 'must be a region, such as eu-central-1.'),
  /** The stream of the replica in this region. */
  streamArn: z
    .string('must be the ARN of a stream.')
    .regex(STREAM, 'must be the ARN of a stream: arn:aws:dynamodb:…:table/…/stream/….'),
  /** The ids of the first region's keys, which their replicas have too. */
  keys: z.strictObject({
    psp: keyId,
    secrets: keyId,
    hashSecret: keyId,
    tokenSecret: keyId,
    recoverySecret: keyId,
  } satisfies Record<KeyName, typeof keyId>),
});

export type StandbySettings = Readonly<z.infer<typeof Standby>>;

/** What has to be known of a stage to tell whether its second region fits. */
type Stage = {
  readonly name: string;
  readonly env?: { readonly region: string } | undefined;
  readonly standby?: StandbySettings | undefined;
  readonly front?: unknown;
  readonly tableOptions?: unknown;
};

/** Rules about the second region and other settings of its line. */
export function standbyFaults({ name, env, standby, front, tableOptions }: Stage): readonly string[] {
  if (!standby) return [];
  if (!env) return ['env must name account and region, as the stage is the standby of another region.'];
  const [, region, table] = STREAM.exec(standby.streamArn) ?? [];
  const isOwnStream = region === env.region && table === resourceNames(name).table;
  return [
    ...(standby.of === env.region ? ['standby.of must be another region than that of env.'] : []),
    ...(region === undefined || isOwnStream
      ? []
      : [`standby.streamArn must be the stream of ${resourceNames(name).table} in ${env.region}.`]),
    ...(front ? ['front belongs to the line of the first region: a name can have one front only.'] : []),
    ...(tableOptions ? ['tableOptions belong to the line of the first region, which makes the replica.'] : []),
  ];
}
