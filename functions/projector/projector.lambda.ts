import { projectBatch } from '#functions/projector/project-batch.usecase.ts';
import { shardParents, streamsClient } from '#shared/adapters/aws/shard-parents.adapter.ts';
import { shardHandler } from '#shared/adapters/aws/stream-consumer.adapter.ts';
import { awsContainer } from '#shared/container/aws.container.ts';
import { lambdaHandler } from '#shared/container/lambda-handler.ts';
import { reviews, totals } from '#shared/container/store-parts.ts';

export const handler = lambdaHandler(awsContainer({ reviews, totals }), (deps, { changesSince }) =>
  shardHandler(
    (shard, changes) => projectBatch(shard, changes, deps),
    shardParents(streamsClient, deps.log),
    changesSince,
  ),
);
