import { relayChanges } from '#functions/relay/relay-changes.usecase.ts';
import { streamHandler } from '#shared/adapters/aws/stream-consumer.adapter.ts';
import { lambdaHandler } from '#shared/container/lambda-handler.ts';

export const handler = lambdaHandler((deps) => streamHandler((changes) => relayChanges(changes, deps)));
