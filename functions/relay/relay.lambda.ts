import { relayChanges } from '#functions/relay/relay-changes.usecase.ts';
import { streamHandler } from '#shared/adapters/aws/stream-consumer.adapter.ts';
import { onAws } from '#shared/container/on-aws.ts';

export const handler = onAws((deps) => streamHandler((records) => relayChanges(records, deps)));
