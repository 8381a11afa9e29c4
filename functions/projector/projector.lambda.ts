import { projectChanges } from '#functions/projector/project-changes.usecase.ts';
import { shardHandler } from '#shared/adapters/aws/stream-consumer.adapter.ts';
import { onAws } from '#shared/container/on-aws.ts';

export const handler = onAws((deps) => shardHandler((shard, records) => projectChanges(shard, records, deps)));
