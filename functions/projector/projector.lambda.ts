import { projectChanges } from '#functions/projector/project-changes.usecase.ts';
import { shardHandler } from '#shared/adapters/aws/stream-consumer.adapter.ts';
import { lambdaHandler } from '#shared/container/lambda-handler.ts';

export const handler = lambdaHandler((deps) => shardHandler((shard, changes) => projectChanges(shard, changes, deps)));
